"""The options of `solvent validate`: limits, where results go, and when the run counts as a failure."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from solvent.cli.configured import configurable, read_value
from solvent.cli.domain_options import DomainCommand
from solvent.cli.parameters import combined
from solvent.core.errors import BadOption, unknown_name

if TYPE_CHECKING:
    from solvent.configuration import Configuration
    from solvent.core.domain import Domain

DEFAULT_STORE = "results/validation.db"
OPTIONAL_FILES = {"--csv": (".csv",), "--jsonl": (".jsonl", ".ndjson")}
"""Options that may stand alone, and how a word must end to be their value; any other word after them is a PATH."""
WORDS_GIVEN = "solvent.cli.validate"
"""Under which the context keeps the words of the command as they were given."""


class ValidateCommand(DomainCommand):
    """A command two of whose options may stand alone."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words as they were given, and resolve which of them are values of options."""
        ctx.meta[WORDS_GIVEN] = list(args)
        return super().parse_args(ctx, resolve_optional_files(args))

    def configured_defaults(self, configuration: Configuration, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all that the configuration says, but for what the command line says the opposite of."""
        known = configurable()
        defaults = {known[key].name or "": read_value(configuration, known[key]) for key in configuration.names()}
        _require_questions(configuration, defaults.get("asked", ()))
        if given.get("csv") is not None:
            defaults.pop("no_csv", None)
        if given.get("no_csv"):
            defaults.pop("csv", None)
        return defaults


def _require_questions(configuration: Configuration, asked: Sequence[str]) -> None:
    from solvent.batch.settings import resolve_questions

    try:
        resolve_questions(",".join(asked) or None)
    except BadOption as error:
        raise configuration.error(f"ask: {error}", "ask") from None


def resolve_optional_files(args: Sequence[str]) -> list[str]:
    """Give `--csv` and `--jsonl` the next word if it ends like such a file, and an empty value otherwise."""
    resolved: list[str] = []
    words = deque(args)
    while words:
        word = words.popleft()
        if word == "--":
            return [*resolved, word, *words]
        endings = OPTIONAL_FILES.get(word)
        if endings is None:
            resolved.append(word)
        elif words and words[0].lower().endswith(endings) and not words[0].startswith("-"):
            resolved.append(f"{word}={words.popleft()}")
        else:
            resolved.append(f"{word}=")
    return resolved


limit_options = combined(
    click.option(
        "--seconds",
        type=float,
        metavar="S",
        help="Give up on a question after this time [60; none with --nodes]; inf for no limit.",
    ),
    click.option(
        "--nodes",
        type=int,
        metavar="N",
        help="Give up on a question after this many search nodes; runs repeat exactly.",
    ),
    click.option("--megabytes", type=float, metavar="M", help="Give up on a question when memory grows by this much."),
    click.option(
        "--kill-after",
        type=float,
        metavar="S",
        help="Kill a worker that takes this long for a question [twice --seconds, plus 10].",
    ),
    click.option(
        "--kill-above",
        type=float,
        metavar="M",
        help="Kill a worker that grows by this many megabytes [its share of 80 % of the memory].",
    ),
)
"""What one question may cost: softly, so that the solver gives up, and hard, so that its process is ended."""
output_options = combined(
    click.option(
        "--store",
        "store_path",
        default=DEFAULT_STORE,
        metavar="FILE",
        help=f"Keep answers in FILE, and look them up there first [{DEFAULT_STORE}].",
    ),
    click.option(
        "--csv", metavar="[FILE]", help="Write the CSV table to FILE (.csv) [validation_<time>.csv beside the store]."
    ),
    click.option("--no-csv", is_flag=True, help="Do not write the CSV table."),
    click.option(
        "--jsonl",
        metavar="[FILE]",
        help="Write one line of JSON per answer as they come, to FILE (.jsonl) or standard output.",
    ),
)
"""Where results go."""
exclude_option = click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Leave out files below PATH that this stands for, such as 'levels/drafts/**' or '*.bak'; may be repeated.",
)
"""Patterns of files that are found and not wanted."""
fail_on_option = combined(
    click.option(
        "--strict",
        is_flag=True,
        help="For builds: fail unless there are levels and all pass. Short for --fail-on"
        " fail,unknown,error,suspect,nothing.",
    ),
    click.option(
        "--fail-on",
        "fail_on",
        multiple=True,
        metavar="WORD,...",
        callback=lambda _context, _parameter, given: _split_words(given),
        help="Exit with 10 on any yes, no or fail (a verdict that does not pass), 20 on unknown, 30 on error,"
        " unrecognised (a file that no domain knows), suspect (such a file that was named, or ends like a level)"
        " or nothing (no answer at all).",
    ),
)
"""What makes a run a failure: a set of words; what occurs of them decides the exit code."""


def _split_words(given: Sequence[str]) -> frozenset[str]:
    if not given:
        return frozenset()
    from solvent.batch.gate import FAIL_ON

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


def typed_questions(questions: Sequence[str]) -> Sequence[str]:
    """Return the questions if they were typed; none if a configuration names them.

    A configuration speaks of a whole project. A hook that passes only the files that changed may well pass none that
    has one of its questions.
    """
    source = click.get_current_context().get_parameter_source("asked")
    return () if source is click.core.ParameterSource.DEFAULT_MAP else questions


def require_questions(domain: Domain[Any] | None, questions: Sequence[str]) -> None:
    """Raise BadOption if the one domain there is lacks a question that was named."""
    for question in questions:
        if domain is not None and question not in domain.questions:
            raise unknown_name(f"{domain.name} question", question, domain.questions)
