"""SARIF 2.1.0, which code scanning and editors read: a rule for each question, a result for each finding."""

from __future__ import annotations

from typing import IO, Any
from urllib.parse import quote

from solvent.batch.findings.entry import BUG, UNREADABLE, UNRECOGNISED, Entry
from solvent.batch.findings.writer import About
from solvent.batch.names import valid_text
from solvent.core.location import Location

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BEGINNING = f'{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"tool":{{"driver":{{"name":"Solvent",'
MAX_PLACES = 10
"""Of one result; the first is the one that is shown."""


class SarifWriter:
    """Write the rules at once, and the results as they come."""

    def __init__(self, file: IO[str], about: About) -> None:
        self._file = file
        self._about = about
        self._rules = rules()
        self._numbers = {rule["id"]: number for number, rule in enumerate(self._rules)}
        self._first = True
        driver = _json({"semanticVersion": about.version, "version": about.version, "rules": self._rules})
        file.write(f'{BEGINNING}{driver[1:]}}},"columnKind":"unicodeCodePoints","results":[\n')

    def add(self, entry: Entry) -> None:
        """Write a result, if there is something to say."""
        if not entry.is_finding:
            return
        self._file.write("" if self._first else ",\n")
        self._first = False
        result: dict[str, Any] = {
            "ruleId": entry.rule,
            "level": entry.level,
            "message": {"text": _message(entry)},
            "locations": [_location(entry, entry.locations[0] if entry.locations else None)],
            "partialFingerprints": {"solventFinding/v1": entry.fingerprint},
            "properties": {"status": entry.status, "seconds": round(entry.row.seconds, 6)},
        }
        if entry.rule in self._numbers:
            result["ruleIndex"] = self._numbers[entry.rule]
        if len(entry.locations) > 1:
            others = [_location(entry, place) for place in entry.locations[1:MAX_PLACES]]
            result["relatedLocations"] = [
                {**other, "id": number, "message": {"text": place.description}}
                for number, (other, place) in enumerate(zip(others, entry.locations[1:], strict=False), start=1)
            ]
        self._file.write(_json(result))

    def end(self) -> None:
        """Write how the run went."""
        invocation: dict[str, Any] = {"executionSuccessful": self._about.state == "finished"}
        if self._about.command:
            invocation["commandLine"] = valid_text(self._about.command)
        if self._about.exit_code is not None:
            invocation["exitCode"] = self._about.exit_code
        invocation["startTimeUtc"] = f"{self._about.timestamp}Z"
        self._file.write(f'\n],"invocations":[{_json(invocation)}]}}]}}\n')


def rules() -> list[dict[str, Any]]:
    """Return a rule for each question of each domain, and for what keeps a question from being asked."""
    from solvent.registry import all_domains

    made = [
        {
            "id": f"{domain.name}/{name}",
            "name": f"{domain.name.capitalize()}{name.capitalize()}",
            "shortDescription": {"text": question.text},
            "fullDescription": {"text": f"{question.text} Asked of {domain.name}: {domain.title}"},
            "help": {
                "text": f"{question.text} It should be {question.passing_verdict}. To see more of a file:"
                f" solvent solve FILE --ask {name}" + (", and solvent explain FILE." if domain.explain else ".")
            },
            "defaultConfiguration": {"level": "error"},
        }
        for domain in all_domains()
        for name, question in domain.questions.items()
    ]
    for rule, text, help_text in (
        (UNREADABLE, "A file that cannot be read.", "The message says what was expected, and where."),
        (
            UNRECOGNISED,
            "A file that should be a level or puzzle, and that no domain recognises.",
            "It was named, or its name ends like that of a level. Leave it out if it is something else.",
        ),
        (BUG, "A bug in Solvent.", "Please report it, with the file."),
    ):
        made.append(
            {
                "id": rule,
                "name": rule.capitalize(),
                "shortDescription": {"text": text},
                "help": {"text": help_text},
                "defaultConfiguration": {"level": "error"},
            }
        )
    return made


def _message(entry: Entry) -> str:
    lines = [f"{entry.name}: {entry.message}" if entry.row.line is not None else entry.message]
    lines += [f"Where: {entry.place}."] if entry.place else []
    return valid_text("\n".join([*lines, *entry.details]))


def _location(entry: Entry, place: Location | None) -> dict[str, Any]:
    line = entry.row.line or (None if place is None else place.line)
    region: dict[str, Any] = {"startLine": line or 1}  # code scanning shows nothing without a line
    if place is not None and place.column is not None and entry.row.line is None:
        region["startColumn"] = place.column
    if not entry.is_file:
        return {"logicalLocations": [{"name": valid_text(entry.name), "kind": "resource"}]}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": uri_of(entry.path)}, "region": region},
    }
    if place is not None and entry.row.instance is not None:
        name = f"{place.map}, {place.description}" if place.map else place.description
        logical: dict[str, Any] = {"name": valid_text(name), "kind": "object" if place.object else "tile"}
        if place.object:
            logical["fullyQualifiedName"] = valid_text(f"{place.map}/{place.object}" if place.map else place.object)
        if place.tile is not None:
            logical["properties"] = {"tile": list(place.tile)}
        location["logicalLocations"] = [logical]
    return location


def uri_of(path: str) -> str:
    """Return a path as a reference that web pages understand: relative where it is, percent-encoded."""
    quoted = quote(path.encode("utf-8", "surrogateescape"), safe="/~")
    return f"file://{quoted}" if path.startswith("/") else quoted


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
