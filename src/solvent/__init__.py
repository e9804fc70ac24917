"""Find out whether a puzzle or a game level can be solved, show how, and prove it.

    >>> import solvent
    >>> puzzle = solvent.generate("harmony", rows=2, cols=3, swaps=4, seed=7)
    >>> answer = solvent.ask(puzzle, "solvable", seconds=5)
    >>> answer.verdict
    <Verdict.YES: 'YES'>
    >>> solvent.check(puzzle, answer.certificate)

`load` reads a file, `parse` a text, `ask` answers a question with a checked certificate, `check` verifies one made
earlier, `hints` helps a player along, `generate` makes new instances, `draw` makes a picture, `export` a file for
another program, `validate` goes through thousands.
"""

from __future__ import annotations

from solvent.engine import build
from solvent.version import __version__

build.prepare()
del build

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing alone would double the cost of `solvent --version`
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import ModuleType
    from typing import Any, TypeVar, overload

    from solvent.batch.library import Result
    from solvent.batch.progress import Progress
    from solvent.core.answer import Answer, Certificate, Verdict
    from solvent.core.budget import Budget, Cancellation
    from solvent.core.domain import Domain
    from solvent.core.errors import (
        BadOption,
        BrokenTest,
        CertificateRejected,
        LimitReached,
        NotChecked,
        ParseError,
        SolventError,
        StoreError,
        UnsoundAnswer,
        UnsoundTest,
        ValidationFailed,
    )
    from solvent.core.events import Listener
    from solvent.core.examples import Example
    from solvent.core.explanation import Explanation
    from solvent.core.hints import Hint
    from solvent.wishes.making import Proven

    P = TypeVar("P")
else:

    def overload(signature):
        """Stand in for `typing.overload`: the implementation follows."""
        return signature


__all__ = [
    "Answer",
    "BadOption",
    "BrokenTest",
    "Budget",
    "Cancellation",
    "CertificateRejected",
    "LimitReached",
    "NotChecked",
    "ParseError",
    "Result",
    "SolventError",
    "StoreError",
    "UnsoundAnswer",
    "UnsoundTest",
    "ValidationFailed",
    "Verdict",
    "__version__",
    "ask",
    "check",
    "domains",
    "draw",
    "examples",
    "explain",
    "export",
    "export_proof",
    "format",
    "generate",
    "hints",
    "load",
    "load_certificate",
    "parse",
    "save_certificate",
    "validate",
]

_HOMES = {
    "Answer": "core.answer",
    "Verdict": "core.answer",
    "Budget": "core.budget",
    "Cancellation": "core.budget",
    "BadOption": "core.errors",
    "BrokenTest": "core.errors",
    "CertificateRejected": "core.errors",
    "LimitReached": "core.errors",
    "NotChecked": "core.errors",
    "ParseError": "core.errors",
    "SolventError": "core.errors",
    "StoreError": "core.errors",
    "UnsoundAnswer": "core.errors",
    "UnsoundTest": "core.errors",
    "ValidationFailed": "core.errors",
    "Result": "batch.library",
}


def __getattr__(name: str) -> Any:
    """Import a class where it lives when it is first named."""
    if name not in _HOMES:
        raise AttributeError(f"module 'solvent' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"solvent.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def domains() -> list[str]:
    """Return the names of the domains there are."""
    from solvent.registry import domain_names

    return domain_names()


def examples(domain: str) -> Sequence[Example]:
    """Return the instances that come with a domain: name, title, text and the expected verdicts."""
    from solvent.registry import get_domain

    return get_domain(domain).examples()


@overload
def load(
    path: str | os.PathLike[str], *, domain: Domain[P], mapping: str | os.PathLike[str] | None = None, **rules: Any
) -> P: ...
@overload
def load(  # noqa: F811
    path: str | os.PathLike[str],
    *,
    domain: str | None = None,
    mapping: str | os.PathLike[str] | None = None,
    **rules: Any,
) -> Any: ...
def load(  # noqa: F811
    path: str | os.PathLike[str],
    *,
    domain: str | Domain[Any] | None = None,
    mapping: str | os.PathLike[str] | None = None,
    **rules: Any,
) -> Any:
    """Read an instance from a file; the domain is detected from its content unless you name it.

    A type checker knows what comes back if you give the domain itself: `from solvent.starbattle import DOMAIN`.
    Where instances say by which rules they are played, others can be given: `bombs="unlimited"`. `solvent domains` and
    `docs/reference` list the rules. A `mapping` is a file that says what a project's own names mean; one that lies
    beside the file is found by itself.
    """
    from solvent.reading import change_rules, read_problem

    return change_rules(read_problem(path, domain=_name_of(domain), mapping=mapping), rules)


@overload
def parse(text: str, *, domain: Domain[P], **rules: Any) -> P: ...
@overload
def parse(text: str, *, domain: str | None = None, **rules: Any) -> Any: ...  # noqa: F811
def parse(text: str, *, domain: str | Domain[Any] | None = None, **rules: Any) -> Any:  # noqa: F811
    """Read an instance from a text; the domain and the rules are as with `load`."""
    from solvent.reading import change_rules, parse_problem

    return change_rules(parse_problem(text, domain=_name_of(domain)), rules)


def _name_of(domain: str | Domain[Any] | None) -> str | None:
    return domain if domain is None or isinstance(domain, str) else domain.name


def format(problem: Any, format: str | None = None) -> str:
    """Write an instance as text, in one of its domain's formats."""
    from solvent.reading import format_problem

    return format_problem(problem, format)


def ask(
    problem: Any,
    question: str | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    cancellation: Cancellation | None = None,
    proof: bool = True,
    listen: Listener | None = None,
    **options: Any,
) -> Answer:
    """Answer a question about a problem: YES or NO with a checked certificate, or UNKNOWN with a reason.

    Without a name, the domain's first question is asked. The questions and options of each domain are listed by
    `solvent domains` on the command line, in `docs/reference`, and in Python by
    `solvent.registry.get_domain(name).questions` and `.solve_options`.

    `seconds`, `nodes` and `megabytes` limit the search; running into a limit is UNKNOWN, and so is cancelling it. With
    `proof=False` an answer that rests on an exhaustive search may come without a certificate.

    The option `tests` takes invalidity tests of your own: functions that take an instance and return True only if it
    cannot be solved. The search prunes with them once each has stood a trial; one that fires on a solvable instance
    raises UnsoundTest, and one that fails raises BrokenTest.
    """
    asking = _asking or _import_asking()
    budget = asking.limits(seconds=seconds, nodes=nodes, megabytes=megabytes, cancellation=cancellation)
    answer: Answer = asking.ask(problem, question, budget=budget, proof=proof, listen=listen, **options)
    return answer


def _import_asking() -> ModuleType:
    """Import what answers questions, when the first is asked."""
    global _asking
    from solvent import asking

    _asking = asking
    return asking


_asking: ModuleType | None = None
"""Kept, since an import statement that finds its module still takes a tenth of what a small question does."""


def check(
    problem: Any,
    certificate: Certificate,
    *,
    seconds: float | None = None,
    megabytes: float | None = None,
    cancellation: Cancellation | None = None,
) -> None:
    """Raise CertificateRejected, listing every violation, unless the certificate proves what it claims.

    With a limit, a check that would take longer or grow larger raises NotChecked: neither accepted nor rejected.
    """
    from solvent import asking

    budget = asking.limits(seconds=seconds, megabytes=megabytes, cancellation=cancellation)
    asking.check(problem, certificate, budget=budget)


def export_proof(
    problem: Any,
    certificate: Certificate,
    folder: str | os.PathLike[str],
    *,
    seconds: float | None = None,
    megabytes: float | None = None,
    cancellation: Cancellation | None = None,
) -> list[Path]:
    """Check a certificate and write into a folder what checkers of others need; returns the files.

    The first is README.txt, which says what the others are and how to check them. Raises CertificateRejected like
    `check`, and BadOption if the certificate holds nothing that an outside checker reads.
    """
    from solvent import asking, outside

    budget = asking.limits(seconds=seconds, megabytes=megabytes, cancellation=cancellation)
    return outside.export_proof(problem, certificate, folder, budget=budget)


def save_certificate(certificate: Certificate, path: str | os.PathLike[str]) -> None:
    """Write a certificate to a file as JSON, compressed if the name ends in `.gz`; all of it or nothing."""
    from solvent.proof import certificate as storage

    storage.save_certificate(certificate, path)


def load_certificate(path: str | os.PathLike[str], *, unfolded_megabytes: float = 64) -> Certificate:
    """Read a certificate from a file, or raise ParseError; a compressed one may unfold to so many megabytes."""
    from solvent.proof import certificate as storage

    return storage.load_certificate(path, unfolded_megabytes=unfolded_megabytes)


def hints(
    problem: Any,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    cancellation: Cancellation | None = None,
    listen: Listener | None = None,
    path: bool = False,
    **options: Any,
) -> Iterator[Hint]:
    """Yield the next steps from here, or the one hint that says why there is none; with `path`, larger steps."""
    from solvent import asking

    budget = asking.limits(seconds=seconds, nodes=nodes, megabytes=megabytes, cancellation=cancellation)
    return asking.hints(problem, budget=budget, listen=listen, path=path, **options)


def explain(
    problem: Any,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    cancellation: Cancellation | None = None,
    listen: Listener | None = None,
    **options: Any,
) -> Explanation:
    """Say what leads to what, what is out of reach and why, and what would fix it, where the domain can."""
    from solvent import asking

    budget = asking.limits(seconds=seconds, nodes=nodes, megabytes=megabytes, cancellation=cancellation)
    return asking.explain(problem, budget=budget, listen=listen, **options)


@overload
def generate(
    domain: str | Domain[Any],
    *,
    require: str | Sequence[str],
    forbid: str | Sequence[str] = (),
    seed: int = 0,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    **options: Any,
) -> Proven: ...
@overload
def generate(  # noqa: F811
    domain: str | Domain[Any],
    *,
    forbid: str | Sequence[str],
    seed: int = 0,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    **options: Any,
) -> Proven: ...
@overload
def generate(  # noqa: F811
    domain: Domain[P],
    *,
    seed: int = 0,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    **options: Any,
) -> P: ...
@overload
def generate(  # noqa: F811
    domain: str,
    *,
    seed: int = 0,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    **options: Any,
) -> Any: ...
def generate(  # noqa: F811
    domain: str | Domain[Any],
    *,
    require: str | Sequence[str] = (),
    forbid: str | Sequence[str] = (),
    seed: int = 0,
    seconds: float | None = None,
    nodes: int | None = None,
    megabytes: float | None = None,
    **options: Any,
) -> Any:
    """Make a new instance; the same options and seed give the same instance on any machine.

    What a domain promises of all it makes, such as one solution only, has been proved and checked. The limits are for
    all of that together; if they are too small, or nothing of that kind is found, GenerationFailed is raised.
    `solvent domains` and `docs/reference` list the options.

    With `require` and `forbid`, questions written `domain:question`, the level is read as that domain reads it, and
    made again without what fails until every question has the answer that is wished for. What comes back then is a
    `Proven`: `level`, `proofs`, how many were `tried`, and `save(path)`. Among the options may be `kind`, the ending of
    the file that is read, and `mapping`, a file that says what its names mean. With `terrain`, a rule set, the ground
    of a level is dressed with it, and a `Proven` comes back too.
    """
    from solvent import asking

    name = domain if isinstance(domain, str) else domain.name
    budget = asking.limits(seconds=seconds, nodes=nodes, megabytes=megabytes)
    if require or forbid or "terrain" in options:
        from solvent.wishes.verb import generate_wished

        return generate_wished(name, require, forbid, seed=seed, budget=budget, options=options)
    problem, _ = asking.generate(name, seed=seed, budget=budget, **options)
    return problem


def export(problem: Any, answer: Answer, ending: str, *, folder: str | os.PathLike[str] | None = None) -> bytes:
    """Write what a YES holds as a file for another program; the ending, such as `png`, says which kind.

    Files that it names, such as tilesets, are named as seen from `folder`, if that is where it will be saved.
    """
    from solvent import asking

    return asking.export(problem, answer, ending, folder=folder)


def validate(
    instances: Iterable[Any],
    *,
    ask: str | Sequence[str] | None = None,
    seconds: float | None = 60.0,
    jobs: int | None = None,
    store: str | os.PathLike[str] | None = None,
    proof: bool = True,
    listen: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Iterator[Result]:
    """Ask about many instances, in worker processes side by side, and yield the results as they come.

    An instance is a problem, or the path of a file or folder. Without `jobs`, every core is used. With a `store`,
    answers are kept there, and what it knows already is not asked again. `listen` is called with the progress about ten
    times a second. Beside the solve options of domains, `options` may be:

    - `nodes`, `megabytes`: limits of each question, as `seconds` is
    - `kill_after` (seconds), `kill_above` (megabytes): end a worker that does not keep to its limits; its question is
      then UNKNOWN, and the others go on
    - `again`: ask again what the store has, `"unknown"` or `"all"`
    - `require`, `forbid`: what levels must be, such as `"dungeon:solvable"`, or a list of that; asked of instances of
      that domain, and of levels that are made from others, such as rule sets
    - `cluster`: the address of a Dask scheduler whose workers solve
    - `strict`: after the last result, raise ValidationFailed unless there were instances and all of them passed, as
      `solvent validate --strict` fails; BadOption if none of them has one of the questions
    """
    from solvent.batch import library

    given = {"seconds": seconds, "jobs": jobs, "store": store, "listen": listen, **options}
    return library.validate_all(instances, *library.prepare(ask, proof, given))


def draw(
    problem: Any,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    hint: Hint | None = None,
    explanation: Explanation | None = None,
    view: str | None = None,
) -> str:
    """Draw an instance as SVG; with a certificate, the solution it holds as well; with a hint, what it points at.

    The same with an explanation. `view` names one of a domain's pictures, where it has several.
    """
    from solvent.core.domain import Drawing
    from solvent.registry import domain_of

    if hint is not None:
        return domain_of(problem).draw_svg(problem, Drawing.of_hint(hint))
    if explanation is not None:
        return domain_of(problem).draw_svg(problem, explanation.drawing or Drawing())
    return domain_of(problem).draw_svg(problem, Drawing(certificate=certificate, move=move, view=view))


if not TYPE_CHECKING:
    del overload  # not ours to offer
