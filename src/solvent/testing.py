"""Assertions about levels, for pytest, unittest or any other way to run tests.

    from solvent.testing import assert_solvable

    assert_solvable("levels/first_door.txt")

What fails is an `AssertionError` that says the verdict, why, and where. UNKNOWN is no answer, so it fails as well, and
says that it is unknown; `unknown="skip"` skips the test instead. A file that cannot be read raises `ParseError`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from solvent.core.errors import BadOption, show_value, unknown_name

if TYPE_CHECKING:
    from solvent.core.answer import Answer, Verdict
    from solvent.core.domain import Domain

Unknown = Literal["fail", "skip"]
DEFAULT_SECONDS = 60.0
"""So that tests end, whatever is in the levels."""
MAX_BOARD_LINES = 30
MAX_REASON_LINES = 8


class LevelFailed(AssertionError):
    """Say which verdict a level has instead of the expected one, with the reason, the place and the board."""


@dataclass(frozen=True, slots=True)
class Level:
    """Hold the file of a level and how to read and solve it, as a configuration says it. Can be opened as a path."""

    path: str
    name: str = ""
    """What people call it; empty for the path."""
    mapping: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of its domain's solver."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """`seconds`, `nodes`, `megabytes`."""

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.name or self.path

    def load(self) -> Any:
        """Read the instance, or raise ParseError."""
        from solvent.reading import change_rules, read_problem

        return change_rules(read_problem(self.path, mapping=self.mapping), self.rules)


def assert_solvable(level: Any, *, unknown: Unknown = "fail", **given: Any) -> Answer:
    """Assert that a level can be solved, and return the answer with its plan.

    A level is a path, or what `solvent.load` returned. `given` are limits (`seconds`, `nodes`, `megabytes`) and options
    of the domain's solver, as `solvent.ask` takes them.
    """
    __tracebackhide__ = True
    from solvent.core.answer import Verdict

    return assert_verdict(level, "solvable", Verdict.YES, unknown=unknown, **given)


def assert_passes(level: Any, question: str | None = None, *, unknown: Unknown = "fail", **given: Any) -> Answer:
    """Assert that a level has the verdict its designer hopes for, and return the answer.

    That is YES to `solvable` and NO to `losable`, for example. Without a question, the first of its domain is asked.
    """
    __tracebackhide__ = True
    return assert_verdict(level, question, None, unknown=unknown, **given)


def assert_verdict(
    level: Any, question: str | None, verdict: Verdict | str | None, *, unknown: Unknown = "fail", **given: Any
) -> Answer:
    """Assert that a question about a level has this verdict, such as `"NO"`; None stands for the one that passes."""
    __tracebackhide__ = True
    from solvent.core.answer import Verdict
    from solvent.registry import domain_of

    if unknown not in ("fail", "skip"):
        raise BadOption(f'unknown: expected "fail" or "skip", found {show_value(unknown)}')
    name, problem, given = _resolve(level, given)
    owner = domain_of(problem)
    asked = owner.first_question if question is None else question
    if asked not in owner.questions:
        raise unknown_name(f"{owner.name} question", asked, owner.questions)
    expected = owner.questions[asked].passing_verdict if verdict is None else Verdict(str(verdict))
    answer = _ask(problem, asked, given)
    if answer.verdict is expected:
        return answer
    message = describe_failure(problem, answer, name=name, expected=str(expected))
    if answer.verdict is Verdict.UNKNOWN and unknown == "skip":
        from unittest import SkipTest

        raise SkipTest(message.partition("\n")[0])
    raise LevelFailed(message)


def describe_failure(problem: Any, answer: Answer, *, name: str, expected: str) -> str:
    """Say what a level's verdict is, why, where, how it looks, and which command shows more."""
    from solvent.core.answer import Verdict
    from solvent.core.domain import Drawing
    from solvent.registry import domain_of

    owner = domain_of(problem)
    told = str(answer.verdict)
    if answer.verdict is Verdict.UNKNOWN:
        told += f" ({answer.reason})" if answer.reason is not None else ""
    lines = [f"{name or owner.name}: {answer.question}: {told}, expected {expected}"]
    if answer.because:
        lines.append(f"Because: {answer.because}")
    elif owner.describe is not None and answer.certificate is not None:
        described = owner.describe(problem, answer.certificate)
        lines += [*described[:MAX_REASON_LINES], *(["…"] if len(described) > MAX_REASON_LINES else [])]
    lines += [f"Where: {_place(where)}" for where in owner.locate(problem, answer)[:3]]
    board = owner.draw_text(problem, Drawing(brief=True)).rstrip("\n").split("\n")
    lines += ["", *board[:MAX_BOARD_LINES], *(["…"] if len(board) > MAX_BOARD_LINES else [])]
    if name:
        lines += ["", *_commands(owner, answer, name)]
    return "\n".join(lines)


def _commands(owner: Domain[Any], answer: Answer, name: str) -> Sequence[str]:
    file = shlex.quote(name)
    more = f"solvent explain {file}" if owner.explain is not None else f"solvent solve {file} -v"
    return [f"To see the answer: solvent solve {file} --ask {answer.question}", f"To see more:       {more}"]


def _place(where: Any) -> str:
    if where.line is None:
        return str(where.description)
    column = "" if where.column is None else f", column {where.column}"
    return f"{where.description} (line {where.line}{column} of the file)"


def _resolve(level: Any, given: Mapping[str, Any]) -> tuple[str, Any, dict[str, Any]]:
    """Return the name of a level, the instance itself, and how to ask about it."""
    if isinstance(level, Level):
        return str(level), level.load(), {"seconds": DEFAULT_SECONDS, **level.limits, **level.options, **given}
    if isinstance(level, str | os.PathLike):
        path = os.fspath(level)
        return path, Level(path).load(), {"seconds": DEFAULT_SECONDS, **given}
    return "", level, {"seconds": DEFAULT_SECONDS, **given}


def _ask(problem: Any, question: str, given: Mapping[str, Any]) -> Answer:
    from solvent import asking

    options = dict(given)
    limits = {name: options.pop(name) for name in ("seconds", "nodes", "megabytes") if name in options}
    if "nodes" in limits and "seconds" not in given:
        limits.pop("seconds", None)
    return asking.ask(problem, question, budget=asking.limits(**limits), **options)
