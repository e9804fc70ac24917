"""The options of `solvent validate`: limits, where results go, and when the run counts as a failure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solvent.cli.domain_options import DomainCommand
from solvent.core.errors import BadOption, unknown_name

if TYPE_CHECKING:
    from solvent.core.domain import Domain

Function = TypeVar("Function", bound=Callable[..., Any])

DEFAULT_STORE = "results/validation.db"
OPTIONAL_FILES = {"--csv": (".csv",), "--jsonl": (".jsonl", ".ndjson")}
"""Options that may stand alone, and how a word must end to be their value; any other word after them is a PATH."""
WORDS_GIVEN = "solvent.cli.validate"
"""Under which the context keeps the words of the command as they were given."""
FAIL_ON = ("yes", "no", "fail", "unknown", "error", "unrecognised", "nothing")
"""What may make a run a failure: an answer, a status, a file that no domain recognises, or no answer at all."""


class ValidateCommand(DomainCommand):
    """A command two of whose options may stand alone."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words as they were given, and resolve which of them are values of options."""
        ctx.meta[WORDS_GIVEN] = list(args)
        return super().parse_args(ctx, settle_optional_files(args))


def settle_optional_files(args: Sequence[str]) -> list[str]:
    """Give `--csv` and `--jsonl` the next word if it ends like such a file, and an empty value otherwise."""
    settled: list[str] = []
    words = deque(args)
    while words:
        word = words.popleft()
        if word == "--":
            return [*settled, word, *words]
        endings = OPTIONAL_FILES.get(word)
        if endings is None:
            settled.append(word)
        elif words and words[0].lower().endswith(endings) and not words[0].startswith("-"):
            settled.append(f"{word}={words.popleft()}")
        else:
            settled.append(f"{word}=")
    return settled


def limit_options(function: Function) -> Function:
    """Add what one question may cost: softly, so that the solver gives up, and hard, so that its process is ended."""
    for option in (
        click.option(
            "--kill-above",
            type=float,
            metavar="M",
            help="End its process when it has grown by this many megabytes [its share of most of the memory].",
        ),
        click.option(
            "--kill-after",
            type=float,
            metavar="S",
            help="End its process after this time [twice --seconds, and 10 more].",
        ),
        click.option("--megabytes", type=float, metavar="M", help="Give up when memory has grown by this much."),
        click.option("--nodes", type=int, metavar="N", help="Give up after this much search; repeats exactly."),
        click.option(
            "--seconds",
            type=float,
            metavar="S",
            help="Give up on a question after this time [60; none with --nodes]; inf for no limit.",
        ),
    ):
        function = option(function)
    return function


def output_options(function: Function) -> Function:
    """Add where results go."""
    for option in (
        click.option(
            "--jsonl",
            metavar="[FILE]",
            help="Write a line of JSON an answer as they come; to standard output without FILE, which ends in .jsonl.",
        ),
        click.option("--no-csv", is_flag=True, help="Write no table."),
        click.option(
            "--csv",
            metavar="[FILE]",
            help="Where to write the table [validation_<time>.csv beside the store]. FILE ends in .csv.",
        ),
        click.option(
            "--store",
            "store_path",
            default=DEFAULT_STORE,
            metavar="FILE",
            help=f"Where answers are kept, and looked for first [{DEFAULT_STORE}].",
        ),
    ):
        function = option(function)
    return function


fail_on_option = click.option(
    "--fail-on",
    "fail_on",
    multiple=True,
    metavar="WORD,...",
    callback=lambda _context, _parameter, given: _split_words(given),
    help="Exit with 10 if there was any yes, no or fail (not what is hoped for), 20 for unknown, 30 for error,"
    " unrecognised (a file that no domain knows) or nothing (not a single answer).",
)
"""A set of words; what occurs of them decides the exit code."""


def _split_words(given: Sequence[str]) -> frozenset[str]:
    words = [word.strip().lower() for each in given for word in each.split(",")]
    for word in words:
        if word not in FAIL_ON:
            raise click.BadParameter(f"expected some of {', '.join(FAIL_ON)}, found {word!r}")
    return frozenset(words)


def soft_seconds(seconds: float | None, nodes: int | None) -> float | None:
    """Return the limit in time: the usual one unless another is given, or one in nodes; `inf` is none."""
    from solvent.batch.settings import DEFAULT_SECONDS

    if seconds is None:
        return DEFAULT_SECONDS if nodes is None else None
    return None if seconds == float("inf") else seconds


def require_questions(domain: Domain[Any] | None, questions: Sequence[str]) -> None:
    """Raise BadOption if the one domain there is has none of the questions."""
    if domain is not None and questions and not any(question in domain.questions for question in questions):
        raise unknown_name(f"{domain.name} question", questions[0], domain.questions)


def require_rules(domain: Domain[Any] | None, rules: Mapping[str, str]) -> None:
    """Raise BadOption for a rule that no domain has, or a value that none takes."""
    from solvent.registry import all_domains

    domains = list(all_domains()) if domain is None else [domain]
    options = [option for each in domains for option in each.options("rule")]
    for name, value in rules.items():
        having = [option for option in options if option.name == name]
        if not having:
            raise unknown_name("rule", name, [option.name for option in options] or ["none"])
        refusals = []
        for option in having:
            try:
                option.accept(value)
            except BadOption as error:
                refusals.append(error)
        if len(refusals) == len(having):
            raise refusals[0]
