"""Fill a chunk between its seams, and find strips that seams can be made of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import Count
from solvent.valency.worlds.blocks import Block
from solvent.valency.worlds.chunk_task import Cells, ChunkTask
from solvent.valency.worlds.seams import Four, SeamLibrary


class ChunkFiller:
    """Fill chunks between their seams."""

    def __init__(self, task: ChunkTask) -> None:
        self.task = task
        self.block = Block(task, task.width + 1, task.height + 1, _counts_in_block(task))
        self.allowed = np.pad(task.allowed, ((0, 0), (0, 1), (0, 1), (0, 0)), mode="wrap")

    def frame(self, library: SeamLibrary, four: Four) -> Cells:
        """Return a chunk with nothing but the strips around it."""
        depth, height, width = self.task.shape
        frame = np.full((depth, height + 1, width + 1), -1, dtype=np.int16)
        frame[:, 0, :width] = library.across[four[0]]
        frame[:, height, :width] = library.across[four[1]]
        frame[:, :height, 0] = library.down[four[2]]
        frame[:, :height, width] = library.down[four[3]]
        frame[:, height, width] = library.corner_after(four)
        return frame

    def fill(self, library: SeamLibrary, four: Four, seed: int, meter: Meter = UNLIMITED) -> Cells | None:
        """Return a chunk with these strips above and on the left; None if there is none."""
        cells = self.block.fill(self.block.roots(self.allowed, self.frame(library, four)), seed, meter)
        return None if cells is None else cells[:, :-1, :-1].copy()

    def new_strip(self, library: SeamLibrary, seed: int, *, is_across: bool, meter: Meter) -> Cells | None:
        """Return another strip: a seam between two fills whose other strips are the first ones."""
        frame = self.frame(library, (0, 0, 0, 0))
        # The middle of a block that is two chunks high, or wide, is a seam that nothing has fixed yet.
        _, height, width = self.task.shape
        if is_across:
            size, allowed = (width + 1, 2 * height + 1), np.concatenate([self.allowed[:, :-1], self.allowed], axis=1)
            cells = np.concatenate([frame[:, :-1], frame], axis=1)
            cells[:, height, 1:-1] = -1
        else:
            size, allowed = (2 * width + 1, height + 1), np.concatenate([self.allowed[:, :, :-1], self.allowed], axis=2)
            cells = np.concatenate([frame[:, :, :-1], frame], axis=2)
            cells[:, 1:-1, width] = -1
        block = Block(self.task, *size)
        found = block.fill(block.roots(allowed, cells), seed, meter)
        if found is None:
            return None
        return (found[:, height, :width] if is_across else found[:, :height, width]).copy()


def _counts_in_block(task: ChunkTask) -> tuple[Count, ...]:
    """Return what is counted in a chunk, by the nodes of its block, which is a row and a column larger."""
    depth, height, width = task.shape
    found = []
    for count in task.counts:
        nodes = count.nodes or range(depth * height * width)
        moved = []
        for node in nodes:
            x, y, z = node % width, node // width % height, node // (width * height)
            moved.append(x + (width + 1) * (y + (height + 1) * z))
        found.append(replace(count, nodes=tuple(sorted(moved))))
    return tuple(found)
