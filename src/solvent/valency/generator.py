"""Put a rule set and a grid or graph together into a task. Filling it is the solver's business."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, ParseError, unknown_name
from solvent.formats.companion_files import decode, is_there, read_bytes
from solvent.valency.model import Lattice, Rules, Staging
from solvent.valency.notation.grids import make_cluster, make_lattice, read_size

if TYPE_CHECKING:
    from solvent.valency.notation.graphs.reading import ReadGraph
    from solvent.valency.notation.pictures import ReadBeside
    from solvent.valency.notation.samples import Sample

__all__ = [
    "generate",
    "learn",
    "make",
    "make_lattice",
    "put_read",
    "read_own_task",
    "read_rules",
    "read_tiles",
    "require_valid",
]

LARGEST_FILE_BYTES = 64 << 20

JSON_ENDINGS = (".json",)
TILESET_ENDINGS = (".xml",)
TILESET_FILE_ENDINGS = (".tsx", ".tsj")
GODOT_ENDINGS = (".tres",)
MAP_ENDINGS = (".tmx", ".tmj")
WANG_ENDINGS = TILESET_FILE_ENDINGS + MAP_ENDINGS
SAMPLE_ENDINGS = (".png", ".txt", ".vox")
ENDINGS = JSON_ENDINGS + TILESET_ENDINGS + WANG_ENDINGS + GODOT_ENDINGS + SAMPLE_ENDINGS
"""Of files that hold a rule set, or something from which rules can be learned."""

TILED, OVERLAPPING = "tiled", "overlapping"
"""How to learn from a sample: which cells touch, or which square patterns there are."""
USUAL_GRID = "20x20"
USUAL_SYMMETRY = {TILED: 1, OVERLAPPING: 8}
"""In how many ways a sample is turned by default: letters of a map stand for things that have an upside."""


class RuleOptions(TypedDict, total=False):
    """How a rule set is read from its file: keywords of `generate` and `read_rules`."""

    subset: str | None
    """Which of the subsets of a tile set; None for all of it."""
    sample: str | None
    """How rules are learned from a picture or a map: TILED or OVERLAPPING. By default a Tiled map with terrain sets is
    read as those, and of everything else it is TILED."""
    pattern: int
    """How large the patterns of an overlapping sample are; 3 by default."""
    symmetry: int | None
    """In how many ways a sample is turned; see USUAL_SYMMETRY."""
    sample_periodic: bool | None
    """Whether a sample wraps around; by default pictures and texts do."""
    unset_is_any: bool
    """In terrain sets: let a tile's side without a colour touch any other."""


OF_WORLDS = ("chunks", "chunk", "at", "chunk_files")
"""Options that ask for chunks of a world."""


def make(options: Mapping[str, Any], seed: int, meter: Meter = UNLIMITED) -> Staging:
    """Make a task from the options of the command; those that ask for chunks of a world raise BadOption."""
    given = [name for name in OF_WORLDS if options[name] is not None]
    if given:
        raise BadOption(
            f"{given[0]}: chunks of a world are written to a folder: give the command -o FOLDER/; in Python, use "
            "solvent.valency.worlds.open_world"
        )
    return generate(seed=seed, meter=meter, **{name: value for name, value in options.items() if name not in OF_WORLDS})


def generate(
    *,
    seed: int,
    rules: str = "pipes",
    grid: str | None = None,
    graph: str | None = None,
    periodic: str = "none",
    unsolved: bool = False,  # noqa: ARG001 (the command looks at it)
    meter: Meter = UNLIMITED,
    **reading: Unpack[RuleOptions],
) -> Staging:
    """Make a task: these rules on this grid, or on this graph.

    `rules` is a file, or the name of a bundled task whose rules are taken. From a picture or a map in text, rules are
    learned. A file that holds a whole task is taken as that, with its picks and constraints, unless another grid is
    asked for.
    """
    remarks: list[str] = []
    whole = None if graph is not None else _read_whole(rules, grid, periodic, reading, remarks)
    if whole is not None:
        staging = replace(whole, seed=seed)
        require_valid(staging, rules, graph, meter)
        return staging
    read = read_rules(rules, remarks, meter, **reading)
    meter.checkpoint()
    if graph is not None:
        if periodic != "none":
            raise BadOption(f"a graph does not wrap around: expected periodic 'none', found {periodic!r}")
        staging = _on_graph(read, Path(graph))
    else:
        staging = Staging(read, make_cluster(read, grid or USUAL_GRID, periodic))
    staging = replace(staging, seed=seed, remarks=(*remarks, *staging.remarks))
    require_valid(staging, rules, graph, meter)
    return staging


def _read_whole(
    source: str, grid: str | None, periodic: str, reading: RuleOptions, remarks: list[str]
) -> Staging | None:
    """Return the task that a file holds; None if it holds only rules, or a task of ours for another grid."""
    path = Path(source)
    own = None if reading.get("subset") is not None else read_own_task(source) or _bundled_graph(source, grid)
    if own is not None:
        return _on_grid(own, grid, periodic, remarks)
    if path.suffix.lower() not in JSON_ENDINGS + TILESET_ENDINGS or not is_there(path):
        return None
    from solvent.valency.notation.foreign import whole_task

    text = decode(read_bytes(path, "rule set", path.name, largest_bytes=LARGEST_FILE_BYTES), "rule set", path.name)
    size = None if grid is None else read_size(grid)
    try:
        return whole_task(text, path, entry=reading.get("subset"), size=size, periodic=periodic)
    except ParseError as error:
        raise error.in_source(source) from None


def read_own_task(source: str) -> Staging | None:
    """Return the task in a JSON file of ours that says more than rules; None if it does not, or is no such file."""
    path = Path(source)
    if path.suffix.lower() not in JSON_ENDINGS or not is_there(path):
        return None
    text = decode(read_bytes(path, "rule set", path.name, largest_bytes=LARGEST_FILE_BYTES), "rule set", path.name)
    from solvent.valency.formats import is_configuration, is_terrain_set, sniff

    if not sniff(text) or is_configuration(text) or is_terrain_set(text) or '"cluster"' not in text:
        return None
    from solvent.valency.notation.task_json.reading import parse_json

    try:
        return parse_json(text, path)
    except ParseError as error:
        raise error.in_source(source) from None


def _on_grid(whole: Staging, grid: str | None, periodic: str, remarks: list[str]) -> Staging | None:
    """Return a task on the grid that is asked for; None if that is another than its own, so that its rules remain."""
    cluster = whole.cluster
    if grid is not None and (
        not isinstance(cluster, Lattice)
        or make_cluster(whole.rules, grid, "none") != replace(cluster, periodic=(False, False, False))
    ):
        if whole.picks or whole.constraints:
            remarks.append(f"Its picks and constraints are for another grid than {grid}, and were left out.")
        return None
    if periodic == "none":
        return whole
    if not isinstance(cluster, Lattice):
        raise BadOption(f"a graph does not wrap around: expected periodic 'none', found {periodic!r}")
    wraps = ("x" in periodic, "y" in periodic, "z" in periodic)
    return replace(whole, cluster=replace(cluster, periodic=wraps))


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
        if ending in GODOT_ENDINGS:
            from solvent.valency.notation.godot import parse_godot

            any_colour = options.get("unset_is_any", False)
            return parse_godot(
                text, path, subset=subset, remark=remarks.append, unset_is_any=any_colour, name=path.stem
            )
        if ending in MAP_ENDINGS and is_sample(text, path, options):
            from solvent.valency.notation.map_samples import read_map_sample

            sample = read_map_sample(text, path, read_beside=beside(path, follows_parents=True), remark=remarks.append)
            return _without_subset(learn(sample, path.stem, options, meter), subset)
        follows = ending in WANG_ENDINGS
        return read_tiles(text, ending, path.stem, remarks, options, beside(path, follows_parents=follows), path)
    except ParseError as error:
        raise error.in_source(source) from None


def _bundled_graph(name: str, grid: str | None) -> Staging | None:
    """Return a bundled task on a graph of its own, whose rules have no directions and fit no grid; None otherwise."""
    from solvent.valency.examples import load_examples
    from solvent.valency.notation.task_json.reading import parse_json

    text = next((example.text for example in load_examples() if example.name == name), None)
    if grid is not None or text is None or '"graph"' not in text:
        return None
    whole = parse_json(text, None)
    return whole if any(orbital.direction is None for orbital in whole.rules.layers[0].orbital_set.orbitals) else None


def _bundled_rules(name: str) -> Rules:
    from solvent.valency.examples import load_examples
    from solvent.valency.notation.rule_sets import parse_rules

    bundled = {example.name: example for example in load_examples()}
    if name not in bundled:
        raise unknown_name("rule set", name, [*bundled, "or a file"])
    return parse_rules(bundled[name].text)


def is_sample(text: str, path: Path | None, options: RuleOptions) -> bool:
    """Tell whether to learn from a Tiled map: where that is asked for, and where it has no terrain sets."""
    if options.get("sample") is not None:
        return True
    from solvent.formats.tiled.terrain_sets import read_terrain_sets

    return not options.get("subset") and not any(tileset.sets for tileset in read_terrain_sets(text, path))


def read_tiles(
    text: str,
    ending: str,
    name: str,
    remarks: list[str],
    options: RuleOptions,
    read_beside: ReadBeside | None = None,
    path: Path | None = None,
) -> Rules:
    """Read a tile set or a terrain set; without `read_beside` and `path` no file is opened for what it names."""
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
        text,
        subset=subset,
        read_beside=read_beside,
        remark=remarks.append,
        unset_is_any=any_colour,
        name=name,
        path=path,
    )


def _read_sample(data: bytes, path: Path) -> Sample:
    from solvent.valency.notation.samples import parse_sample, sample_of_picture

    if path.suffix.lower() == ".png":
        from solvent.valency.notation.pictures import read_png

        return sample_of_picture(read_png(data, str(path)))
    if path.suffix.lower() == ".vox":
        from solvent.valency.notation.voxels import sample_of_voxels

        return sample_of_voxels(data, str(path))
    return parse_sample(decode(data, "sample", path.name))


def learn(sample: Sample, name: str, options: RuleOptions, meter: Meter = UNLIMITED) -> Rules:
    """Learn rules from a sample."""
    from solvent.valency.notation.learning import learn_adjacent, learn_patterns
    from solvent.valency.notation.samples import SQUARES

    how, symmetry, wraps = options.get("sample") or TILED, options.get("symmetry"), options.get("sample_periodic")
    is_plain = sample.grid == SQUARES and sample.art is None
    if symmetry is None:
        symmetry = USUAL_SYMMETRY[how] if is_plain else 1
    if wraps is None:
        wraps = is_plain
    if how == OVERLAPPING:
        pattern = options.get("pattern", 3)
        return learn_patterns(sample, pattern=pattern, symmetry=symmetry, periodic=wraps, name=name, meter=meter)
    return learn_adjacent(sample, periodic=wraps, symmetry=symmetry, name=name)


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


def require_valid(
    staging: Staging, rules: str | None = None, graph: str | None = None, meter: Meter = UNLIMITED
) -> None:
    """Raise ParseError for what is wrong in a task, naming the file it is in if there is one."""
    from solvent.valency.validation import find_faults, show_place

    for fault in find_faults(staging, meter):
        source = graph if graph and fault.place[0] != "rules" else rules
        value = (fault.value,) if fault.has_value else ()
        raise ParseError(fault.expected, *value, path=show_place(fault.place), source=source)
