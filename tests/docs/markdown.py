"""Read the pages of the documentation: their code blocks and their links.

Three conventions make a page runnable:

- A block is saved as a file if its fence has a title, such as `title="rules.json"`, or its first line is a comment that
  is a file name, such as `# board.txt`.
- A `python` block is executed; one with `>>>` prompts is run as a doctest.
- A `console` block is a terminal transcript: `$ ` before a command, `> ` before its further lines, then what it writes.

In what is written, `...` stands for anything; seconds (`0.02 s`, and cells of tables such as `0.002`), moments
(`2026-03-01 12:00 UTC`), sizes (`110 bytes`, `1.2 MB`) and lengths of proofs (`in 40 steps`) need not agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r'^```(\w+)(?: title="([\w.-]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"# ([\w-]+\.\w+)\n")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_INLINE_CODE = re.compile(r"`[^`\n]*`")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    language: str
    text: str
    line: int
    """The line of the page its text begins on."""
    title: str | None = None

    @property
    def file_name(self) -> str | None:
        match = _FILE_NAME.match(self.text)
        return self.title or (match[1] if match else None)


@dataclass(frozen=True)
class Step:
    """One command of a terminal transcript and what it is said to write."""

    command: str
    output: str


def read_blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    return [
        Block(match[1], match[3], page.count("\n", 0, match.start()) + 2, match[2]) for match in _BLOCK.finditer(page)
    ]


def read_steps(transcript: str) -> list[Step]:
    """Return the commands of a terminal transcript; raises ValueError if it does not begin with one."""
    commands: list[list[str]] = []
    outputs: list[list[str]] = []
    for line in transcript.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:]])
            outputs.append([])
        elif not commands:
            raise ValueError(f"expected a transcript that begins with '$ ', found {line!r}")
        elif line.startswith("> ") and not outputs[-1]:
            commands[-1].append(line[2:])
        else:
            outputs[-1].append(line)
    return [
        Step("\n".join(command), "\n".join(output).strip("\n"))
        for command, output in zip(commands, outputs, strict=True)
    ]


def read_links(page: str) -> Iterator[str]:
    """Yield the targets of the links and pictures of a page, those inside code left out."""
    yield from _LINK.findall(_INLINE_CODE.sub("", _BLOCK.sub("", page)))


def read_anchors(page: str) -> set[str]:
    """Return what `#…` at the end of a link to this page may say."""
    headings = _HEADING.findall(_BLOCK.sub("", page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def all_pages(project: Path) -> list[Path]:
    """Return the README and every page of the documentation."""
    return [project / "README.md", *sorted((project / "docs").rglob("*.md"))]
