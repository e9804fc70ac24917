"""Tasks in JSON: rules, a cluster, and what is asked of it. `docs/reference/valency-json.md` has every key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from solvent.core.errors import ParseError
from solvent.formats.companion_files import Companion
from solvent.formats.recording import note
from solvent.formats.typed_json import read_json
from solvent.valency.formats import is_fill, is_object
from solvent.valency.model import (
    HEX,
    HEX_ORBITALS,
    MAX_MODULES,
    MAX_NODES,
    SQUARE,
    Cluster,
    Lattice,
    Pick,
    Region,
    Rules,
    Staging,
)
from solvent.valency.notation.foreign import find_reader, stage_foreign
from solvent.valency.notation.graphs.reading import Attributes, ReadGraph, build_graph, parse_graph
from solvent.valency.notation.selectors import NodeNames
from solvent.valency.notation.task_json.constraints import read_constraint
from solvent.valency.notation.task_json.labels import label_remarks
from solvent.valency.notation.task_json.rules import ReadRules, build_rules, known_rules
from solvent.valency.notation.task_json.shapes import (
    ClusterShape,
    GraphOutline,
    LatticeShape,
    PicksShape,
    RegionShape,
    RulesOutline,
    RulesShape,
    StagingShape,
    TaskOutline,
)
from solvent.valency.notation.task_json.sockets import require_exact_sockets
from solvent.valency.validation import Fault, find_faults, find_rule_faults, show_place

VERSION = 1
LONG_TEXT = 100_000
"""From so many letters on, a task may hold more than it may."""
RULE_SET = Companion("rule set", (".json", ".xml"), 64 << 20, in_folder_only=True)
GRAPH = Companion("graph", (".json", ".graphml", ".csv"), 64 << 20, in_folder_only=True)
USUAL_SIZE = (20, 12)
USUAL_GRID_REMARK = "A rule set without a grid: it is put on one of 20 × 12."
ADVICE = "make a task of it with `solvent generate valency FILE --grid 20x20`"


def parse_json(text: str, path: Path | None) -> Staging:
    """Read a task; files that it names are looked for beside `path`."""
    _refuse_fill(text)
    if (read := find_reader(text)) is not None:
        return stage_foreign(text, path, read)
    if not is_object(text):
        raise ParseError('a task: a JSON object that begins with {"valency": 1', text[:40])
    _require_size(text)
    shape = read_json(text, StagingShape, "a task")
    _require_version(shape)
    if shape.rules is None:
        raise ParseError("the key 'rules', but it is missing", path="$")
    # A cluster is read with the names of layers and orbitals, so these must be right first.
    rules = require_valid_rules(_read_rules(shape.rules, path, "$.rules"))
    if shape.cluster is None:
        found: ReadGraph | Lattice = usual_grid(rules.rules)
    else:
        found = _read_cluster(shape.cluster, rules.rules, path)
    staging = stage(
        rules,
        found,
        picks=shape.picks,
        constraints=shape.constraints,
        regions=shape.regions,
        priorities=shape.priorities,
        seed=shape.seed,
    )
    return staging if shape.cluster is not None else replace(staging, remarks=(*staging.remarks, USUAL_GRID_REMARK))


def _refuse_fill(text: str) -> None:
    if is_fill(text):
        raise ParseError("a task or rules, but this is a fill that was made from them: open what it was made from")


def usual_grid(rules: Rules) -> Lattice:
    """Return the grid for rules that came without one; raises ParseError if they are about no grid."""
    if any(orbital.direction is None for layer in rules.layers for orbital in layer.orbital_set.orbitals):
        raise ParseError(f"the key 'cluster', but it is missing: this is a rule set for graphs; {ADVICE}", path="$")
    names = [[orbital.name for orbital in layer.orbital_set.orbitals] for layer in rules.layers]
    six = [orbital.name for orbital in HEX_ORBITALS.orbitals]
    return Lattice(*USUAL_SIZE, kind=HEX if names and all(each == six for each in names) else SQUARE)


def parse_rules_json(text: str, path: Path | None) -> Rules:
    """Read rules: those of a task, or an object that is nothing but rules."""
    _refuse_fill(text)
    whole = read_json(text, dict[str, Any], "rules")
    if "valency" in whole:
        shape = read_json(text, StagingShape, "a task")
        _require_version(shape)
        if shape.rules is None:
            raise ParseError("the key 'rules', but it is missing", path="$")
        return require_valid_rules(_read_rules(shape.rules, path, "$.rules")).rules
    found = build_rules(read_json(text, RulesShape, "rules"), "$")
    _refuse_faults(
        [Fault(fault.place[1:], *_expected_and_value(fault)) for fault in find_rule_faults(found.rules)], found
    )
    return found.rules


def require_valid_rules(rules: ReadRules) -> ReadRules:
    """Return rules as they are, or raise ParseError if they cannot be used."""
    _refuse_faults(find_rule_faults(rules.rules), rules)
    return rules


def stage(
    rules: ReadRules,
    found: ReadGraph | Lattice,
    *,
    picks: PicksShape,
    constraints: Sequence[Any] = (),
    regions: Sequence[RegionShape] = (),
    priorities: Any = (),
    seed: int = 0,
) -> Staging:
    """Put a task together, or raise ParseError."""
    graph = found if isinstance(found, ReadGraph) else None
    cluster: Cluster = found.graph if isinstance(found, ReadGraph) else found
    nodes = NodeNames(cluster)
    staging = Staging(rules.rules, cluster)
    _refuse_faults(find_faults(staging), rules)  # before nodes are looked up in it
    staging = Staging(
        rules=rules.rules,
        cluster=cluster,
        picks=_read_picks(picks, nodes, graph.picks if graph else ()),
        pick_selection=picks.selection,
        pick_misfit=picks.misfit,
        constraints=tuple(
            made
            for number, constraint in enumerate(constraints)
            for made in read_constraint(constraint, rules, nodes, f"$.constraints[{number}]")
        ),
        regions=_read_regions(regions, rules, nodes, graph.regions if graph else ()),
        priorities=_read_priorities(priorities, nodes, graph.priorities if graph else ()),
        seed=seed,
        remarks=(*label_remarks(rules), *(graph.remarks if graph else ())),
    )
    _refuse_faults(find_faults(staging), rules)
    require_exact_sockets(rules.loose, staging)
    return staging


def _require_size(text: str) -> None:
    """Raise ParseError if a long text has more modules or nodes than there may be; counting them takes a moment."""
    if len(text) < LONG_TEXT:
        return
    try:
        outline = msgspec.json.decode(text, type=TaskOutline)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):  # reading it in full says what is wrong
        return
    modules = outline.rules.modules if isinstance(outline.rules, RulesOutline) else []
    if len(modules) > MAX_MODULES:
        raise ParseError(f"from 1 to {MAX_MODULES} modules", len(modules), path="$.rules.modules")
    graph = None if outline.cluster is None else outline.cluster.graph
    nodes = graph.nodes if isinstance(graph, GraphOutline) and isinstance(graph.nodes, list) else []
    if len(nodes) > MAX_NODES:
        raise ParseError(f"from 1 to {MAX_NODES} nodes", len(nodes), path="$.cluster.graph.nodes")


def _require_version(shape: StagingShape) -> None:
    if shape.valency != VERSION:
        raise ParseError(f"{VERSION}, the version of this format", shape.valency, path="$.valency")


# Rules and cluster


def _read_rules(shape: str | RulesShape, path: Path | None, place: str) -> ReadRules:
    if isinstance(shape, str):
        return known_rules(_rules_beside(shape, None, path, place))
    if shape.file is None:
        return build_rules(shape, place)
    if shape != RulesShape(file=shape.file, subset=shape.subset):
        raise ParseError("rules here, or those of a file, not both", shape.file, path=f"{place}.file")
    return known_rules(_rules_beside(shape.file, shape.subset, path, f"{place}.file"))


def _rules_beside(name: str, subset: str | None, path: Path | None, place: str) -> Rules:
    from solvent.valency.notation.rule_sets import parse_rules

    text = RULE_SET.read(path, name, {"path": place})
    file = RULE_SET.find(path, name, {"path": place})
    if name.lower().endswith(".json") and isinstance(_rules_of(text), str | None):
        raise ParseError("a file that holds rules itself", name, path=place)
    try:
        return parse_rules(text, file, subset=subset)
    except ParseError as error:
        raise error.in_source(name) from None


def _rules_of(text: str) -> Any:
    """Return the rules of a file, whatever they are; files that name files could go round in circles."""
    whole = read_json(text, dict[str, Any], "rules")
    rules = whole.get("rules") if "valency" in whole else whole
    return rules.get("file", rules) if isinstance(rules, dict) else rules


def _read_cluster(shape: ClusterShape, rules: Rules, path: Path | None) -> ReadGraph | Lattice:
    attributes = Attributes(
        shape.pick_attribute,
        shape.priority_attribute,
        shape.region_attribute,
        shape.seed_attribute,
        shape.weight_attribute,
    )
    if (shape.lattice is None) == (shape.graph is None):
        raise ParseError("a lattice or a graph, one of them", path="$.cluster")
    if shape.lattice is not None:
        return _read_lattice(shape.lattice, "$.cluster.lattice")
    if isinstance(shape.graph, str):
        where = {"path": "$.cluster.graph"}
        text = GRAPH.read(path, shape.graph, where)
        file = GRAPH.find(path, shape.graph, where)
        try:
            return parse_graph(text, file, rules, attributes)
        except ParseError as error:
            raise error.in_source(shape.graph) from None
    from solvent.valency.notation.graphs.json import written_graph

    assert shape.graph is not None
    written = written_graph(shape.graph, "$.cluster.graph")
    note(nodes=written.node_places)
    return build_graph(written, rules, attributes)


def _read_lattice(shape: LatticeShape, path: str) -> Lattice:
    size, periodic = shape.size, shape.periodic
    if len(size) not in (2, 3):
        raise ParseError("two or three numbers: width, height and perhaps depth", size, path=f"{path}.size")
    if isinstance(periodic, bool):
        wraps = (periodic, periodic, periodic and len(size) == 3)
    elif len(periodic) in (2, 3):
        wraps = (periodic[0], periodic[1], periodic[2] if len(periodic) == 3 else False)
    else:
        raise ParseError("true, or true or false for x, y and perhaps z", periodic, path=f"{path}.periodic")
    return Lattice(size[0], size[1], size[2] if len(size) == 3 else 1, shape.kind, wraps)


# What is asked of the cluster


def _read_picks(shape: PicksShape, nodes: NodeNames, given: Sequence[Pick]) -> tuple[Pick, ...]:
    found = {pick.node: pick for pick in given}
    paths: dict[int, str] = {}
    for number, pick in enumerate(shape.at):
        path = f"$.picks.at[{number}]"
        node = nodes.find(pick.node, f"{path}.node")
        if node in found:
            raise ParseError("at most one pick for each node", pick.node, path=f"{path}.node")
        found[node] = Pick(node, pick.module)
        paths[node] = path
    note(picks=paths)
    return tuple(found[node] for node in sorted(found))


def _read_regions(
    shapes: Sequence[RegionShape], rules: ReadRules, nodes: NodeNames, given: Sequence[Region]
) -> tuple[Region, ...]:
    """Return regions; one without nodes is about those that the graph has under its name."""
    left = {region.name: region for region in given if region.name}
    apart = [region for region in given if not region.name]
    found = []
    taken = 0
    for number, shape in enumerate(shapes):
        path = f"$.regions[{number}]"
        if shape.nodes is not None:
            chosen = nodes.find_all(shape.nodes, f"{path}.nodes")
        elif shape.name in left:
            chosen = left.pop(shape.name).nodes
        else:
            raise ParseError("nodes, or the name of a region of the graph", shape.name, path=path)
        taken += len(chosen)
        if taken > nodes.count:  # before many regions of many cells take up all the memory there is
            raise ParseError("each node in one region at most, but these have more than there are", path=path)
        weights: dict[int, float] = {}
        for word, factor in shape.weights.items():
            mask = rules.names.find(word, f"{path}.weights")
            while mask:
                module = (mask & -mask).bit_length() - 1
                mask &= mask - 1
                if module in weights:
                    raise ParseError("each module once", word, path=f"{path}.weights")
                weights[module] = float(factor)
        found.append(Region(chosen, shape.seed, tuple(sorted(weights.items())), shape.name))
    return (*found, *left.values(), *apart)


def _read_priorities(priorities: Any, nodes: NodeNames, given: tuple[float, ...]) -> tuple[float, ...]:
    if not priorities:
        return given
    if given:
        raise ParseError("priorities here or in the graph, not both", path="$.priorities")
    if isinstance(priorities, dict):
        found = [0.0] * nodes.count
        for name, priority in priorities.items():
            found[nodes.find(name, "$.priorities")] = float(priority)
        return tuple(found)
    return tuple(float(priority) for priority in priorities)


def _refuse_faults(faults: Sequence[Fault], rules: ReadRules) -> None:
    """Raise ParseError for the first fault, at the place where it was written."""
    if not faults:
        return
    first, place = faults[0], list(faults[0].place)
    for at, step in enumerate(place[1:], 1):
        if place[at - 1] == "modules" and isinstance(step, int) and step < len(rules.entries):
            place[at] = rules.entries[step]
            break
    more = f" (and {len(faults) - 1} more wrong)" if len(faults) > 1 else ""
    expected, *value = _expected_and_value(first)
    raise ParseError(expected + more, *value, path=f"$.{show_place(place)}")


def _expected_and_value(fault: Fault) -> tuple[Any, ...]:
    return (fault.expected, fault.value) if fault.has_value else (fault.expected,)
