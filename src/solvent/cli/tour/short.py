"""The short tour: the examples that ask for a place in it, each with what was asked, the answer, and the reason.

Nothing here knows what they are: an example's `TourStop` names its questions, and a domain draws, describes and
explains what it found.
"""

from __future__ import annotations

import itertools
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from solvent.cli.answers import plan_lines, say_wrapped
from solvent.cli.output import columns, render, say, show, wants_colour
from solvent.cli.tour.commands import show_command
from solvent.cli.waiting import watch
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Drawing
from solvent.core.examples import Example, TourStop

BUDGET = Budget(seconds=60.0)
"""For one answer: far more than any takes, uncompiled kernels included."""
GAP = 3
"""Columns between two blocks side by side."""
LEAST_WORDS = 30
"""Columns that words need beside a picture."""
MAX_STEPS = 3
"""Lines of a plan that are shown."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Hold a picture and the words that belong to it."""

    picture: list[str]
    question: Text
    """With its answer."""
    reason: list[str]
    """Lines about the answer, each of which is wrapped where it stands."""

    @property
    def width(self) -> int:
        """Return how many columns the picture takes."""
        return max(map(_width, self.picture), default=0)


def show_short_tour() -> None:
    """Show every stop in its order."""
    say_wrapped("Solvent: can it be solved, how, or why not? Each answer is proved and checked.", rest="")
    for domain, example, stop in _stops():
        say()
        _show_stop(domain, example, stop)


def _stops() -> list[tuple[Domain[Any], Example, TourStop]]:
    from solvent.registry import all_domains

    found = [
        (domain, example, example.tour)
        for domain in all_domains()
        for example in domain.examples()
        if example.tour is not None
    ]
    return sorted(found, key=lambda each: each[2].place)


def _show_stop(domain: Domain[Any], example: Example, stop: TourStop) -> None:
    problem, printing = _take(domain, example, stop)
    answers = [(question, _ask(problem, question)) for question in stop.questions]
    fails = any(answer.verdict is not domain.questions[question].passing_verdict for question, answer in answers)
    verb = "explain" if fails and domain.explain is not None else "solve"
    show(Text(f"{domain.name} · {stop.title or example.title}", style="bold underline"))
    for line in _lay_out([_block(domain, problem, question, answer) for question, answer in answers]):
        say(line)
    show_command(f"{printing} | solvent {verb} -")


def _take(domain: Domain[Any], example: Example, stop: TourStop) -> tuple[Any, str]:
    """Return the instance of a stop, and the command that prints it."""
    if not stop.make or domain.generator is None:
        return domain.parse(example.text), f"solvent examples {domain.name} {shlex.quote(example.name)}"
    from solvent import asking

    source = {} if domain.generator.source is None else {domain.generator.source: example.name}
    options: dict[str, Any] = {**source, **stop.make}
    made, _ = watch(
        lambda budget, listen: asking.generate(domain.name, seed=stop.seed, budget=budget, listen=listen, **options),
        BUDGET,
    )
    named = "".join(f" --{option.replace('_', '-')} {value}" for option, value in stop.make.items())
    return made, " ".join(("solvent generate", domain.name, *source.values())) + f"{named} --seed {stop.seed}"


def _ask(problem: Any, question: str) -> Answer:
    from solvent import asking

    return watch(lambda budget, listen: asking.ask(problem, question, budget=budget, listen=listen), BUDGET)


def _block(domain: Domain[Any], problem: Any, question: str, answer: Answer) -> _Block:
    drawing = Drawing(certificate=answer.certificate, colour=wants_colour(), brief=True, bare=True)
    asked = domain.questions[question]
    passes = answer.verdict is asked.passing_verdict
    return _Block(
        domain.draw_text(problem, drawing).rstrip("\n").split("\n"),
        Text.assemble(
            (asked.text.partition(" (")[0], "bold"),  # what else a question says can be read later
            " ",
            (str(answer.verdict), "bold green" if passes else "bold red"),
            ".",
        ),
        list(_reason(domain, problem, answer, passes=passes)),
    )


def _reason(domain: Domain[Any], problem: Any, answer: Answer, *, passes: bool) -> Iterator[str]:
    """Yield the plan of an instance that passes; else why it does not, and what would fix it."""
    if not passes and domain.explain is not None and answer.verdict is not Verdict.UNKNOWN:
        from solvent import asking

        explanation = watch(lambda budget, listen: asking.explain(problem, budget=budget, listen=listen), BUDGET)
        if explanation.why:
            yield explanation.why[0]
            yield from (f"Fix: {fix}" for fix in explanation.fixes[:1])
            return
    if answer.because:
        yield answer.because
    elif domain.describe is not None and answer.certificate is not None:
        first, *more = domain.describe(problem, answer.certificate)
        yield first
        yield from itertools.islice(itertools.takewhile(lambda line: line.startswith(" "), more), MAX_STEPS)
    else:
        yield from plan_lines(answer, columns() // 2 - GAP)[: MAX_STEPS + 1]


def _lay_out(blocks: Sequence[_Block]) -> Iterator[str]:
    """Yield the lines: several blocks side by side, words beside the one picture, or all of it one below the other."""
    room = (columns() - GAP * (len(blocks) - 1)) // len(blocks)
    if len(blocks) > 1 and room >= LEAST_WORDS and all(block.width <= room for block in blocks):
        yield from _beside([[*block.picture, *_wrap(block, room)] for block in blocks], room)
    elif len(blocks) == 1 and columns() - blocks[0].width - GAP >= LEAST_WORDS:
        [block] = blocks
        yield from _beside([block.picture, _wrap(block, columns() - block.width - GAP)], block.width)
    else:
        for block in blocks:
            yield from (*block.picture, *_wrap(block, columns()))


def _wrap(block: _Block, width: int) -> list[str]:
    """Return the words as lines of this width; what goes on is indented."""
    lines = render(block.question, width=width)
    reason = block.reason
    if len(reason) == 1 and _width(lines[-1]) + 1 + len(reason[0]) <= width:
        return [*lines[:-1], f"{lines[-1]} {reason[0]}"]
    for text in reason:
        indent = text[: len(text) - len(text.lstrip())]
        lines += textwrap.wrap(text.strip(), width, initial_indent=indent, subsequent_indent=indent + "  ")
    return lines


def _beside(parts: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Join texts line by line; each but the last takes this many columns."""
    for cells in itertools.zip_longest(*parts, fillvalue=""):
        padded = (cell + " " * (width - _width(cell)) for cell in cells[:-1])
        yield (" " * GAP).join([*padded, cells[-1]]).rstrip()


def _width(text: str) -> int:
    """Return how many columns a text takes on a terminal, whatever its colours."""
    return Text.from_ansi(text).cell_len
