"""The long tour: every domain on its bundled instances, with the commands to do it yourself."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvent.cli.answers import answer_line, say_board, say_explanation, say_rows, say_solution, say_wrapped
from solvent.cli.output import CannotUse, say, show
from solvent.cli.saving import save
from solvent.cli.tour.commands import show_command
from solvent.cli.waiting import watch
from solvent.core.answer import Answer, Certificate
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Drawing, Generator
from solvent.core.examples import Example
from solvent.core.options import resolve_options

if TYPE_CHECKING:
    from solvent.batch.summary import Summary

MAX_EXAMPLES = 3
SECONDS_A_QUESTION = 60.0
"""Far more than any example takes, but the first run also compiles kernels."""
BUDGET = Budget(seconds=SECONDS_A_QUESTION)
SEED = 7


def show_domains(domains: Sequence[Domain[Any]], *, fast: bool) -> None:
    """Show each domain at work, then many instances at once; `fast` shows one instance of each."""
    say_wrapped(
        "Solvent answers questions about puzzles and game levels with YES, NO or UNKNOWN. YES and NO come with a "
        "certificate that a separate checker has accepted. Lines that begin with $ are commands you can run.",
        rest="",
    )
    for domain in domains:
        _show_domain(domain, most_examples=1 if fast else MAX_EXAMPLES)
    for domain in domains[:1]:  # one is enough, and quick
        _show_many(domain)
    _show_ways_on()


def _show_domain(domain: Domain[Any], *, most_examples: int) -> None:
    _heading(domain.name)
    say_wrapped(domain.title, rest="")
    chosen = _choose(domain, most_examples)
    for number, example in enumerate(chosen):
        _show_example(domain, example, with_files=number == 0)
    if chosen and domain.hints is not None:
        _show_hint(domain, chosen[0])
    if domain.generator is not None:
        _show_generator(domain, domain.generator)


def _choose(domain: Domain[Any], most: int) -> list[Example]:
    """Take the first example of each combination of verdicts, so that a NO is seen as well as a YES, then the last."""
    examples = domain.examples()
    chosen: dict[tuple[str, ...], Example] = {}
    for example in examples:
        chosen.setdefault(tuple(str(verdict) for verdict in example.expected.values()), example)
    picked = {example.name: example for example in (*chosen.values(), *examples[-1:])}
    return list(picked.values())[:most]


def _show_example(domain: Domain[Any], example: Example, *, with_files: bool) -> None:
    say()
    say_wrapped(f"{example.name}: {example.title}")
    say()
    from solvent import asking

    problem = domain.parse(example.text)
    shown = say_board(problem)

    def ask(question: str) -> Answer:
        return watch(lambda budget, listen: asking.ask(problem, question, budget=budget, listen=listen), BUDGET)

    for number, question in enumerate(domain.questions):
        say()
        say_wrapped(domain.questions[question].text, rest="")
        answer = ask(question)
        say(answer_line(answer))
        say_explanation(problem, answer, most_lines=2)
        if number == len(domain.questions) - 1:  # once is enough: the answers to all questions show the same solution
            say_solution(problem, answer, shown=shown)
        if answer.certificate is not None:
            _show_certificate(problem, answer.certificate)
        option = f" --ask {question}" if number else ""
        show_command(f"{_printing(domain, example)} | solvent solve -{option}")
    if with_files:
        say()
        say_wrapped("The same with files, keeping the certificate for later:")
        show_command(f"{_printing(domain, example)} > example.txt")
        show_command("solvent solve example.txt --certificate proof.json")
        show_command("solvent check example.txt proof.json")


def _show_certificate(problem: Any, certificate: Certificate) -> None:
    """Save the certificate, read it back and check what was read, as another machine would."""
    from solvent import asking
    from solvent.proof.certificate import load_certificate

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        size = save(certificate, str(path))
        again = load_certificate(path)
    watch(lambda _budget, _listen: asking.check(problem, again))
    say_wrapped(f"Certificate: {certificate['form']}, {size:,} bytes; saved, read back, accepted again.")


def _show_hint(domain: Domain[Any], example: Example) -> None:
    from solvent import asking

    problem = domain.parse(example.text)

    hint = watch(lambda budget, listen: next(asking.hints(problem, budget=budget, listen=listen), None), BUDGET)
    say()
    say(f"A hint for {example.name}:")
    if hint is None:
        say("  none found in time")
    else:
        for sentence in (hint.where, hint.caption):
            if sentence:
                say_wrapped(sentence, first="  ")
        if hint.narrative and not hint.technique:  # else the caption has said it
            say_wrapped(hint.narrative, first="  ")
    show_command(f"{_printing(domain, example)} | solvent hint -")


def _show_generator(domain: Domain[Any], generator: Generator[Any]) -> None:
    options = resolve_options(generator.options, {})
    made = watch(lambda budget, listen: generator.make(options, SEED, listen, budget.start()))
    say()
    say_wrapped(f"A new one, made from seed {SEED}; the same seed makes the same one anywhere:", rest="")
    say()
    say_board(made, Drawing())
    show_command(f"solvent generate {domain.name} --seed {SEED}")
    show_command(f"solvent generate {domain.name} --seed {SEED} | solvent draw - -o picture.svg")


def _show_many(domain: Domain[Any]) -> None:
    """Ask about all examples of a domain as one would about a folder."""
    from solvent.cli.validate.table import say_sums
    from solvent.drawing.phrases import counted

    examples = domain.examples()
    _heading("many at once")
    say_wrapped(
        "Whole folders are asked about on all cores. What hangs or crashes is ended, the rest goes on, and every "
        f"answer is kept with its proof. Here are {counted(len(examples), 'instance')} of {domain.name}; PASS is the "
        "verdict that a designer hopes for.",
        rest="",
    )
    say()
    say_sums(_validate(domain, examples))
    say("With files of your own, or these:")
    show_command("mkdir -p many")
    for example in examples[:2]:
        show_command(f"{_printing(domain, example)} > many/{shlex.quote(example.name)}.txt")
    show_command("solvent validate many/")
    show_command("solvent report results/validation.db -o report.html")
    show_command("solvent check --store results/validation.db")


def _validate(domain: Domain[Any], examples: Sequence[Example]) -> Summary:
    from solvent.batch.library import open_run
    from solvent.batch.records import Source
    from solvent.batch.settings import Limits, RunOptions, Settings
    from solvent.batch.summary import Summary
    from solvent.batch.workers.jobs import CannotStart
    from solvent.cli.validate.progress import ProgressLines, wants_progress

    settings = Settings(limits=Limits(SECONDS_A_QUESTION))
    sources = [Source(at, each.name, text=each.text, domain=domain.name) for at, each in enumerate(examples)]
    summary = Summary()
    lines = ProgressLines(shown=wants_progress())
    try:
        with open_run(sources, settings, RunOptions(total=len(sources), listen=lines.listen)) as run, run, lines:
            for validated in run:
                summary.add(validated)
    except CannotStart as error:
        raise CannotUse(error) from None
    return summary


def _printing(domain: Domain[Any], example: Example) -> str:
    return f"solvent examples {domain.name} {shlex.quote(example.name)}"


def _heading(title: str) -> None:
    from rich.rule import Rule

    say()
    show(Rule(title, align="left", style="dim"))


def _show_ways_on() -> None:
    _heading("where to go next")
    say_rows(
        (
            ("solvent serve", "all of it on a page in your browser, to play and to see"),
            ("solvent examples", "more instances to try"),
            ("solvent domains", "every question, format and option"),
            ("solvent --help", "every command, and the exit codes"),
            ("docs/reference/", "each command with an example, in the project's folder"),
        ),
        margin=2,
        widest=24,
    )
