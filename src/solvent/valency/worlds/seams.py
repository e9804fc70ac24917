"""The seams of a world: a few strips for the edges of chunks, proved to go together in every way that is used.

Along the top and the left of each chunk runs a seam, one cell wide. Modules look one cell far, so what stands on one
side of a seam never meets what stands on the other: once the seams stand, each chunk is filled by itself. A library has
a few strips of each direction, all with the same cell where they cross, and one fill of a chunk for every way in which
four strips can stand around it. So each chunk may take its strips by its coordinates alone, and can always be filled.

Where only several chunks together can wrap around, strips follow each other in turn, with that period.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct

from solvent.core.answer import Certificate, Verdict
from solvent.engine.random import ALL_BITS, index_of, mix, scramble
from solvent.proof.certificate import make_certificate
from solvent.valency.worlds.chunk_task import Cells

DOMAIN, QUESTION = "valency", "solvable"

ACROSS, DOWN, FILL, ACROSS_AGAIN, DOWN_AGAIN, CROSSING, VARIANTS = range(7)
"""What is drawn at a place of a world: its strips, what is between them, what is drawn again, variants of modules."""

Four = tuple[int, int, int, int]
"""The strips around a chunk: above, below, left, right."""


def draw(seed: int, what: int, x: int, y: int) -> int:
    """Return a random word that depends on nothing but these."""
    word = scramble((seed + 1) & ALL_BITS)
    for number in (seed >> 64, what, x, y):
        word = mix(word, number & ALL_BITS)
    return word


class SeamLibrary(Struct, frozen=True, eq=False):
    """Hold strips, and a fill for each way in which they are used."""

    period: tuple[int, int]
    """After how many chunks strips come again where they follow each other in turn; 1, 1 where they are drawn."""
    across: tuple[Cells, ...]
    """Strips along the top of chunks, shape (floors, columns); the first column is where seams cross."""
    down: tuple[Cells, ...]
    """Strips along the left of chunks, shape (floors, rows); the first row is where seams cross."""
    fills: Mapping[Four, Cells]
    """A chunk for each way, with its strips above and on the left, shape (floors, rows, columns)."""

    def around(self, seed: int, x: int, y: int) -> Four:
        """Return the strips around a chunk."""
        return (
            self._strip(ACROSS, seed, x, y),
            self._strip(ACROSS, seed, x, y + 1),
            self._strip(DOWN, seed, x, y),
            self._strip(DOWN, seed, x + 1, y),
        )

    def _strip(self, direction: int, seed: int, x: int, y: int) -> int:
        if self.period != (1, 1):
            return x % self.period[0] + self.period[0] * (y % self.period[1])
        return index_of(draw(seed, direction, x, y), len(self.across if direction == ACROSS else self.down))

    def corner_after(self, four: Four) -> Cells:
        """Return where the seams below and on the right of a chunk cross."""
        if self.period == (1, 1):
            corner: Cells = self.across[0][:, 0]
            return corner
        p = self.period[0]
        x, y = four[1] % p, four[1] // p
        after: Cells = self.across[(x + 1) % p + p * y][:, 0]
        return after

    def certificate(self) -> Certificate:
        """Return it as a certificate that the task can be filled: of a chunk that wraps around, or of a period."""
        if self.period != (1, 1):
            p, q = self.period
            chunks = [self.fills[four] for four in ways(self.period, p * q, p * q)]
            torus = np.concatenate([np.concatenate(chunks[p * y : p * y + p], axis=2) for y in range(q)], axis=1)
            return make_certificate(DOMAIN, QUESTION, Verdict.YES, "assignment", modules=torus.reshape(-1).tolist())
        fills = [{"strips": list(four), "modules": cells.reshape(-1).tolist()} for four, cells in self.fills.items()]
        return make_certificate(
            DOMAIN,
            QUESTION,
            Verdict.YES,
            "seams",
            across=[strip.tolist() for strip in self.across],
            down=[strip.tolist() for strip in self.down],
            fills=fills,
        )


def ways(period: tuple[int, int], across: int, down: int) -> Iterator[Four]:
    """Yield every way in which four strips may stand around a chunk."""
    if period == (1, 1):
        for above in range(across):
            for below in range(across):
                for left in range(down):
                    for right in range(down):
                        yield above, below, left, right
        return
    p, q = period
    for y in range(q):
        for x in range(p):
            here = x + p * y
            yield here, x + p * ((y + 1) % q), here, (x + 1) % p + p * y


def library_of(certificate: Certificate, shape: tuple[int, int, int]) -> SeamLibrary:
    """Return the library of a certificate of seams that was accepted; see `cut` for that of a period."""
    return SeamLibrary(
        (1, 1),
        tuple(np.array(strip, dtype=np.int16) for strip in certificate["across"]),
        tuple(np.array(strip, dtype=np.int16) for strip in certificate["down"]),
        {tuple(one["strips"]): np.array(one["modules"], dtype=np.int16).reshape(shape) for one in certificate["fills"]},
    )


def cut(torus: Cells, shape: tuple[int, int, int]) -> SeamLibrary:
    """Return the seams of chunks of a shape that wrap around together, taken in turn; of one chunk, its edges."""
    _, height, width = shape
    p, q = torus.shape[2] // width, torus.shape[1] // height
    places = [(x, y) for y in range(q) for x in range(p)]
    chunks = [torus[:, y * height : (y + 1) * height, x * width : (x + 1) * width].copy() for x, y in places]
    fills = {four: chunks[four[0]] for four in ways((p, q), p * q, p * q)}
    return SeamLibrary((p, q), tuple(one[:, 0] for one in chunks), tuple(one[:, :, 0] for one in chunks), fills)
