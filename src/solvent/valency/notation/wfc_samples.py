"""The lists of samples that came with wave function collapse (`samples.xml`): each entry is a task.

| entry | what it is |
| --- | --- |
| `<overlapping name="Flowers" N="3" symmetry="2" ground="True" periodic="True"/>` | patterns of a picture |
| `<simpletiled name="Knots" subset="Dense" size="24"/>` | a rule set of turned tiles |

A picture is `NAME.png` in the folder `samples` beside the list, or beside it; a rule set is `NAME.xml` in `tilesets`.
Which node comes next, when to stop and how many to make are no part of a task, and are remarked on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, ParseError
from solvent.core.safe_xml import Element, read_elements
from solvent.formats.companion_files import decode, is_there, read_bytes, require_relative
from solvent.valency.model import MAX_NODES, Lattice, Rules, Staging, mask_of
from solvent.valency.notation.pictures import beside, read_png
from solvent.valency.notation.restrictions import ban, hold
from solvent.valency.notation.samples import (
    Cells,
    Sample,
    find_patterns,
    make_pattern_rules,
    sample_of_picture,
    turned,
)
from solvent.valency.notation.tileset_xml import parse_tileset

WHAT = "a list of samples"
OVERLAPPING, SIMPLE_TILED = "overlapping", "simpletiled"
USUAL_SIZES = {OVERLAPPING: 48, SIMPLE_TILED: 24}
_TASK = ("name", "size", "width", "height", "periodic", "heuristic", "limit", "screenshots")
_KNOWN = {
    OVERLAPPING: (*_TASK, "N", "symmetry", "ground", "periodicInput"),
    SIMPLE_TILED: (*_TASK, "subset", "textOutput", "blackBackground"),
}
_SOLVERS = {"entropy": "entropy", "mrv": "entropy", "scanline": "scanline"}
_ENDINGS = {OVERLAPPING: ".png", SIMPLE_TILED: ".xml"}
_FOLDERS = {OVERLAPPING: ("samples", ".", "../samples"), SIMPLE_TILED: ("tilesets", ".", "../tilesets")}


class Entry(Struct, frozen=True):
    """Hold one entry of a list."""

    label: str
    """What to call it by: its name, its subset, and a number where several have these."""
    element: Element


def read_entries(text: str) -> list[Entry]:
    """Read the entries of a list, or raise ParseError."""
    root = read_elements(text, "samples", WHAT)
    entries: list[Entry] = []
    seen: dict[str, int] = {}
    for element in root.children:
        if element.tag not in _KNOWN:
            raise ParseError(f"<{OVERLAPPING}> or <{SIMPLE_TILED}>", f"<{element.tag}>", **element.where)
        for name in element.attributes:
            if name not in _KNOWN[element.tag]:
                raise ParseError(
                    f"attributes of <{element.tag}>: {', '.join(_KNOWN[element.tag])}", name, **element.where
                )
        subset = element.attributes.get("subset")
        label = element.word("name") + (f" {subset}" if subset else "")
        seen[label] = seen.get(label, 0) + 1
        entries.append(Entry(label if seen[label] == 1 else f"{label} #{seen[label]}", element))
    if not entries:
        raise ParseError(f"{WHAT} with an entry in it", **root.where)
    return entries


def find_entry(entries: Sequence[Entry], wanted: str | None) -> Entry:
    """Return the entry with a label, or the number it has in the list, from 1; without either, the only one."""
    if wanted is None:
        if len(entries) == 1:
            return entries[0]
        shown = ", ".join(entry.label for entry in entries[:8])
        more = f", … ({len(entries)} in all)" if len(entries) > 8 else ""
        raise ParseError(
            "one entry: choose it with `solvent generate valency FILE --subset NAME`, by its name or number; "
            f"there are {shown}{more}"
        )
    for entry in entries:
        if entry.label == wanted:
            return entry
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(entries):
        return entries[int(wanted) - 1]
    shown = ", ".join(entry.label for entry in entries[:8])
    raise BadOption(f"subset: expected an entry of the list or its number, found {wanted!r}; there are {shown}, …")


def parse_samples(text: str, path: Path | None) -> Staging:
    """Read a list with one entry as a task."""
    return stage_entry(find_entry(read_entries(text), None), path)


def stage_entry(
    entry: Entry, path: Path | None, *, size: Sequence[int] | None = None, meter: Meter = UNLIMITED
) -> Staging:
    """Make the task of an entry; pictures and rule sets are looked for beside `path`.

    `size` is the width and height to fill instead of those that it says.
    """
    element = entry.element
    usual = element.integer("size", USUAL_SIZES[element.tag])
    width, height = (element.integer("width", usual), element.integer("height", usual))
    if size is not None:
        width, height = size[0], size[1]
    if min(width, height) < 1 or width * height > MAX_NODES:
        raise ParseError(f"a grid of 1 to {MAX_NODES} cells", f"{width}x{height}", **element.where)
    wraps = _flag(element, "periodic", False)
    lattice = Lattice(width, height, periodic=(wraps, wraps, False))
    remarks = list(_remarks(element))
    try:
        if element.tag == SIMPLE_TILED:
            staging = Staging(_read_rule_set(element, path), lattice)
        else:
            staging = _stage_patterns(element, path, lattice, meter)
    except BadOption as error:
        raise ParseError(f"an entry that can be learned from ({error})", **element.where) from None
    return replace(staging, remarks=(*remarks, *staging.remarks))


def needed_file(entry: Entry) -> str:
    """Return the name of the picture or rule set that an entry is made from."""
    return entry.element.word("name") + _ENDINGS[entry.element.tag]


def describe_entry(entry: Entry) -> str:
    """Say in a few words what an entry asks for."""
    element = entry.element
    usual = element.integer("size", USUAL_SIZES[element.tag])
    parts = [f"{element.integer('width', usual)} × {element.integer('height', usual)}"]
    if element.tag == OVERLAPPING:
        size, symmetry = element.integer("N", 3), element.integer("symmetry", 8)
        parts = [f"patterns of {size} × {size}", f"symmetry {symmetry}", *parts]
    if _flag(element, "ground", False):
        parts.append("with ground")
    if _flag(element, "periodic", False):
        parts.append("wraps around")
    return ", ".join(parts)


def _remarks(element: Element) -> list[str]:
    found = []
    heuristic = element.attributes.get("heuristic")
    if heuristic is not None:
        if heuristic.lower() not in _SOLVERS:
            raise ParseError("heuristic: Entropy, MRV or Scanline", heuristic, **element.where)
        found.append(f"heuristic {heuristic}: ask with `--solver {_SOLVERS[heuristic.lower()]}` to go that way.")
    limit = element.integer("limit", -1)
    if limit > 0:
        found.append(f"limit {limit}: stops after so many choices; ask with `--nodes` to stop early.")
    for name in ("screenshots", "textOutput", "blackBackground"):
        if name in element.attributes:
            found.append(f"{name} {element.attributes[name]}: says what is written, and is no part of the task.")
    return found


def _read_rule_set(element: Element, path: Path | None) -> Rules:
    file = _find(element, path, "rule set")
    text = decode(read_bytes(file, "rule set", file.name, element.where, 64 << 20), "rule set", file.name)
    subset = element.attributes.get("subset")
    name = f"{file.stem} {subset}" if subset else file.stem
    try:
        return parse_tileset(text, subset=subset, read_beside=beside(file), name=name)
    except ParseError as error:
        raise error.in_source(file.name) from None


def _stage_patterns(element: Element, path: Path | None, lattice: Lattice, meter: Meter) -> Staging:
    file = _find(element, path, "picture")
    sample = sample_of_picture(read_png(read_bytes(file, "picture", file.name, element.where, 64 << 20), file.name))
    size, symmetry = element.integer("N", 3), element.integer("symmetry", 8)
    if not 2 <= size <= 8:
        raise ParseError("N: patterns of 2 to 8 pixels", size, **element.where)
    if not 1 <= symmetry <= 8:
        raise ParseError("symmetry: from 1 to 8", symmetry, **element.where)
    wraps = _flag(element, "periodicInput", True)
    patterns, counts = find_patterns(sample.cells, size, symmetry, wraps, meter)
    rules = make_pattern_rules(sample, patterns, counts, name=file.stem)
    staging = Staging(rules, lattice)
    if not _flag(element, "ground", False):
        return staging
    mask = _ground_patterns(sample, patterns, symmetry, wraps)
    count = lattice.width * lattice.height
    above = count - lattice.width
    constraints = (*hold(mask, range(above, count)), *ban(mask, range(above), len(rules.modules)))
    return replace(staging, constraints=constraints)


def _ground_patterns(sample: Sample, patterns: Cells, symmetry: int, wraps: bool) -> int:
    """Return the mask of the patterns that begin in the lowest row of the sample, as it is and mirrored."""
    size = patterns.shape[1]
    cells = sample.cells
    height, width = cells.shape
    if wraps:
        rows = np.arange(height - 1, height - 1 + size) % height
        lowest = cells[rows][:, np.arange(width + size - 1) % width]
    else:
        lowest = cells[height - size :]
    found = set()
    for version in turned(lowest, min(symmetry, 2)):
        windows = np.lib.stride_tricks.sliding_window_view(version, (size, size))[0]
        found |= {np.ascontiguousarray(window, dtype=np.int32).tobytes() for window in windows}
    return mask_of(at for at, one in enumerate(patterns) if np.ascontiguousarray(one, np.int32).tobytes() in found)


def _find(element: Element, path: Path | None, what: str) -> Path:
    name = element.word("name") + _ENDINGS[element.tag]
    if path is None:
        raise ParseError(f"a file on disk, since its {what} is in another", name, **element.where)
    require_relative(name, what, element.where)
    if ".." in Path(name).parts:
        raise ParseError(f"the name of a {what}", name, **element.where)
    for folder in _FOLDERS[element.tag]:
        file = path.parent / folder / name
        if is_there(file):
            return file
    places = ", ".join(f"{folder}/{name}" for folder in _FOLDERS[element.tag])
    raise ParseError(f"the {what} beside the list: {places}, but there is no such file", name, **element.where)


def _flag(element: Element, name: str, otherwise: bool) -> bool:
    word = element.attributes.get(name, str(otherwise)).lower()
    if word not in ("true", "false"):
        raise ParseError(f"{name}: True or False", element.attributes[name], **element.where)
    return word == "true"
