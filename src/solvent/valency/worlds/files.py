"""Write some chunks of a world as files: a map each, a Tiled world of all of them, and what proves them.

`task.json` is the task of a chunk, and `task.certificate.json` proves that chunks like it go on for ever. `part.json`
is the task of a chunk with the cells around it, and each chunk has a certificate that it is filled right, its seams
included. `solvent check` reads both.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import MadeFile
from solvent.core.errors import BadOption
from solvent.core.events import Event, Kind, Listener
from solvent.proof.certificate import encode_certificate, make_certificate
from solvent.valency.art import GODOT, HEXAGONAL, ISOMETRIC
from solvent.valency.generator import OF_WORLDS
from solvent.valency.model import Lattice, Staging
from solvent.valency.worlds.opening import CannotBeCut, open_world
from solvent.valency.worlds.part import chunk_with_rim
from solvent.valency.worlds.proving import require_accepted
from solvent.valency.worlds.seams import DOMAIN, QUESTION, VARIANTS, draw
from solvent.valency.worlds.world import Chunk, World

MAX_CHUNKS = 100_000
MAX_COORDINATE = 1 << 40
"""How far out chunks may be asked for; numbers of cells stay exact there in every program that reads them."""
NOT_OF_WORLDS = {"grid": None, "graph": None, "periodic": "none", "unsolved": False}
"""Options of one grid or graph, with what they are if they are not given."""
PICTURE = "modules.png"
TILED_ENDINGS = ("tmj", "tmx")


def make_files(options: Mapping[str, Any], seed: int, listen: Listener, meter: Meter) -> Iterator[MadeFile] | None:
    """Return the files of some chunks; None if the options ask for one grid."""
    if all(options[name] is None for name in OF_WORLDS):
        return None
    for name, usual in NOT_OF_WORLDS.items():
        if options[name] != usual:
            raise BadOption(f"{name}: expected none where chunks of a world are made, found {options[name]!r}")
    size = read_pair("chunks", options["chunks"] or "1x1", r"[x×*]", "columns x rows, such as 4x4")
    at = read_pair("at", options["at"] or "0,0", ",", "column, row of the first chunk, such as 10,-3")
    if min(size) < 1 or size[0] * size[1] > MAX_CHUNKS:
        raise BadOption(f"chunks: expected from 1 to {MAX_CHUNKS:,} in all, found {options['chunks']!r}")
    if max(map(abs, at)) > MAX_COORDINATE:
        raise BadOption(f"at: expected chunks within {MAX_COORDINATE:,} of the first, found {options['at']!r}")
    reading = {name: value for name, value in options.items() if name not in (*OF_WORLDS, *NOT_OF_WORLDS)}
    return _made(reading, options["chunk"], options["chunk_files"] or "tmj", seed, (at, size), listen, meter)


def read_pair(name: str, text: str, between: str, expected: str) -> tuple[int, int]:
    """Return two whole numbers as people write them, or raise BadOption."""
    found = re.fullmatch(rf"\s*(-?\d{{1,18}})\s*{between}\s*(-?\d{{1,18}})\s*", text, re.IGNORECASE)
    if found is None:
        raise BadOption(f"{name}: expected {expected}, found {text!r}")
    return int(found[1]), int(found[2])


def _made(
    reading: Mapping[str, Any],
    chunk: str | None,
    ending: str,
    seed: int,
    where: tuple[tuple[int, int], tuple[int, int]],
    listen: Listener,
    meter: Meter,
) -> Iterator[MadeFile]:
    try:
        world = open_world(chunk=chunk, seed=seed, meter=meter, **reading)
    except CannotBeCut as refused:
        for number, (staging, answer) in enumerate(refused.proofs, start=1):
            yield from _task_files(f"refused-{number}", staging, answer.certificate)
        raise
    yield from _task_files("task", *world.proof)
    rim = chunk_with_rim(world.task)
    yield from _task_files("part", rim.staging, None)
    writer = ChunkWriter(world, ending)
    yield from writer.shared()
    placed = []
    at, size = where
    for number, made in enumerate(world.chunks(at, size), start=1):
        meter.checkpoint()
        certificate = rim.certificate(world.with_rim(made.x, made.y, rim.rows, rim.columns))
        require_accepted(rim.staging, certificate)
        name = f"chunk_{made.x}_{made.y}"
        data = writer.write(made)
        yield MadeFile(f"{name}.{ending}", data)
        yield MadeFile(f"{name}.certificate.json", encode_certificate(certificate))
        digest = hashlib.sha256(made.tobytes()).hexdigest()
        placed.append({"x": made.x, "y": made.y, "file": f"{name}.{ending}", "modules_sha256": digest})
        listen(Event(Kind.PROGRESS, f"chunk {number} of {size[0] * size[1]}", number))
    if ending in TILED_ENDINGS:
        yield MadeFile("world.world", writer.tiled_world(placed))
    manifest = {
        "rules": world.task.rules.name,
        "seed": seed,
        "chunk": [world.task.width, world.task.height, world.task.depth],
        "seams": {
            "across": len(world.library.across),
            "down": len(world.library.down),
            "period": list(world.library.period),
        },
        "chunks": placed,
    }
    yield MadeFile("world.json", (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def _task_files(name: str, staging: Staging, certificate: Certificate | None) -> Iterator[MadeFile]:
    from solvent.valency.notation.task_json.writing import format_json

    yield MadeFile(f"{name}.json", format_json(staging).encode())
    if certificate is not None:
        yield MadeFile(f"{name}.certificate.json", encode_certificate(certificate))


class ChunkWriter:
    """Write chunks of one world in one kind of file."""

    def __init__(self, world: World, ending: str) -> None:
        from solvent.valency.exports import WRITERS

        if ending not in WRITERS or ending == "gif":
            endings = ", ".join(each for each in WRITERS if each != "gif")
            raise BadOption(f"chunk_files: expected one of {endings}, found {ending!r}")
        self.world = world
        self.ending = ending
        task = world.task
        self.staging = Staging(task.plain_rules, Lattice(task.width, task.height, task.depth, task.kind))
        art = task.rules.art
        self._has_sheets = art is not None and art.editor != GODOT and bool(art.sheets)

    def shared(self) -> Iterator[MadeFile]:
        """Yield the files that all chunks name."""
        if self.ending == "tmj" and not self._has_sheets:
            from solvent.valency.exports.tiled import picture_row
            from solvent.valency.notation.pictures import write_png

            yield MadeFile(PICTURE, write_png(picture_row(self.world.task.rules.modules)))

    def write(self, chunk: Chunk) -> bytes:
        """Write a chunk."""
        from solvent.valency.exports import WRITERS
        from solvent.valency.exports.module_data import gather
        from solvent.valency.exports.tiled import write_tiled

        # Variants of modules are drawn by node, so each chunk has a seed of its own.
        seed = draw(self.world.seed, VARIANTS, chunk.x, chunk.y) >> 1
        modules = chunk.modules.reshape(-1).tolist()
        certificate = make_certificate(DOMAIN, QUESTION, Verdict.YES, "assignment", modules=modules)
        answer = Answer(DOMAIN, QUESTION, Verdict.YES, certificate, None, {"seed": seed}, 0.0)
        data = gather(self.staging, answer)
        if self.ending == "tmj":
            return write_tiled(data, None if self._has_sheets else PICTURE)
        return WRITERS[self.ending](data)

    def tiled_world(self, placed: list[dict[str, Any]]) -> bytes:
        """Write a Tiled world of chunks that were written as maps."""
        first = self.write(self.world.chunk(placed[0]["x"], placed[0]["y"])) if self.ending == "tmj" else None
        frame = json.loads(first) if first is not None else self._frame_of_xml(placed[0])
        maps = []
        for one in placed:
            x, y = pixel_of(frame, one["x"] * self.world.task.width, one["y"] * self.world.task.height)
            maps.append({"fileName": one["file"], "x": x, "y": y})
        text = json.dumps({"maps": maps, "onlyShowAdjacentMaps": False, "type": "world"}, indent=2)
        return (text + "\n").encode()

    def _frame_of_xml(self, one: Mapping[str, Any]) -> dict[str, Any]:
        text = self.write(self.world.chunk(one["x"], one["y"])).decode()
        opening = text[text.index("<map") : text.index(">", text.index("<map"))]
        found: dict[str, Any] = dict(re.findall(r'(\w+)="([^"]*)"', opening))
        return {name: int(value) if value.isdecimal() else value for name, value in found.items()}


def pixel_of(frame: Mapping[str, Any], column: int, row: int) -> tuple[int, int]:
    """Return where a cell of a world begins, in pixels, as a map with this frame shows it."""
    width, height = int(frame["tilewidth"]), int(frame["tileheight"])
    if frame["orientation"] == ISOMETRIC:
        return (column - row) * width // 2, (column + row) * height // 2
    if frame["orientation"] == HEXAGONAL:
        side = int(frame.get("hexsidelength", 0))
        if frame.get("staggeraxis") == "x":
            # Such maps are written with rows and columns swapped.
            return row * (width + side) // 2, column * height
        return column * width, row * (height + side) // 2
    return column * width, row * height
