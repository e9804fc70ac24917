"""Files of other programs that are read as tasks: rule sets on a usual grid, maps at their own size, whole tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from solvent.core.errors import ParseError
from solvent.valency.formats import (
    is_configuration,
    is_godot_tileset,
    is_rule_set_json,
    is_rule_set_xml,
    is_sample_list,
    is_terrain_set,
    is_tiled_map,
)
from solvent.valency.model import Lattice, Rules, Staging
from solvent.valency.notation.grids import make_cluster
from solvent.valency.notation.pictures import beside
from solvent.valency.validation import find_faults, show_place


def find_reader(text: str) -> Callable[[str, Path | None], Staging] | None:
    """Return what reads a text that is no task in JSON as one; None if nothing does."""
    return next((read for is_such, read in _READERS if is_such(text)), None)


def stage_foreign(text: str, path: Path | None, read: Callable[[str, Path | None], Staging]) -> Staging:
    """Read a file of another program, or raise ParseError."""
    staging = read(text, path)
    for fault in find_faults(staging):
        value = (fault.value,) if fault.has_value else ()
        raise ParseError(fault.expected, *value, path=show_place(fault.place))
    return staging


def _on_usual_grid(rules: Rules, remarks: list[str]) -> Staging:
    from solvent.valency.notation.task_json.reading import USUAL_GRID_REMARK, usual_grid

    return Staging(rules, usual_grid(rules), remarks=(*remarks, USUAL_GRID_REMARK))


def _name(path: Path | None) -> str:
    return "" if path is None else path.stem


def _read_rule_set_json(text: str, path: Path | None) -> Staging:
    from solvent.valency.notation.task_json.reading import parse_rules_json

    return _on_usual_grid(parse_rules_json(text, path), [])


def _read_rule_set_xml(text: str, path: Path | None) -> Staging:
    from solvent.valency.notation.tileset_xml import parse_tileset

    return _on_usual_grid(parse_tileset(text, read_beside=None if path is None else beside(path), name=_name(path)), [])


def _read_terrain_set(text: str, path: Path | None) -> Staging:
    from solvent.valency.notation.wang import parse_wang

    remarks: list[str] = []
    look = None if path is None else beside(path, follows_parents=True)
    rules = parse_wang(text, read_beside=look, remark=remarks.append, name=_name(path), path=path)
    return _on_usual_grid(rules, remarks)


def _read_map(text: str, path: Path | None) -> Staging:
    """Read a Tiled map: by its terrain sets, or else by what touches in it; the task is as large as the map."""
    from solvent.formats.tiled.terrain_sets import read_terrain_sets
    from solvent.valency.notation.learning import learn_adjacent
    from solvent.valency.notation.map_samples import read_map_sample
    from solvent.valency.notation.samples import NO_CELL

    remarks: list[str] = []
    look = None if path is None else beside(path, follows_parents=True)
    sample = read_map_sample(text, path, read_beside=look, remark=remarks.append)
    height, width = sample.cells.shape
    height -= bool((sample.cells[0] == NO_CELL).all())
    width -= bool((sample.cells[:, 0] == NO_CELL).all())
    if any(tileset.sets for tileset in read_terrain_sets(text, path)):
        from solvent.valency.notation.wang import parse_wang

        rules = parse_wang(text, read_beside=look, remark=remarks.append, name=_name(path), path=path)
        remarks.append("A Tiled map: its terrain sets are the rules, and the grid is as large as the map.")
    else:
        rules = learn_adjacent(sample, name=_name(path))
        remarks.append("A Tiled map: which tiles touch is learned from it, and the grid is as large as the map.")
    return Staging(rules, make_cluster(rules, f"{width}x{height}", "none"), remarks=tuple(remarks))


def _read_sample_list(text: str, path: Path | None) -> Staging:
    from solvent.valency.notation.wfc_samples import parse_samples

    return parse_samples(text, path)


def _read_configuration(text: str, path: Path | None) -> Staging:
    from solvent.valency.notation.debroglie.reading import parse_configuration

    return parse_configuration(text, path)


def _read_godot(text: str, path: Path | None) -> Staging:
    from solvent.valency.notation.godot import parse_godot

    remarks: list[str] = []
    rules = parse_godot(text, path, remark=remarks.append, name=_name(path))
    return _on_usual_grid(rules, remarks)


def whole_task(
    text: str, path: Path, *, entry: str | None, size: tuple[int, ...] | None, periodic: str
) -> Staging | None:
    """Return the task that a file of another program holds, with constraints and a size; None if it holds only rules.

    `entry` chooses one of a list of samples; `size` and `periodic`, unless that is `none`, replace what the file says.
    """
    if is_sample_list(text):
        from solvent.valency.notation.wfc_samples import find_entry, read_entries, stage_entry

        staging = stage_entry(find_entry(read_entries(text), entry), path, size=size)
    elif is_configuration(text):
        from solvent.valency.notation.debroglie.reading import parse_configuration

        if entry is not None:
            raise ParseError("a file with subsets, but a configuration has none", entry)
        staging = parse_configuration(text, path, size=size)
    else:
        return None
    if periodic != "none" and isinstance(staging.cluster, Lattice):
        wraps = ("x" in periodic, "y" in periodic, "z" in periodic)
        staging = replace(staging, cluster=replace(staging.cluster, periodic=wraps))
    return staging


_READERS: tuple[tuple[Callable[[str], bool], Callable[[str, Path | None], Staging]], ...] = (
    (is_sample_list, _read_sample_list),
    (is_rule_set_xml, _read_rule_set_xml),
    (is_terrain_set, _read_terrain_set),
    (is_tiled_map, _read_map),
    (is_godot_tileset, _read_godot),
    (is_configuration, _read_configuration),
    (is_rule_set_json, _read_rule_set_json),
)
"""How each kind of file is recognised, and what reads it."""
