"""Graphs as a list of edges in CSV: `source,target`, perhaps with orbitals.

Nodes may be in a file beside it, `NAME.nodes.csv` for `NAME.csv`: `id`, then any of `x,y,z,pick,priority,region`.
Without it the nodes are those that edges name: rising if all are numbers, else in the order in which they come.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from solvent.core.errors import ParseError
from solvent.formats.companion_files import Companion, is_there
from solvent.valency.model import MAX_NODES
from solvent.valency.notation.graphs.reading import WrittenGraph, edge_orbitals, name_nodes, numbers_if_all, position_of

_DELIMITERS = ",;\t"
_NODES = Companion("list of nodes", (".csv",), 64 << 20, in_folder_only=True)


def read_graph_csv(text: str, path: Path | None) -> WrittenGraph:
    """Read edges, and the nodes beside `path` if there is such a file."""
    written = WrittenGraph(line_numbers=True)
    rows = _read_rows(text, ("source", "target"), "a graph: CSV with the columns source and target")
    ids = _read_nodes(written, path)
    if ids is None:
        ids = _nodes_of(rows, written)
    places = []
    for line, row in rows:
        for end in ("source", "target"):
            if row[end] not in ids:
                raise ParseError(f"{end}: the id of a node", row[end], line=line)
        places.append(str(line))
        written.edges.append((ids[row["source"]], ids[row["target"]]))
        written.orbitals.append(edge_orbitals(row))
    written.edge_places = places
    return written


def _nodes_of(rows: list[tuple[int, Mapping[str, str]]], written: WrittenGraph) -> dict[str, int]:
    called = list(dict.fromkeys(row[end] for _, row in rows for end in ("source", "target")))
    if len(called) > MAX_NODES:
        raise ParseError(f"a graph of 1 to {MAX_NODES} nodes", len(called))
    numbered = numbers_if_all(called)
    if all(isinstance(one, int) for one in numbered):
        called.sort(key=int)
        numbered.sort()
    written.names = name_nodes(numbered)
    written.positions = [(0.0, 0.0, 0.0)] * len(called)
    written.attributes = [{}] * len(called)
    written.node_places = ["1"] * len(called)
    return {one: number for number, one in enumerate(called)}


def _read_nodes(written: WrittenGraph, path: Path | None) -> dict[str, int] | None:
    if path is None:
        return None
    name = f"{path.stem}.nodes.csv"
    if not is_there(path.with_name(name)):
        return None
    text = _NODES.read(path, name, {"path": name})
    try:
        rows = _read_rows(text, ("id",), "nodes: CSV with the column id")
        found: dict[str, int] = {}
        places: list[str] = []
        for line, row in rows:
            if found.setdefault(row["id"], len(found)) != len(places):
                raise ParseError("an id that no other node has", row["id"], line=line)
            places.append(str(line))
            written.attributes.append(row)
            written.positions.append(position_of(written, row, places[-1]))
    except ParseError as error:
        raise error.in_source(name) from None
    written.names = name_nodes(numbers_if_all(list(found)))
    written.node_places = places
    written.node_source = name
    return found


def _read_rows(text: str, needed: tuple[str, ...], what: str) -> list[tuple[int, Mapping[str, str]]]:
    """Return the rows of a table by the names of its columns, each with its line; empty lines are left out."""
    lines = text.removeprefix("\ufeff").splitlines()
    first = lines[0] if lines else ""
    reader = csv.reader(lines, delimiter=max(_DELIMITERS, key=first.count), strict=True, skipinitialspace=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if len(set(header)) < len(header) or any(name not in header for name in needed):
            raise ParseError(what, header, line=1)
        rows: list[tuple[int, Mapping[str, str]]] = []
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) > len(header):
                raise ParseError(f"at most {len(header)} columns, as in the first line", row, line=reader.line_num)
            cells = [cell.strip() for cell in row] + [""] * (len(header) - len(row))
            rows.append((reader.line_num, dict(zip(header, cells, strict=True))))
            for name in needed:
                if not rows[-1][1][name]:
                    raise ParseError(f"{name}: the id of a node, but it is empty", line=reader.line_num)
    except csv.Error as error:
        raise ParseError(f"{what} ({error})", line=reader.line_num) from None
    return rows
