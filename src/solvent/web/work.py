"""What workers do for the page: one function for each verb of the API, from a request to a reply.

These are the only functions that touch an instance. Each returns its reply as JSON bytes, so that the server hands it
on without looking; errors of the user's making are raised as they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from solvent import asking
from solvent.batch.workers import messages
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Drawing, Option
from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.core.events import Event
from solvent.core.hints import Grade, Hint
from solvent.reading import change_rules, format_problem, parse_problem
from solvent.registry import domain_of, get_domain
from solvent.web import equivalents, schemas
from solvent.web.bundled import find_example
from solvent.web.priority import give_way

SECONDS_BETWEEN_NEWS = 0.1
PICTURE_NODES = 20_000
"""What a picture of a solved example may cost."""


def load(request: schemas.Load) -> bytes:
    """Read an instance."""
    return _encode(_loaded(schemas.Loaded, _read(request), rules=request.rules))


def play(request: schemas.Play) -> bytes:
    """Do something in an instance."""
    problem = _read(request)
    owner = domain_of(problem)
    if owner.page is None:
        raise BadOption(f"{owner.name} cannot be played here")
    return _encode(_loaded(schemas.Loaded, owner.page.play(problem, request.action)))


def ask(request: schemas.Ask) -> bytes:
    """Answer a question."""
    give_way()
    problem = _read(request)
    owner = domain_of(problem)
    answer = asking.ask(
        problem,
        request.question,
        budget=_budget(request.seconds, request.nodes),
        proof=request.proof,
        listen=_Reporter(),
        **_allowed(owner, owner.solve_options, request.options),
    )
    given = equivalents.differing(owner.solve_options, request.options)
    limits = {"seconds": request.seconds, "nodes": request.nodes}
    command = equivalents.by_command(
        "solve",
        request,
        ask=answer.question,
        **limits,
        **({} if request.proof else {"no_proof": True}),
        # The command takes a name for the files, where a question is only asked to keep count.
        **{name: "profile" if name == "profile" and value else value for name, value in given.items()},
    )
    python = equivalents.in_python(
        "ask", request, answer.question, **limits, **({} if request.proof else {"proof": False}), **given
    )
    reply = answered(problem, answer, command, assign(python))
    if request.options.get("profile"):
        reply.files = _profile(problem, answer)
    return _encode(reply)


def check(request: schemas.Check) -> bytes:
    """Verify a certificate."""
    give_way()
    problem = _read(request)
    violations = asking.find_violations(domain_of(problem), problem, request.certificate)
    return _encode(schemas.Checked(accepted=not violations, violations=violations))


def hints(request: schemas.Hints) -> bytes:
    """Find the next steps, telling each one as soon as it is found."""
    give_way()
    problem = _read(request)
    owner = domain_of(problem)
    steps = asking.hints(
        problem,
        budget=_budget(request.seconds, request.nodes),
        listen=_Reporter(),
        path=request.path,
        **_allowed(owner, owner.options("hint"), request.options),
    )
    found: list[Hint] = []
    replies: list[schemas.Hinted] = []
    for hint, after in _with_positions(owner, problem, steps):
        found.append(hint)
        reply = _hinted(hint, after)
        replies.append(reply)
        messages.tell(("hint", _encode(reply)))
        if len(found) >= request.count:
            break
    graded = owner.hints.grade(found) if request.path and owner.hints and owner.hints.grade else None
    given = equivalents.differing(owner.options("hint"), request.options)
    limits = {"seconds": request.seconds, "nodes": request.nodes}
    how_many = {} if request.path or request.count == 1 else {"n": request.count}
    command = equivalents.by_command("hint", request, **({"path": True} if request.path else {}), **limits, **given) + (
        f" -n {request.count}" if how_many else ""
    )
    python = equivalents.in_python("hints", request, **({"path": True} if request.path else {}), **limits, **given)
    return _encode(
        schemas.HintsGiven(
            hints=replies, grade=_graded(graded), command=command, python=assign(python, "steps = list({})")
        )
    )


def explain(request: schemas.Explain) -> bytes:
    """Explain an instance as a whole."""
    give_way()
    problem = _read(request)
    owner = domain_of(problem)
    if owner.explain is None:
        raise BadOption(f"{owner.name} has nothing to explain beside its answers")
    explanation = asking.explain(
        problem,
        budget=_budget(request.seconds, request.nodes),
        listen=_Reporter(),
        **_allowed(owner, owner.solve_options, request.options),
    )
    drawn = None if explanation.drawing is None else owner.draw_svg(problem, explanation.drawing)
    given = equivalents.differing(owner.solve_options, request.options)
    limits = {"seconds": request.seconds, "nodes": request.nodes}
    return _encode(
        schemas.Explained(
            sections=[schemas.Section(heading=heading, lines=list(lines)) for heading, lines in explanation.sections],
            data=dict(explanation.data),
            certificates=len(explanation.certificates),
            svg=drawn,
            command=equivalents.by_command("explain", request, **limits, **given),
            python=assign(equivalents.in_python("explain", request, **limits, **given), "explanation = {}"),
        )
    )


def generate(request: schemas.Generate) -> bytes:
    """Make an instance and prove what its domain promises of it."""
    give_way()
    domain = get_domain(request.domain)
    if domain.generator is None:
        raise BadOption(f"{domain.name} has no generator")
    problem, answers = asking.generate(
        request.domain,
        seed=request.seed,
        budget=_budget(request.seconds, None),
        listen=_Reporter(),
        **_allowed(domain, domain.generator.options, request.options),
    )
    command = equivalents.to_generate(request)
    python = equivalents.generate_in_python(request)
    made = _loaded(schemas.Loaded, problem)
    return _encode(
        schemas.Generated(
            **msgspec.structs.asdict(made),
            answers=[
                answered(problem, answer, command, f"{python}\nanswer = solvent.ask(problem, {answer.question!r})")
                for answer in answers
            ],
            command=command,
            python=python,
        )
    )


def draw(request: schemas.Draw) -> bytes:
    """Draw an instance."""
    return _encode(schemas.Drawn(svg=_draw(_read(request), request)))


def draw_example(domain: str, name: str) -> bytes:
    """Draw a bundled instance."""
    problem = parse_problem(find_example(domain, name).text, domain=domain)
    return get_domain(domain).draw_svg(problem, Drawing(bare=True)).encode("utf-8")


def draw_solved_example(domain: str, name: str) -> bytes:
    """Draw a bundled instance with the answer to its domain's first question, if that is soon found."""
    problem = parse_problem(find_example(domain, name).text, domain=domain)
    answer = asking.ask(problem, budget=_budget(None, PICTURE_NODES))
    return get_domain(domain).draw_svg(problem, Drawing(certificate=answer.certificate, bare=True)).encode("utf-8")


def format_as(request: schemas.Format) -> bytes:
    """Write an instance in another format."""
    problem = _read(request)
    name = request.format or next(iter(domain_of(problem).formats))
    return _encode(schemas.Formatted(text=format_problem(problem, name), format=name))


def export(request: schemas.Export) -> bytes:
    """Write what a certificate holds as a file for another program; the checker has to accept it first."""
    give_way()
    problem = _read(request)
    asking.check(problem, request.certificate)
    certificate = request.certificate
    answer = Answer(
        domain_of(problem).name,
        certificate["question"],
        Verdict(certificate["verdict"]),
        certificate,
        None,
        request.stats,
        0.0,
    )
    try:
        return asking.export(problem, answer, request.ending)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        if not request.stats:
            raise
        raise BadOption(f"stats: expected those of the answer, found something else ({error})") from None


class _Reporter:
    """Pass on what a search tells, a few times a second at most; what begins a new part is never left out."""

    def __init__(self) -> None:
        self._last = 0.0
        self._kind = ""
        self._message = ""

    def __call__(self, event: Event) -> None:
        now = time.monotonic()
        is_new = (event.kind.value, event.message) != (self._kind, self._message)
        if now - self._last < SECONDS_BETWEEN_NEWS and not (is_new and event.kind.value != "progress"):
            return
        self._last, self._kind, self._message = now, event.kind.value, event.message
        news = schemas.Progress(kind=event.kind.value, message=event.message, nodes=event.nodes)
        messages.tell(("progress", _encode(news)))


def _read(request: schemas.Instance) -> Any:
    """Read the instance in a request: its text alone, never a file beside it."""
    return change_rules(parse_problem(request.text, domain=request.domain), request.rules)


def _loaded(kind: type[schemas.Loaded], problem: Any, *, rules: Mapping[str, Any] | None = None) -> schemas.Loaded:
    owner = domain_of(problem)
    return kind(
        domain=owner.name,
        text=format_problem(problem),
        rules=dict(rules or {}),
        remarks=list(owner.remarks(problem)),
        size=None if owner.size is None else owner.size(problem),
        unit=owner.report_columns.unit,
        scene=None if owner.page is None else dict(owner.page.data(problem)),
    )


def answered(problem: Any, answer: Answer, command: str, python: str) -> schemas.Answered:
    """Return an answer with what people see of it; it has been checked."""
    owner = domain_of(problem)
    certificate = answer.certificate
    told = list(owner.describe(problem, certificate)) if certificate is not None and owner.describe else []
    return schemas.Answered(
        **answer.as_json(),
        line=str(answer),
        told=told,
        marks=dict(owner.page.marks(problem, certificate)) if certificate and owner.page and owner.page.marks else {},
        command=command,
        python=python,
    )


def _profile(problem: Any, answer: Answer) -> dict[str, str]:
    """Return the files that show where the search spent its effort; none if there was no search to count."""
    owner = domain_of(problem)
    if owner.profile is None:
        return {}
    try:
        return dict(owner.profile(problem, answer))
    except BadOption:
        return {}


def _with_positions(owner: Domain[Any], problem: Any, steps: Iterator[Hint]) -> Iterator[tuple[Hint, str | None]]:
    """Yield each hint with the instance after it, where hints are steps."""
    for hint in steps:
        after = None
        step = None if owner.hints is None else owner.hints.after
        if step is not None and hint.certificate is not None and not hint.lost:
            problem = step(problem, hint.certificate)
            after = format_problem(problem)
        yield hint, after


def _hinted(hint: Hint, after: str | None) -> schemas.Hinted:
    return schemas.Hinted(
        caption=hint.caption,
        move=hint.move,
        narrative=hint.narrative,
        where=hint.where,
        technique=hint.technique,
        proof=hint.proof,
        lost=hint.lost,
        reason=None if hint.reason is None else str(hint.reason),
        certificate=None if hint.certificate is None else dict(hint.certificate),
        data=dict(hint.data),
        after=after,
    )


def _graded(grade: Grade | None) -> schemas.Graded | None:
    if grade is None:
        return None
    return schemas.Graded(
        number=grade.number, word=grade.word, technique=grade.technique, steps=grade.steps, line=str(grade)
    )


def _draw(problem: Any, request: schemas.Draw) -> str:
    owner = domain_of(problem)
    if request.view is not None and request.view not in owner.views:
        raise unknown_name(f"{owner.name} view", request.view, owner.views or ["none"])
    if request.certificate is not None:
        asking.check(problem, request.certificate)  # a picture of a solution that is none would mislead
    drawing = Drawing(
        certificate=request.certificate, move=request.move, highlights=request.highlights, view=request.view
    )
    try:
        return owner.draw_svg(problem, drawing)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if request.highlights is None:
            raise
        # Highlights are a hint's own data; anything else that somebody sends is not drawn.
        raise BadOption(f"highlights: expected those of a hint, found something else ({error})") from None


def _budget(seconds: float | None, nodes: int | None) -> Budget:
    return Budget(seconds=seconds, nodes=nodes, cancellation=messages.Stopping())


def _allowed(domain: Domain[Any], options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return given options; raises BadOption for a name that is none of them, and for what would have a file opened.

    What an instance is made from may be named if it is bundled; no other option that could mean a file is let through.
    """
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            raise unknown_name("option", name, known or ["none"])
        if not known[name].opens_file or value is None:
            continue
        if domain.generator is None or name != domain.generator.source:
            raise BadOption(f"{name}: files cannot be used here, found {show_value(value)}")
        names = [example.name for example in domain.examples()]
        if value not in names:
            raise unknown_name(f"{domain.name} {name}", value, names)
    return dict(given)


def assign(python: str, form: str = "answer = {}") -> str:
    """Give the value of the last line of some Python a name."""
    first, _, last = python.rpartition("\n")
    return f"{first}\n{form.format(last)}" if first else form.format(last)


_encoder = msgspec.json.Encoder()
_encode: Callable[[Any], bytes] = _encoder.encode
