"""Set up `.venv` for `make`: one line that counts the seconds, and the whole log if something fails.

Needs Python alone. Packages arrive while the kernels compile, which takes most of the time.

    python building/set_up.py            what running needs
    python building/set_up.py dev docs   and these extras
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENT = PROJECT / ".venv"
LOG = PROJECT / "build" / "set_up.log"
OLDEST = (3, 11)
POLL_SECONDS = 0.2
OWN_EXTRAS = re.compile(r"solvent\[(.+)\]")
"""How an extra names others of this project."""


class Failed(Exception):
    """Say that a step failed; the log says why."""


class ProgressLine:
    """Show what is being done and for how long, on one line that is written over; a pipe gets the last one alone."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._moves = sys.stdout.isatty()

    @property
    def seconds(self) -> int:
        """Return how long it has taken so far."""
        return round(time.monotonic() - self._began)

    def show(self, step: str) -> None:
        """Show what is being done."""
        if self._moves:
            self._write(f"\r\x1b[KSetting up: {step} … {self.seconds} s")

    def end(self, text: str) -> None:
        """Put the last words in its place."""
        self._write(("\r\x1b[K" if self._moves else "") + text + "\n")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def main(extras: Sequence[str]) -> int:
    """Set up, and return the exit code."""
    if sys.version_info < OLDEST:
        sys.stderr.write(f"Solvent needs Python {OLDEST[0]}.{OLDEST[1]} or newer, found {sys.version.split()[0]}\n")
        return 1
    line = ProgressLine()
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("w", encoding="utf-8") as log:
        try:
            _set_up(extras, line, log)
        except Failed as failure:
            line.end(f"Setting up failed after {line.seconds} s: {failure}. This is what it said:\n")
        else:
            line.end(f"Set up in {line.seconds} s.")
            return 0
    sys.stdout.write(LOG.read_text(encoding="utf-8"))
    return 1


def _set_up(extras: Sequence[str], line: ProgressLine, log: Any) -> None:
    import tomllib

    described = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    python = _environment(line)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    _run({"build tools": [*pip, *_build_tools(described)]}, line, log)
    _run(
        {
            # Modules are compiled when they are first used, which is a small part of them.
            "packages": [*pip, "--no-compile", *_requirements(described["project"], extras)],
            "kernels": [*pip, "--no-deps", "--no-build-isolation", "-e", str(PROJECT)],
        },
        line,
        log,
    )


def _environment(line: ProgressLine) -> Path:
    python = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        line.show("Python environment")
        venv.create(ENVIRONMENT, with_pip=True, symlinks=sys.platform != "win32")
    return python


def _build_tools(described: dict[str, Any]) -> list[str]:
    """Return what compiling the kernels needs, which the backend would say itself if it built in isolation."""
    sys.path.insert(0, str(PROJECT))
    from building.compiler import machine_has_compiler

    return [*described["build-system"]["requires"], *([] if machine_has_compiler() else ["ziglang>=0.13"])]


def _requirements(project: dict[str, Any], extras: Iterable[str]) -> list[str]:
    """Return what running needs, and these extras with those that they name."""
    needed = list(project["dependencies"])
    for extra in extras:
        for each in project["optional-dependencies"][extra]:
            others = OWN_EXTRAS.fullmatch(each)
            needed += [each] if others is None else _requirements(project, others[1].split(","))
    return list(dict.fromkeys(needed))


def _run(commands: dict[str, list[str]], line: ProgressLine, log: Any) -> None:
    """Run commands at the same time until all have ended, or one has failed."""
    running = {
        name: subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        for name, words in commands.items()
    }
    try:
        while running:
            line.show(" and ".join(running))
            time.sleep(POLL_SECONDS)
            for name, process in list(running.items()):
                if process.poll() is not None:
                    del running[name]
                    if process.returncode:
                        raise Failed(name)
    finally:
        for process in running.values():
            process.terminate()
            process.wait()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
