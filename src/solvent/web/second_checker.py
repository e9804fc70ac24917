"""The second checker as one JavaScript file: what all domains share, each domain's own part, and a command for Node.

The parts are the files that the page loads. None of them imports anything, and each ends with the one line that says
what it exports, so putting them together takes no tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from solvent.core.domain import SECOND_CHECKER, workbench_folder
from solvent.registry import all_domains

STATIC = Path(__file__).resolve().parent / "static"
FILE_NAME = "solvent-check.mjs"
"""What the file is called; the ending tells Node that it is an ES module."""
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
    yield _without_export(STATIC / "second_checker.js", "export { checkWith, readCertificate };", "")
    yield "const CHECKERS = {};\n"
    for name, path in checkers.items():
        yield f'CHECKERS["{name}"] = (() => {{\n{_without_export(path, "export { check };", "return check;")}}})();\n'
    yield TAIL
    yield (STATIC / "second_checker_command.js").read_text(encoding="utf-8")


def _without_export(path: Path, line: str, instead: str) -> str:
    text = path.read_text(encoding="utf-8")
    if text.count(line) != 1 or not text.endswith(f"{line}\n"):
        raise ValueError(f"{path.name} must end with {line!r}, once")
    return text.replace(line, instead)
