"""The exit code of a run, and the line on standard error that says why it is not 0, or that it might well not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from solvent.cli import exits
from solvent.core.errors import BadOption

if TYPE_CHECKING:
    from solvent.batch.summary import Summary

BUG = 1
CODES = {"yes": exits.NO, "no": exits.NO, "fail": exits.NO, "unknown": exits.UNKNOWN}
"""What a word of `--fail-on` exits with; every other with that for bad input. The lowest counts."""
ALWAYS_WARNED = ("nothing",)
"""What is said also where other words were chosen: a run without any answer passes whatever it should find."""


class Judgement(NamedTuple):
    """Hold what a run exits with, and why."""

    code: int
    message: str = ""
    """What to say on standard error; empty if nothing."""
    failed: tuple[str, ...] = ()
    """The words that decided it, of `--fail-on` or `--strict`."""

    def as_json(self) -> dict[str, Any]:
        """Return it as the JSON object of a run has it."""
        return {"exit_code": self.code, "failed_on": list(self.failed), "warning": self.message or None}


def judge(summary: Summary, words: frozenset[str], *, questions: Sequence[str] = ()) -> Judgement:
    """Decide what a run exits with that came to its end, and say why it is not 0, or that with --strict it were not."""
    from solvent.batch.gate import STRICT, describe, occurred, require_asked

    if summary.bugs:
        return Judgement(BUG)
    try:
        require_asked(summary, questions)
    except BadOption as error:
        return Judgement(exits.USAGE, str(error))
    failed = occurred(summary, words)
    if failed:
        return Judgement(code_of(failed), f"failed: {describe(summary, failed)}", failed)
    let_through = occurred(summary, ALWAYS_WARNED if words else STRICT)
    if not let_through:
        return Judgement(exits.DONE)
    found = describe(summary, let_through)
    return Judgement(exits.DONE, f"warning: {found}; --strict would exit with {code_of(let_through)}")


def code_of(words: Sequence[str]) -> int:
    """Return what a run exits with that failed on these words."""
    return min((CODES.get(word, exits.BAD_INPUT) for word in words), default=exits.DONE)
