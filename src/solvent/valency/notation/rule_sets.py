"""Rule sets that are files of their own: in JSON, or in XML with pictures beside it."""

from __future__ import annotations

from pathlib import Path

from solvent.core.errors import BadOption, ParseError
from solvent.valency.formats import is_object, is_rule_set_xml
from solvent.valency.model import Rules


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
