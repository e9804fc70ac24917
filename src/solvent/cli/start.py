"""Where the command starts. Imports nothing: `--version` and `--help` should cost no more than Python itself."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OVERVIEW = """\
Find out whether a puzzle or a game level can be solved, show how, and prove it.

Usage: solvent COMMAND [OPTIONS]

Ask
  solve FILE               Answer a question: YES or NO with proof, or UNKNOWN.
  check FILE CERTIFICATE   Verify a proof that was saved earlier.
  hint FILE                Show the next step, and why.
  explain FILE             Say what leads to what, and what would fix it.

Many at once
  validate PATH...         Ask about whole folders; go on where it was stopped.
  report STORE             Show what validate found as a web page; compare runs.

Make and show
  generate DOMAIN          Make a new instance from a seed.
  draw FILE                Draw an instance, and its solution, as SVG or text.
  convert FILE             Write an instance in another format.
  mapping PATH...          Write down what a project's own names mean.
  config [FILE]            Show a project's configuration, and what it sets.
  editor                   Check levels on save, in Tiled and LDtk.

Look around
  serve                    Open the workbench: play, solve and see in a browser.
  tour                     See it at work on one page. Start here.
  domains                  List the domains: questions, formats and options.
  examples                 List the bundled instances, or print one.
  completion SHELL         Have bash, zsh or fish complete what you type.
  audit TEST               Hunt for a solvable instance a pruning test rejects.

FILE may be - for standard input. The domain is detected; --as DOMAIN overrides.
'solvent COMMAND --help' tells more. Options of solvent itself:
  --version                Show the version.
  -h, --help               Show this text.

Examples
  solvent solve board.txt --seconds 10 --certificate proof.json
  solvent check board.txt proof.json
  solvent validate levels/ --strict
  solvent examples

Exit codes
  0  YES, or done       2  usage           30  bad input       130  Ctrl-C
 10  NO                20  UNKNOWN         31  certificate rejected
                                          32  not checked
"""


HELP = frozenset(("-h", "--help"))
COMPLETE = "_SOLVENT_COMPLETE"
"""What the script of `solvent completion` sets when a shell asks."""
CANCELLED = 130
"""The same as in `exits`, which is not imported before it is needed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, or those of the process, and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if arguments is None and COMPLETE in os.environ:
            from solvent.cli.completion import complete

            return complete(os.environ[COMPLETE])
        if not words or words[0] in HELP:
            return _tell(_overview())
        if words[0] == "help":  # as other programs have it
            if len(words) == 1:
                return _tell(_overview())
            words = [words[1], "--help"]
        if words[0] in ("--version", "version"):
            from solvent.version import __version__

            return _tell(f"solvent {__version__}\n")
        if arguments is None:
            gc.set_threshold(100_000)  # what is imported stays; looking through it again and again takes time
            # numpy's library starts a thread for each core, to multiply matrices, which is not done here
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            if words[0] == "validate" and not HELP.intersection(words):
                from solvent.batch.workers.starting import start_fork_server_ahead

                start_fork_server_ahead()
        from solvent.cli.group import run

        code = run(words)
    except KeyboardInterrupt:  # while modules were still being imported
        code = CANCELLED
    if arguments is None:
        if words[:1] == ["validate"]:
            from solvent.batch.workers.starting import end_fork_server_ahead

            end_fork_server_ahead()
        _leave(code)
    return code


def _overview() -> str:
    """Return the overview, wrapped where the terminal is narrower than it."""
    try:
        width = int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.__stdout__.fileno()).columns)  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # no terminal
        return OVERVIEW
    if width <= 0 or width >= max(map(len, OVERVIEW.splitlines())):
        return OVERVIEW
    from solvent.cli.narrow import narrow

    return narrow(OVERVIEW, max(20, width))


def _leave(code: int) -> None:
    """End the process at once where nothing can be lost: taking every module apart is a tenth of a small answer's cost.

    What others registered for the end is done first. Whoever measures or debugs, and threads that must finish, have
    Python end as usual, except after Ctrl-C: a person is waiting.
    """
    import atexit
    import contextlib
    import threading

    if code != CANCELLED:
        watched = sys.gettrace() is not None or sys.getprofile() is not None
        if watched or any(not each.daemon for each in threading.enumerate() if each is not threading.main_thread()):
            return
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # gone, and said so already, or closed
            stream.flush()
    os._exit(code)


def _tell(text: str) -> int:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        from solvent.cli.output import close_quietly

        return close_quietly(sys.exc_info()[1])
    return 0
