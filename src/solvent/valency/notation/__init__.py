"""Every format of tasks and rule sets, to and from the model. Which one a text is in is told from the text itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from solvent.core.errors import BadOption, ParseError, unknown_name

if TYPE_CHECKING:
    from solvent.valency.model import Rules, Staging
    from solvent.valency.notation.graph_reading import Attributes, ReadGraph

__all__ = ["format_staging", "parse_file", "parse_graph", "parse_rules", "parse_staging", "sniff"]

_FIRST_KEY = re.compile(r'[\ufeff\s]*\{\s*"valency"\s*:')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"\s*:?|[{}\[\]]')
MOST_TOKENS_SNIFFED = 50_000
_RULE_SET_XML = re.compile(r"[\ufeff\s]*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<set[\s>]", re.DOTALL)


def sniff(text: str) -> bool:
    """Tell whether the text looks like a task in JSON, or like a rule set, which `parse_staging` then says."""
    return _is_task(text) or _is_rule_set_xml(text)


def parse_staging(text: str) -> Staging:
    """Read a task that is complete in one text."""
    return _parse(text, None)


def parse_file(text: str, path: Path) -> Staging:
    """Read a task that may name files beside its own."""
    return _parse(text, path)


def parse_rules(text: str, path: Path | None = None, *, subset: str | None = None) -> Rules:
    """Read a rule set: a task's rules, rules alone in JSON, or an XML rule set with pictures beside `path`."""
    if _is_rule_set_xml(text):
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
    if not _is_object(text):
        raise ParseError("a rule set: a JSON object, or XML that begins with <set>", text[:40])
    if subset is not None:
        raise ParseError("a subset of an XML rule set, since rules in JSON have none", subset)
    from solvent.valency.notation.staging_json import parse_rules_json

    return parse_rules_json(text, path)


def parse_graph(text: str, path: Path | None, rules: Rules, attributes: Attributes | None = None) -> ReadGraph:
    """Read a graph in node-link JSON, GraphML or CSV; orbitals that its edges name are those of the rules."""
    from solvent.valency.notation.graph_reading import parse_graph

    return parse_graph(text, path, rules, attributes)


def format_staging(problem: Staging, format: str) -> str:
    """Write a task in one of the formats."""
    if format not in _WRITERS:
        raise unknown_name("valency format", format, _WRITERS)
    return _WRITERS[format](problem)


def _write_json(problem: Staging) -> str:
    from solvent.valency.notation.staging_json_writing import format_json

    return format_json(problem)


_WRITERS: Mapping[str, Callable[[Staging], str]] = {"json": _write_json}


def _parse(text: str, path: Path | None) -> Staging:
    if _is_rule_set_xml(text):
        raise ParseError(
            "a task, but this is a rule set: make a task of it with `solvent generate valency FILE --grid 20x20`"
        )
    if not _is_object(text):
        raise ParseError('a task: a JSON object that begins with {"valency": 1', text[:40])
    from solvent.valency.notation.staging_json import parse_json

    return parse_json(text, path)


def _is_task(text: str) -> bool:
    """Tell whether a text is an object with the key "valency", even if it is broken further on."""
    if _FIRST_KEY.match(text):
        return True
    if not _is_object(text) or '"valency"' not in text:
        return False
    depth = 0
    for number, token in enumerate(_TOKEN.finditer(text)):
        word = token[0]
        if word in "{[":
            depth += 1
        elif word in "}]":
            depth -= 1
        elif depth == 1 and word.startswith('"valency"') and word.endswith(":"):
            return True
        if number > MOST_TOKENS_SNIFFED:
            return False
    return False


def _is_object(text: str) -> bool:
    return text[:1000].lstrip("\ufeff \t\r\n").startswith("{")


def _is_rule_set_xml(text: str) -> bool:
    """Tell whether a text is an XML rule set: tiles, and which of them may be neighbours."""
    start = text[:4000]
    return _RULE_SET_XML.match(start) is not None and "<tile" in text
