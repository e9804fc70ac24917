"""Put a rule set and a grid or graph together into a task. Filling it is the solver's business."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, ParseError, unknown_name
from solvent.formats.companion_files import decode, is_there, read_bytes
from solvent.valency.model import HEX, HEX_ORBITALS, MAX_NODES, SQUARE, Lattice, Rules, Staging

if TYPE_CHECKING:
    from solvent.valency.notation.graphs.reading import ReadGraph
    from solvent.valency.notation.pictures import ReadBeside
    from solvent.valency.notation.samples import Sample

LARGEST_FILE_BYTES = 64 << 20

JSON_ENDINGS = (".json",)
TILESET_ENDINGS = (".xml",)
WANG_ENDINGS = (".tsx", ".tsj", ".tmx", ".tmj")
SAMPLE_ENDINGS = (".png", ".txt")
ENDINGS = JSON_ENDINGS + TILESET_ENDINGS + WANG_ENDINGS + SAMPLE_ENDINGS
"""Of files that hold a rule set, or something from which rules can be learned."""

TILED, OVERLAPPING = "tiled", "overlapping"
"""How to learn from a sample: which cells touch, or which square patterns there are."""
USUAL_SYMMETRY = {TILED: 1, OVERLAPPING: 8}
"""In how many ways a sample is turned by default: letters of a map stand for things that have an upside."""

_GRID = re.compile(r"\s*(\d{1,9})\s*[x×*]\s*(\d{1,9})(?:\s*[x×*]\s*(\d{1,9}))?\s*", re.IGNORECASE)


class RuleOptions(TypedDict, total=False):
    """How a rule set is read from its file: keywords of `generate` and `read_rules`."""

    subset: str | None
    """Which of the subsets of a tile set; None for all of it."""
    sample: str
    """How rules are learned from a picture or a map in text: TILED (the default) or OVERLAPPING."""
    pattern: int
    """How large the patterns of an overlapping sample are; 3 by default."""
    symmetry: int | None
    """In how many ways a sample is turned; see USUAL_SYMMETRY."""
    sample_periodic: bool
    """Whether a sample wraps around; True by default."""
    unset_is_any: bool
    """In terrain sets: let a tile's side without a colour touch any other."""


def generate(
    *,
    seed: int,
    rules: str = "pipes",
    grid: str = "20x20",
    graph: str | None = None,
    periodic: str = "none",
    unsolved: bool = False,  # noqa: ARG001 (the command looks at it)
    meter: Meter = UNLIMITED,
    **reading: Unpack[RuleOptions],
) -> Staging:
    """Make a task: these rules on this grid, or on this graph.

    `rules` is a file, or the name of a bundled task whose rules are taken. From a picture or a map in text, rules are
    learned.
    """
    remarks: list[str] = []
    read = read_rules(rules, remarks, meter, **reading)
    meter.checkpoint()
    if graph is not None:
        if periodic != "none":
            raise BadOption(f"a graph does not wrap around: expected periodic 'none', found {periodic!r}")
        staging = _on_graph(read, Path(graph))
    else:
        staging = Staging(read, make_lattice(read, grid, periodic))
    staging = replace(staging, seed=seed, remarks=(*remarks, *staging.remarks))
    require_valid(staging, rules, graph, meter)
    return staging


def make_lattice(rules: Rules, grid: str, periodic: str) -> Lattice:
    """Return the lattice that a text such as 60x40 or 10x10x4 means; it is hexagonal for rules of six directions."""
    sizes = _GRID.fullmatch(grid)
    if sizes is None:
        raise BadOption(f"grid: expected width x height, such as 60x40 or 10x10x4, found {grid!r}")
    width, height, depth = int(sizes[1]), int(sizes[2]), int(sizes[3] or 1)
    if not 1 <= width * height * depth <= MAX_NODES:
        raise BadOption(f"grid: expected from 1 to {MAX_NODES} cells, found {grid!r}")
    wraps = ("x" in periodic, "y" in periodic, "z" in periodic)
    kind = HEX if _has_six_directions(rules) else SQUARE
    if kind == HEX and depth > 1:
        raise BadOption(f"grid: expected a hexagonal grid of depth 1, found {grid!r}")
    if kind == HEX and wraps[1] and height % 2:
        raise BadOption(f"grid: expected an even height where a hexagonal grid wraps around in y, found {grid!r}")
    return Lattice(width, height, depth, kind, wraps)


def read_rules(source: str, remarks: list[str], meter: Meter = UNLIMITED, **options: Unpack[RuleOptions]) -> Rules:
    """Read a rule set from a file or by the name of a bundled one; what is worth a remark is added to `remarks`."""
    from solvent.valency.notation.pictures import beside
    from solvent.valency.notation.rule_sets import parse_rules

    path = Path(source)
    subset = options.get("subset")
    ending = path.suffix.lower()
    try:
        if not ending and not is_there(path):
            return _without_subset(_bundled_rules(source), subset)
        if ending not in ENDINGS:
            raise ParseError(f"a rule set in a file that ends in {', '.join(ENDINGS)}", path.name)
        data = read_bytes(path, "rule set", path.name, largest_bytes=LARGEST_FILE_BYTES)
        if ending in SAMPLE_ENDINGS:
            return _without_subset(learn(_read_sample(data, path), path.stem, options, meter), subset)
        text = decode(data, "rule set", path.name)
        if ending in JSON_ENDINGS and '"wangsets"' not in text:
            return _without_subset(parse_rules(text, path), subset)
        return read_tiles(text, ending, path.stem, remarks, options, beside(path))
    except ParseError as error:
        raise error.in_source(source) from None


def _bundled_rules(name: str) -> Rules:
    from solvent.valency.examples import load_examples
    from solvent.valency.notation.rule_sets import parse_rules

    bundled = {example.name: example for example in load_examples()}
    if name not in bundled:
        raise unknown_name("rule set", name, [*bundled, "or a file"])
    return parse_rules(bundled[name].text)


def read_tiles(
    text: str, ending: str, name: str, remarks: list[str], options: RuleOptions, read_beside: ReadBeside | None = None
) -> Rules:
    """Read a tile set or a terrain set; without `read_beside` no file is opened for its pictures."""
    subset = options.get("subset")
    if ending in TILESET_ENDINGS and "<tileset" not in text and "<map" not in text:
        from solvent.valency.notation.tileset_xml import parse_tileset

        rules = parse_tileset(text, subset=subset, read_beside=read_beside, name=name)
        bare = [module.key for module in rules.modules if not module.look.picture]
        if 0 < len(bare) < len(rules.modules):
            remarks.append(f"Modules without a picture beside the rule set: {', '.join(bare[:5])}.")
        return rules
    from solvent.valency.notation.wang import parse_wang

    any_colour = options.get("unset_is_any", False)
    return parse_wang(
        text, subset=subset, read_beside=read_beside, remark=remarks.append, unset_is_any=any_colour, name=name
    )


def _read_sample(data: bytes, path: Path) -> Sample:
    from solvent.valency.notation.samples import parse_sample, sample_of_picture

    if path.suffix.lower() == ".png":
        from solvent.valency.notation.pictures import read_png

        return sample_of_picture(read_png(data, str(path)))
    return parse_sample(decode(data, "sample", path.name))


def learn(sample: Sample, name: str, options: RuleOptions, meter: Meter = UNLIMITED) -> Rules:
    """Learn rules from a sample."""
    from solvent.valency.notation.samples import learn_overlapping, learn_tiled

    how, symmetry, wraps = options.get("sample", TILED), options.get("symmetry"), options.get("sample_periodic", True)
    if symmetry is None:
        symmetry = USUAL_SYMMETRY[how]
    if how == OVERLAPPING:
        pattern = options.get("pattern", 3)
        return learn_overlapping(sample, pattern=pattern, symmetry=symmetry, periodic=wraps, name=name, meter=meter)
    return learn_tiled(sample, periodic=wraps, symmetry=symmetry, name=name)


def _on_graph(rules: Rules, path: Path) -> Staging:
    from solvent.valency.notation.graphs.reading import parse_graph

    try:
        data = read_bytes(path, "graph", path.name, largest_bytes=LARGEST_FILE_BYTES)
        read = parse_graph(decode(data, "graph", path.name), path, rules)
    except ParseError as error:
        raise error.in_source(str(path)) from None
    return put_read(Staging(rules, read.graph), read)


def put_read(staging: Staging, read: ReadGraph) -> Staging:
    """Return a task on a graph with what was read beside the graph."""
    remarks = (*staging.remarks, *read.remarks)
    return replace(staging, picks=read.picks, priorities=read.priorities, regions=read.regions, remarks=remarks)


def _without_subset(rules: Rules, subset: str | None) -> Rules:
    if subset is not None:
        raise BadOption(f"these rules have no subsets, found subset {subset!r}")
    return rules


def _has_six_directions(rules: Rules) -> bool:
    names = [orbital.name for orbital in HEX_ORBITALS.orbitals]
    return all([orbital.name for orbital in layer.orbital_set.orbitals] == names for layer in rules.layers)


def require_valid(
    staging: Staging, rules: str | None = None, graph: str | None = None, meter: Meter = UNLIMITED
) -> None:
    """Raise ParseError for what is wrong in a task, naming the file it is in if there is one."""
    from solvent.valency.validation import find_faults, show_place

    for fault in find_faults(staging, meter):
        source = graph if graph and fault.place[0] != "rules" else rules
        value = (fault.value,) if fault.has_value else ()
        raise ParseError(fault.expected, *value, path=show_place(fault.place), source=source)
