"""Every format of tasks and rule sets, to and from the model. Which one a text is in is told from the text itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from solvent.core.errors import BadOption, ParseError, unknown_name
from solvent.valency.detection import is_object, is_rule_set_xml, sniff

if TYPE_CHECKING:
    from solvent.valency.model import Rules, Staging
    from solvent.valency.notation.graphs.reading import Attributes, ReadGraph

__all__ = ["format_staging", "parse_file", "parse_graph", "parse_rules", "parse_staging", "sniff"]


def parse_staging(text: str) -> Staging:
    """Read a task that is complete in one text."""
    return _parse(text, None)


def parse_file(text: str, path: str | os.PathLike[str]) -> Staging:
    """Read a task that may name files beside its own."""
    return _parse(text, Path(path))


def parse_rules(text: str, path: Path | None = None, *, subset: str | None = None) -> Rules:
    """Read a rule set: a task's rules, rules alone in JSON, or an XML rule set with pictures beside `path`."""
    if is_rule_set_xml(text):
        from solvent.valency.notation.pictures import beside
        from solvent.valency.notation.tileset_xml import parse_tileset

        try:
            return parse_tileset(
                text,
                subset=subset,
                read_beside=None if path is None else beside(path),
                name="" if path is None else path.stem,
            )
        except BadOption as error:
            raise ParseError(f"a subset that the rule set has ({error})", subset) from None
    if not is_object(text):
        raise ParseError("a rule set: a JSON object, or XML that begins with <set>", text[:40])
    if subset is not None:
        raise ParseError("a subset of an XML rule set, since rules in JSON have none", subset)
    from solvent.valency.notation.task_json.reading import parse_rules_json

    return parse_rules_json(text, path)


def parse_graph(text: str, path: Path | None, rules: Rules, attributes: Attributes | None = None) -> ReadGraph:
    """Read a graph in node-link JSON, GraphML or CSV; orbitals that its edges name are those of the rules."""
    from solvent.valency.notation.graphs.reading import parse_graph

    return parse_graph(text, path, rules, attributes)


def format_staging(problem: Staging, format: str) -> str:
    """Write a task in one of the formats."""
    if format not in _WRITERS:
        raise unknown_name("valency format", format, _WRITERS)
    return _WRITERS[format](problem)


def _write_json(problem: Staging) -> str:
    from solvent.valency.notation.task_json.writing import format_json

    return format_json(problem)


_WRITERS: Mapping[str, Callable[[Staging], str]] = {"json": _write_json}


def _parse(text: str, path: Path | None) -> Staging:
    if is_rule_set_xml(text):
        raise ParseError(
            "a task, but this is a rule set: make a task of it with `solvent generate valency FILE --grid 20x20`"
        )
    if not is_object(text):
        raise ParseError('a task: a JSON object that begins with {"valency": 1', text[:40])
    from solvent.valency.notation.task_json.reading import parse_json

    return parse_json(text, path)
