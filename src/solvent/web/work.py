"""What workers do for the page: one function for each verb of the API, from a request to a reply.

These are the only functions that touch an instance. Each returns its reply as JSON bytes, so that the server hands it
on without looking; errors of the user's making are raised as they are.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from solvent import asking
from solvent.batch.workers import messages
from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Drawing, Option
from solvent.core.errors import BadOption, ParseError, show_value, unknown_name
from solvent.core.events import Event, Kind
from solvent.core.hints import Hint
from solvent.drawing.dark import dark_colours
from solvent.reading import change_rules, format_problem, parse_problem
from solvent.registry import all_domains, domain_of, get_domain
from solvent.web import equivalents, mappings, schemas
from solvent.web.examples import find_example, find_template
from solvent.web.sent_files import entries_in, read_together

SECONDS_BETWEEN_NEWS = 0.1
PICTURE_NODES = 600_000
"""What a picture of a solved example may cost."""
LOWER_PRIORITY = 10
"""By how much workers that may compute for long give way to the server and to quick work."""


def load(request: schemas.Load) -> bytes:
    """Read an instance."""
    if request.mapping is not None or request.files:
        problem, remarks = mappings.read_mapped(request)
        loaded = _loaded(change_rules(problem, request.rules), rules=request.rules)
        loaded.remarks = list(dict.fromkeys([*remarks, *loaded.remarks]))
        return _encode(loaded)
    return _encode(_loaded(_read(request), rules=request.rules))


def open_file(request: schemas.Open) -> bytes:
    """Read a file: as text where it is text, else by the domains that read other files."""
    if request.files or request.entry is not None:
        problem, remarks = read_together(request)
        loaded = _loaded(problem)
        loaded.remarks = list(dict.fromkeys([*remarks, *loaded.remarks]))
        return _encode(loaded)
    try:
        text = request.data.decode("utf-8")
    except UnicodeDecodeError:
        return _encode(_loaded(_read_bytes(request)))
    return _encode(_loaded(parse_problem(text, domain=request.domain)))


def find_entries(request: schemas.FindEntries) -> bytes:
    """Say which instances a file lists, and which files each needs."""
    _, entries = entries_in(request.text, request.domain)
    shown = [schemas.EntryShown(name=each.name, about=each.about, needs=list(each.needs)) for each in entries]
    return _encode(schemas.EntriesGiven(entries=shown))


def _read_bytes(request: schemas.Open) -> Any:
    domains = all_domains() if request.domain is None else [get_domain(request.domain)]
    reading = [domain.page.open_bytes for domain in domains if domain.page and domain.page.open_bytes]
    refused = ParseError("text in UTF-8, found something else", source=request.name or None)
    for read in reading:
        try:
            return read(request.name, request.data)
        except ParseError as error:
            refused = error
    raise refused


def play(request: schemas.Play) -> bytes:
    """Do something in an instance."""
    problem = _read(request)
    owner = domain_of(problem)
    if owner.page is None:
        raise BadOption(f"{owner.name} cannot be played here")
    return _encode(_loaded(owner.page.play(problem, request.action)))


def edit(request: schemas.Edit) -> bytes:
    """Change an instance."""
    problem = _read(request)
    owner = domain_of(problem)
    if owner.page is None or owner.page.edit is None:
        raise BadOption(f"{owner.name} cannot be edited here")
    return _encode(_loaded(owner.page.edit(problem, request.action)))


def ask(request: schemas.Ask) -> bytes:
    """Answer a question."""
    _give_way()
    problem = _read(request)
    owner = domain_of(problem)
    given = _given(request, owner, owner.solve_options)
    answer = asking.ask(problem, request.question, proof=request.proof, watch=request.watch, **given)
    same = equivalents.same_question(
        request,
        answer.question,
        proof=request.proof,
        limits={"seconds": request.seconds, "nodes": request.nodes},
        options=equivalents.differing(owner.solve_options, request.options),
    )
    reply = answered(problem, answer, same)
    if request.options.get("profile"):
        reply.files = _profile(problem, answer)
    return _encode(reply)


def check(request: schemas.Check) -> bytes:
    """Verify a certificate."""
    _give_way()
    problem = _read(request)
    violations = asking.find_violations(domain_of(problem), problem, request.certificate)
    return _encode(schemas.Checked(accepted=not violations, violations=violations))


def steps(request: schemas.Steps) -> bytes:
    """Take a certificate apart into steps; the checker has to accept it first."""
    _give_way()
    problem = _read(request)
    owner = domain_of(problem)
    budget = _budget(request.seconds, request.nodes)
    asking.check(problem, request.certificate, budget=budget)
    if owner.page is None or owner.page.proof_steps is None:
        raise BadOption(f"{owner.name} has no proofs to step through")
    found = owner.page.proof_steps(problem, request.certificate, budget.start())
    shown = [schemas.from_record(schemas.StepShown, step) for step in itertools.islice(found, request.count)]
    return _encode(schemas.StepsGiven(steps=shown, complete=next(found, None) is None))


def part(request: schemas.Part) -> bytes:
    """Make a part of what an instance goes on to without end."""
    _give_way()
    problem = _read(request)
    owner = domain_of(problem)
    if owner.page is None or owner.page.part is None:
        raise BadOption(f"{owner.name} has nothing that goes on without end")
    budget = _given(request, owner, ())["budget"]  # no part has options yet, so each is refused
    made = owner.page.part(problem, request.action, budget.start())
    return _encode(schemas.PartGiven(part=dict(made)))


def hints(request: schemas.Hints) -> bytes:
    """Find the next steps, sending each one as soon as it is found."""
    _give_way()
    problem = _read(request)
    owner = domain_of(problem)
    steps = asking.hints(problem, path=request.path, **_given(request, owner, owner.options("hint")))
    found: list[Hint] = []
    replies: list[schemas.Hinted] = []
    for hint, after in _with_positions(owner, problem, steps):
        found.append(hint)
        reply = schemas.from_record(
            schemas.Hinted, hint, reason=None if hint.reason is None else str(hint.reason), after=after
        )
        replies.append(reply)
        messages.send(("hint", _encode(reply)))
        if len(found) >= request.count:
            break
    grade = owner.hints.grade(found) if request.path and owner.hints and owner.hints.grade else None
    return _encode(
        schemas.HintsGiven(
            hints=replies,
            grade=grade,
            grade_line="" if grade is None else str(grade),
            **equivalents.same_hints(request, owner.options("hint")),
        )
    )


def explain(request: schemas.Explain) -> bytes:
    """Explain an instance as a whole."""
    _give_way()
    problem = _read(request)
    owner = domain_of(problem)
    if owner.explain is None:
        raise BadOption(f"{owner.name} has nothing to explain beside its answers")
    explanation = asking.explain(problem, **_given(request, owner, owner.solve_options))
    drawing = explanation.drawing
    return _encode(
        schemas.Explained(
            sections=[schemas.Section(heading=heading, lines=list(lines)) for heading, lines in explanation.sections],
            data=dict(explanation.data),
            certificates=len(explanation.certificates),
            marks=_marks(owner, problem, None if drawing is None else drawing.certificate),
            svg=None if drawing is None else owner.draw_svg(problem, drawing),
            **equivalents.same_explanation(request, owner.solve_options),
        )
    )


def generate(request: schemas.Generate) -> bytes:
    """Make an instance and prove what its domain promises of it."""
    _give_way()
    domain = get_domain(request.domain)
    if domain.generator is None:
        raise BadOption(f"{domain.name} has no generator")
    given = _given(request, domain, domain.generator.options)
    if request.require or request.forbid:
        return _generate_wished(request, domain, given)
    problem, promised = asking.generate(request.domain, seed=request.seed, **given)
    same = equivalents.same_instance(request)
    answers = []
    for answer in promised:
        python = f"{same['python']}\nanswer = solvent.ask(problem, {answer.question!r})"
        answers.append(answered(problem, answer, {**same, "python": python}))
    return _encode(
        schemas.from_record(schemas.Generated, _loaded(problem), answers=answers, tried=1, excluded=0, **same)
    )


def _generate_wished(request: schemas.Generate, domain: Domain[Any], given: dict[str, Any]) -> bytes:
    """Make an instance that keeps its wishes, and return it as the level that the domain of the wishes reads."""
    from solvent.wishes import make_proven, read_wishes

    wishes = read_wishes(request.require, request.forbid)
    limits = {"budget": given.pop("budget"), "listen": given.pop("listen")}
    made = make_proven(domain.name, wishes, options=given, seed=request.seed, **limits)
    same = equivalents.same_level(request)
    answers = []
    for answer in made.proofs:
        python = f"{same['python']}\nanswer = solvent.ask(problem, {answer.question!r})"
        answers.append(answered(made.level, answer, {**same, "python": python}))
    counts = {"tried": made.tried, "excluded": made.excluded}
    return _encode(schemas.from_record(schemas.Generated, _loaded(made.level), answers=answers, **counts, **same))


def draw(request: schemas.Draw) -> bytes:
    """Draw an instance."""
    svg = _draw(_read(request), request)
    return _encode(schemas.Drawn(svg=svg, dark=dark_colours([svg])))


def draw_example(domain: str, name: str) -> bytes:
    """Draw a bundled instance."""
    return _draw_bundled(domain, find_example(domain, name).text)


def draw_template(domain: str, name: str) -> bytes:
    """Draw what an instance can be begun from."""
    template = find_template(domain, name)
    return template.svg.encode("utf-8") if template.svg else _draw_bundled(domain, template.text)


def _draw_bundled(domain: str, text: str) -> bytes:
    """Draw an instance as its page opens it: where that shows solutions, with the first answer, if it is soon found."""
    owner = get_domain(domain)
    problem = parse_problem(text, domain=domain)
    is_solved = owner.page is not None and owner.page.shows_solutions
    certificate = asking.ask(problem, budget=_budget(None, PICTURE_NODES)).certificate if is_solved else None
    return owner.draw_svg(problem, Drawing(certificate=certificate, bare=True)).encode("utf-8")


def format_as(request: schemas.Format) -> bytes:
    """Write an instance in another format."""
    problem = _read(request)
    name = request.format or next(iter(domain_of(problem).formats))
    return _encode(schemas.Formatted(text=format_problem(problem, name), format=name))


@functools.cache  # they never change
def samples(domain: str) -> bytes:
    """Write, for each format, the first bundled instance that it can hold; some are only ever read."""
    owner = get_domain(domain)
    texts = [example.text for example in owner.examples()]
    texts += [template.text for template in (owner.page.templates() if owner.page is not None else ())]
    found = []
    for name in owner.formats:
        for text in texts:
            with contextlib.suppress(BadOption):
                found.append(
                    schemas.SampleShown(format=name, text=format_problem(parse_problem(text, domain=domain), name))
                )
                break
    return _encode(found)


def export(request: schemas.Export) -> bytes:
    """Write what a certificate holds as a file for another program; the checker has to accept it first."""
    _give_way()
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


@functools.cache  # once is enough for a process
def _give_way() -> None:
    """Let everything quick go first; called where work may take long."""
    if hasattr(os, "nice"):
        os.nice(LOWER_PRIORITY)


class _Reporter:
    """Pass on the progress of a search, a few times a second at most; the start of a new stage is never left out."""

    def __init__(self) -> None:
        self._last = 0.0
        self._kind = ""
        self._message = ""

    def __call__(self, event: Event) -> None:
        if event.kind is Kind.WATCH:
            messages.send(("watch", _encode(event.data)))
            return
        now = time.monotonic()
        is_new = (event.kind.value, event.message) != (self._kind, self._message)
        if now - self._last < SECONDS_BETWEEN_NEWS and not (is_new and event.kind.value != "progress"):
            return
        self._last, self._kind, self._message = now, event.kind.value, event.message
        news = schemas.Progress(kind=event.kind.value, message=event.message, nodes=event.nodes)
        messages.send(("progress", _encode(news)))


def _read(request: schemas.Instance) -> Any:
    """Read the instance in a request: its text alone, never a file beside it."""
    return change_rules(parse_problem(request.text, domain=request.domain), request.rules)


def _loaded(problem: Any, *, rules: Mapping[str, Any] | None = None) -> schemas.Loaded:
    owner = domain_of(problem)
    return schemas.Loaded(
        domain=owner.name,
        text=format_problem(problem),
        rules=dict(rules or {}),
        remarks=list(owner.remarks(problem)),
        size=None if owner.size is None else owner.size(problem),
        unit=owner.report_columns.unit,
        page=None if owner.page is None else dict(owner.page.data(problem)),
    )


def answered(problem: Any, answer: Answer, same: equivalents.Same) -> schemas.Answered:
    """Return an answer with what people see of it, and how to get the same; it has been checked."""
    owner = domain_of(problem)
    certificate = answer.certificate
    described = list(owner.describe(problem, certificate)) if certificate is not None and owner.describe else []
    return schemas.Answered(
        **answer.as_json(),
        line=str(answer),
        description=described,
        marks=_marks(owner, problem, certificate),
        **same,
    )


def _marks(owner: Domain[Any], problem: Any, certificate: Certificate | None) -> dict[str, Any]:
    marks = None if owner.page is None else owner.page.marks
    return {} if certificate is None or marks is None else dict(marks(problem, certificate))


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
            taken = step(problem, hint.certificate)
            after = format_problem(taken)
            problem = problem if hint.alternative else taken
        yield hint, after


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
        # Highlights are a hint's own data; anything else that is sent is not drawn.
        raise BadOption(f"highlights: expected those of a hint, found something else ({error})") from None


def _budget(seconds: float | None, nodes: int | None) -> Budget:
    return Budget(seconds=seconds, nodes=nodes, cancellation=messages.Stopping())


def _given(
    request: schemas.Search | schemas.Generate, domain: Domain[Any], options: Sequence[Option]
) -> dict[str, Any]:
    """Return what a search is given beside the instance: its budget, who listens, and options."""
    budget = _budget(request.seconds, request.nodes if isinstance(request, schemas.Search) else None)
    return {"budget": budget, "listen": _Reporter(), **_allowed(domain, options, request.options)}


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


_encoder = msgspec.json.Encoder()
_encode: Callable[[Any], bytes] = _encoder.encode
