"""The second checker as one JavaScript file: what all domains share, each domain's own part, and a command for Node.

The parts are the files that the page loads. They import nothing but each other, by one line for each file, and each
ends with the one line that says what it exports, so putting them together takes no tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from solvent.core.domain import SECOND_CHECKER, workbench_folder
from solvent.registry import all_domains

STATIC = Path(__file__).resolve().parent / "static"
FILE_NAME = "solvent-check.mjs"
"""What the file is called; the ending tells Node that it is an ES module."""
IMPORT = re.compile(r'^import \{ [\w, ]+ \} from "(\./[\w/]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export \{ [\w, ]+ \};$", re.MULTILINE)
HEAD = """\
// Check certificates of Solvent without Solvent: node solvent-check.mjs FILE CERTIFICATE, or import {{ check }} of it.
// Put together from {parts}.
"""
TAIL = """\
// Check a certificate, given as data, about an instance in Solvent's own text format.
export function check(text, certificate) {
  return checkWith(CHECKERS, text, certificate);
}

// Check a certificate, given as JSON text.
export function checkText(text, json) {
  try {
    return check(text, readCertificate(json));
  } catch (error) {
    return { verdict: "bad input", violations: [], why: error.message };
  }
}
"""


def second_checkers() -> dict[str, Path]:
    """Return the file of each domain that has a second checker, by the domain's name."""
    files = {
        domain.name: workbench_folder(domain.page) / SECOND_CHECKER
        for domain in all_domains()
        if domain.page is not None
    }
    return {name: path for name, path in files.items() if path.is_file()}


def one_file() -> str:
    """Return the text of the one file."""
    return "\n".join(_parts())


def _parts() -> Iterator[str]:
    checkers = second_checkers()
    yield HEAD.format(parts=f"what all domains share and {', '.join(checkers)}")
    yield _without_imports(STATIC / "second_checker.js")
    yield "const CHECKERS = {};\n"
    for name, path in checkers.items():
        parts = "\n".join(_without_imports(part) for part in part_files(path))
        yield f'CHECKERS["{name}"] = (() => {{\n{parts}\nreturn check;\n}})();\n'
    yield TAIL
    yield (STATIC / "second_checker_command.js").read_text(encoding="utf-8")


def part_files(path: Path) -> list[Path]:
    """Return the files that a domain's checker consists of, each once and behind those that it imports."""
    found: dict[Path, None] = {}
    begun: set[Path] = set()

    def add(part: Path) -> None:
        if part in begun:
            return
        begun.add(part)
        for imported in IMPORT.findall(part.read_text(encoding="utf-8")):
            add((part.parent / imported).resolve())
        found[part] = None

    add(path)
    return list(found)


def _without_imports(path: Path) -> str:
    text = IMPORT.sub("", path.read_text(encoding="utf-8"))
    exported = EXPORT.findall(text)
    if len(exported) != 1 or not text.endswith(f"{exported[0]}\n"):
        raise ValueError(f"{path.name} must end with the one line that says what it exports")
    return EXPORT.sub("", text).strip("\n") + "\n"
