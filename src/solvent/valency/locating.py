"""Say where in a task's file stands what an answer is about: the picks and nodes that clash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.answer import Answer
from solvent.core.errors import SolventError
from solvent.core.location import Location
from solvent.formats.json_positions import find_json_position
from solvent.formats.recording import record
from solvent.valency.formats import FORMATS
from solvent.valency.model import SQUARE, Cluster, Lattice, Staging
from solvent.valency.orbitals import node_name
from solvent.valency.phrases import read_element

MAX_LOCATIONS = 8
"""More would not be read."""


def locate(staging: Staging, answer: Answer) -> list[Location]:
    """Return where the parts of a clash stand: picks first, then the other nodes in the order of the proof."""
    certificate = answer.certificate
    if certificate is None or certificate["form"] not in ("refutation", "counting"):
        return []
    elements = [read_element(element) for element in certificate["elements"]]
    picked = [element[1] for element in elements if element[0] == "pick"]
    nodes = list(dict.fromkeys([*picked, *(element[1] for element in elements if element[0] == "node")]))
    nodes = nodes[:MAX_LOCATIONS]
    notes = _read_again(staging)
    paths = _paths_of_nodes(nodes, notes)
    found = [_locate_node(staging, node, paths.get(node)) for node in nodes]
    for number in (element[1] for element in elements if element[0] == "constraint"):
        path = f"$.constraints[{number}]" if notes else None
        found.append(_location(staging, f"constraint {number + 1}", path))
    return found[:MAX_LOCATIONS]


def _locate_node(staging: Staging, node: int, path: str | None) -> Location:
    return _location(staging, node_name(staging.cluster, node), path, _tile(staging.cluster, node))


def _location(staging: Staging, description: str, path: str | None, tile: tuple[int, int] | None = None) -> Location:
    found = None if path is None or staging.source is None else find_json_position(staging.source.text, path)
    line, column = found or (None, None)
    return Location(description=description, line=line, column=column, tile=tile)


def _tile(cluster: Cluster, node: int) -> tuple[int, int] | None:
    """Return the cell of a node on a flat grid of squares."""
    if not isinstance(cluster, Lattice) or cluster.kind != SQUARE or cluster.depth != 1:
        return None
    return node % cluster.width, node // cluster.width


def _read_again(staging: Staging) -> Mapping[str, Any]:
    """Read the text again, and return what its reader notes; nothing if it is another task by now."""
    if staging.source is None:
        return {}
    try:
        with record() as notes:
            read = FORMATS.parse(staging.source.text, staging.source.path)
    except (SolventError, OSError):  # a file beside it may be gone by now
        return {}
    asked = (staging.cluster, staging.picks, staging.constraints)
    return notes if (read.cluster, read.picks, read.constraints) == asked else {}


def _paths_of_nodes(nodes: Sequence[int], notes: Mapping[str, Any]) -> dict[int, str]:
    """Return where nodes stand: where they are picked, else where they are listed."""
    picks: Mapping[int, str] = notes.get("picks", {})
    listed: Any = notes.get("nodes", ())
    paths = {node: listed[node] for node in nodes if node < len(listed)}
    return paths | {node: picks[node] for node in nodes if node in picks}
