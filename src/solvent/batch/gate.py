"""Decide whether a run is a failure: the words of `--fail-on`, and what `--strict` stands for among them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from solvent.batch.settings import resolve_questions
from solvent.batch.summary import Summary
from solvent.core.errors import BadOption, ValidationFailed, show_value
from solvent.drawing.phrases import counted
from solvent.registry import get_domain

FAIL_ON = ("yes", "no", "fail", "unknown", "error", "unrecognised", "suspect", "nothing")
"""What may make a run a failure: an answer, a status, a file that no domain recognises, such a file that looks like an
instance, or no answer at all."""
STRICT = ("fail", "unknown", "error", "suspect", "nothing")
"""What a build should never let through. A file that nobody took for an instance may lie beside the others."""


def occurred(summary: Summary, words: Collection[str]) -> tuple[str, ...]:
    """Return those of the words that a run gave reason for, in the order of `FAIL_ON`."""
    found = {
        "yes": summary.verdicts("YES"),
        "no": summary.verdicts("NO"),
        "fail": summary.statuses("FAIL"),
        "unknown": summary.verdicts("UNKNOWN"),
        "error": summary.statuses("ERROR"),
        "unrecognised": summary.unrecognised,
        "suspect": summary.suspect,
        "nothing": not summary.answered,
    }
    return tuple(word for word in FAIL_ON if word in words and found[word])


def describe(summary: Summary, words: Sequence[str]) -> str:
    """Say in one sentence, without its full stop, what of a run these words are about."""
    sentences = {
        "yes": f"{counted(summary.verdicts('YES'), 'answer')} YES",
        "no": f"{counted(summary.verdicts('NO'), 'answer')} NO",
        "fail": f"{counted(summary.statuses('FAIL'), 'answer')} did not pass",
        "unknown": f"{counted(summary.verdicts('UNKNOWN'), 'answer')} UNKNOWN",
        "error": counted(summary.statuses("ERROR"), "error"),
        "unrecognised": f"{counted(summary.unrecognised, 'file')} not recognised",
        "suspect": _describe_suspects(summary),
        "nothing": _describe_nothing(summary),
    }
    left_out = {"unrecognised"} if "suspect" in words and summary.unrecognised == summary.suspect else set()
    return ", ".join(sentences[word] for word in words if word not in left_out)


def _describe_suspects(summary: Summary) -> str:
    more = f" and {counted(summary.suspect - 1, 'other file')}" if summary.suspect > 1 else ""
    return f"{summary.first_suspect}{more} not recognised as a level or puzzle"


def _describe_nothing(summary: Summary) -> str:
    if summary.not_asked:
        return "no question was asked"
    return "no level was found" if not summary.unreadable else "nothing was answered"


def require_asked(summary: Summary, questions: Collection[str]) -> None:
    """Raise BadOption if a question was named that no instance of a run has.

    Naming every question that there is stands for all that fit. A run without instances says nothing about questions.
    """
    if set(questions).issuperset(resolve_questions("all")):
        return
    found = [get_domain(name) for name in sorted(summary.domains)]
    for question in questions:
        if found and not any(question in domain.questions for domain in found):
            having = "; ".join(f"{domain.name} has: {', '.join(domain.questions)}" for domain in found)
            raise BadOption(f"no instance here has the question {show_value(question)}; {having}")


def require_passed(summary: Summary, words: Collection[str] = STRICT) -> None:
    """Raise ValidationFailed if a run gave reason for one of the words."""
    failed = occurred(summary, words)
    if failed:
        raise ValidationFailed(describe(summary, failed), failed)
