"""Corpora for the fault tests, and a hostile domain that keeps a log of what is solved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from batch.hostile import install

LOG = "SOLVENT_FAULTS_LOG"
"""The variable of the environment that names the log."""
LOGGING = """

from msgspec import structs

# Added for the fault tests: whoever solves says so. A kill may leave half a line, since a write can end where a page of
# the file does. So each begins anew, and ends with a point.
def _note(word, problem, question):
    if problem.label and os.environ.get("SOLVENT_FAULTS_LOG"):
        log = os.open(os.environ["SOLVENT_FAULTS_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(log, f"\\n{word} {os.getpid()} {question} {problem.label} .\\n".encode())
        os.close(log)


def _solve_and_note(problem, request):
    _note("began", problem, request.question)
    finding = HOSTILE.solve(problem, request)
    _note("ended", problem, request.question)
    return finding


DOMAIN = structs.replace(DOMAIN, solve=_solve_and_note)
"""
LITTLE_PATIENCE = "import solvent.batch.run as run; run.SECONDS_TO_LOAD = 2.0\n"
"""What Python runs when it starts: whoever cannot be ended from inside is ended after seconds, not half a minute."""


@dataclass(frozen=True)
class Line:
    """One line of the log."""

    word: str
    process: int
    question: str
    label: str


def install_with_log(folder: Path, *, little_patience: bool = False) -> dict[str, str]:
    """Install the hostile domain with its log; return the environment in which the command knows it."""
    environment = install(folder)
    with (folder / "site" / "hostile_domain.py").open("a", encoding="utf-8") as file:
        file.write(LOGGING)
    if little_patience:
        (folder / "site" / "sitecustomize.py").write_text(LITTLE_PATIENCE)
    return {**environment, LOG: str(folder / "solved.log")}


def read_log(folder: Path, since: int = 0) -> list[Line]:
    """Return the lines of the log that are whole, but for the first so many."""
    try:
        words = map(str.split, (folder / "solved.log").read_text().splitlines())
    except FileNotFoundError:
        return []
    whole = [each[:-1] for each in words if each and each[-1] == "."]
    return [Line(word, int(process), question, label) for word, process, question, label in whole[since:]]


def times_begun(lines: Iterable[Line]) -> Counter[tuple[str, str]]:
    """Count by label and question how often solving began."""
    return Counter((line.label, line.question) for line in lines if line.word == "began")


def write_files(folder: Path, texts: Sequence[str]) -> Path:
    """Write one file for each text, numbered."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        (folder / f"{number:04}.txt").write_text(f"{text}\n")
    return folder


def write_lines(path: Path, texts: Sequence[str]) -> Path:
    """Write all texts as lines of JSON."""
    path.write_text("".join(f"{json.dumps(text)}\n" for text in texts))
    return path


def labelled(behaviour: str, count: int) -> list[str]:
    """Return that many instances of one behaviour; their labels are its name and a number."""
    return [f"HOSTILE {behaviour} #{behaviour.partition(' ')[0]}{number}" for number in range(count)]
