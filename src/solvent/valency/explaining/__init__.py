"""Explain a task as a whole: how it is filled, or what clashes, what would help, and why each node stays empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from solvent.core.answer import Certificate, Finding, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Drawing, Request
from solvent.core.errors import LimitReached
from solvent.core.explanation import Explanation
from solvent.core.subquestions import SubQuestions
from solvent.valency.model import Staging

__all__ = ["explain"]

FOR_FINDING_OUT = 0.8
"""How much of what may be spent goes to finding out; the rest is for checking what was found."""

Sections = list[tuple[str, list[str]]]
Proofs = list[tuple[Any, Certificate]]


def explain(staging: Staging, request: Request) -> Explanation:
    """Say how a task is filled, or which few parts of it clash and what would help.

    Everything together keeps within the budget; what could not be looked at is said.
    """
    from solvent.valency.rules import remarks

    questions = make_questions(request)
    questions.meter = questions.meter.part(fraction=FOR_FINDING_OUT)
    questions.announce("filling every node")
    finding = questions.ask(staging, "solvable")
    data: dict[str, Any] = {"solvable": finding.verdict.value}
    proofs: Proofs = [] if finding.certificate is None else [(staging, finding.certificate)]
    drawn = finding.certificate
    sections: Sections = []
    if finding.verdict is Verdict.YES and finding.certificate is not None:
        sections.append(("In short", ["It can be filled."]))
        _explain_fill(staging, finding.certificate, questions, sections, data)
    else:
        # Before suggestions are tried: they would take whatever time there is.
        nevertheless: Sections = []
        partial = _explain_partial(staging, questions, nevertheless, data)
        if finding.verdict is Verdict.NO and finding.certificate is not None:
            _explain_clash(staging, finding.certificate, questions, sections, data, proofs)
        else:
            sections.append(("In short", [f"Whether it can be filled is not known: {finding.reason}."]))
            data["reason"] = str(finding.reason)
        sections += nevertheless
        if partial is not None:
            proofs.append((staging, partial))
            drawn = drawn or partial
    data["remarks"] = []
    with _as_far_as_it_goes(questions, sections, "Left aside"):
        data["remarks"] = remarks(staging, questions.meter)
        sections.append(("Left aside", data["remarks"]))
    return Explanation(
        tuple((heading, tuple(lines)) for heading, lines in sections if lines),
        data,
        tuple(proofs),
        None if drawn is None else Drawing(certificate=drawn),
        why=tuple(data["clash"]["why"]) if "clash" in data else (),
        fixes=tuple(each["words"] for each in data.get("suggestions", ())),
    )


@contextmanager
def _as_far_as_it_goes(questions: SubQuestions[Staging], sections: Sections, heading: str) -> Iterator[None]:
    """Say what was not looked at because a limit was reached."""
    try:
        yield
    except LimitReached as limit:
        questions.reason = questions.reason or limit.reason
        sections.append((heading, [f"Not looked at: {limit.reason.cause.value}."]))


def make_questions(request: Request) -> SubQuestions[Staging]:
    """Prepare to ask about changed tasks with the budget of a request."""
    from solvent.valency.solver import solve

    return SubQuestions(request, solve, options={**request.options, "trace": False}, spent=_spent)


def _spent(finding: Finding) -> int:
    """Return the nodes an answer cost; where the solver does not say, what it counted on the way."""
    stats = finding.stats
    return int(stats.get("nodes", stats.get("choices", 0) + stats.get("removed", 0)))


def _explain_fill(
    staging: Staging,
    certificate: Certificate,
    questions: SubQuestions[Staging],
    sections: Sections,
    data: dict[str, Any],
) -> None:
    from solvent.valency.describe_certificate import summary_of
    from solvent.valency.explaining.filled import describe_choice, describe_modules, describe_nodes
    from solvent.valency.phrases import Phrases
    from solvent.valency.solver.network import boot_once

    with _as_far_as_it_goes(questions, sections, "Nodes"):
        meter = questions.meter
        network = boot_once(staging, meter)
        phrases = Phrases(staging, network.cache, network.placement)
        summary = summary_of(staging, certificate, meter)
        parts: tuple[tuple[str, Callable[[], Any]], ...] = (
            ("Nodes", lambda: describe_nodes(phrases, network, summary, meter)),
            ("Modules", lambda: describe_modules(phrases, certificate, summary, meter)),
            ("How much choice there is", lambda: describe_choice(network, certificate, questions)),
        )
        for heading, describe in parts:
            lines, facts = describe()
            sections.append((heading, lines))
            data.update(facts)


def _explain_clash(
    staging: Staging,
    certificate: Certificate,
    questions: SubQuestions[Staging],
    sections: Sections,
    data: dict[str, Any],
    proofs: Proofs,
) -> None:
    from solvent.valency.explaining.chain import narrate
    from solvent.valency.explaining.suggestions import describe_suggestions, suggest
    from solvent.valency.phrases import Phrases, read_element

    data["suggestions"], data["not_enough"] = [], []
    meter = questions.meter
    try:
        phrases = Phrases.of(staging, meter)
    except LimitReached:
        sections.append(("In short", ["It cannot be filled."]))
        return
    elements = [read_element(element) for element in meter.each(certificate["elements"])]
    sentence = phrases.clash(elements)
    parts = phrases.elements(elements)
    minimal = bool(certificate.get("minimal"))
    consequences = [*certificate.get("cuts", ()), *certificate.get("cycles", ())]
    if certificate["form"] == "counting":
        from solvent.valency.explaining.counting import narrate_counting

        chain, finished = narrate_counting(phrases, certificate, meter), True
    else:
        chain, finished = narrate(phrases, certificate["nodes"], elements, consequences)
    sections.append(("In short", [f"It cannot be filled. {sentence}"]))
    sections.append(("The clash", [*parts, *_how_minimal(len(elements), minimal=minimal)]))
    ending = [] if finished else ["No short chain of reasons shows this: the proof tries every way."]
    sections.append(("Why", [*chain, *ending]))
    data["clash"] = {
        "words": sentence,
        "elements": list(certificate["elements"]),
        "parts": [phrases.element(element) for element in elements],
        "nodes": list(certificate["nodes"]),
        "minimal": minimal,
        "why": chain,
        "why_is_complete": finished,
    }
    with _as_far_as_it_goes(questions, sections, "What would help"):
        found = suggest(phrases, elements, questions)
        lines, suggestions = describe_suggestions(found, meter)
        sections.append(("What would help", lines))
        proofs += [(fix.staging, fix.certificate) for fix in found.fixes]
        proofs += found.refutations
        data["suggestions"] = suggestions
        data["not_enough"] = [change.text for change in found.in_vain]


def _cause(finding: Finding) -> str:
    """Say why something is not known; the limit was only what others had left, so it is not named."""
    return finding.reason.cause.value if finding.reason is not None else "no reason given"


def _how_minimal(parts: int, *, minimal: bool) -> list[str]:
    if parts == 1:
        return []
    if minimal:
        return ["Leaving out any one of these makes the rest possible."]
    return ["Some of these may not be needed: they were not narrowed down."]


def _explain_partial(
    staging: Staging, questions: SubQuestions[Staging], sections: Sections, data: dict[str, Any]
) -> Certificate | None:
    """Say what can be filled nevertheless, and what removed each candidate of the nodes that stay empty."""
    if questions.is_spent():
        sections.append(("What can be filled", [f"Not looked at: {questions.reason}."]))
        return None
    questions.announce("filling what can be filled")
    finding = questions.ask(staging, "partial")
    certificate = finding.certificate
    data["partial"] = finding.verdict.value
    if certificate is None:
        sections.append(("What can be filled", [f"Not known: {_cause(finding)}."]))
        return None
    with _as_far_as_it_goes(questions, sections, "What can be filled"):
        _describe_left_out(staging, certificate, questions.meter, sections, data)
    return certificate


def _describe_left_out(
    staging: Staging, certificate: Certificate, meter: Meter, sections: Sections, data: dict[str, Any]
) -> None:
    import numpy as np

    from solvent.valency.describe_certificate import describe_partial
    from solvent.valency.explaining.diagnostics import (
        MAX_NODES,
        describe_diagnosis,
        diagnose,
        diagnosis_as_json,
    )
    from solvent.valency.phrases import Phrases
    from solvent.valency.slices import row_of
    from solvent.valency.solver.network import boot_once

    network = boot_once(staging, meter)
    phrases = Phrases(staging, network.cache, network.placement)
    fill = certificate["modules"]
    held = row_of(fill, np.int64, meter)
    counts = [bound.held(held, meter) for bound in network.count_bounds]
    found = [
        diagnose(phrases, network, fill, entry["node"], counts, proved="proof" in entry)
        for entry in meter.each(certificate["left_out"], every=1)
    ]
    lines = [describe_partial(certificate)]
    if data["solvable"] == "NO" and not found:
        lines.append("Minimums and connections are not asked for here.")
    for diagnosis in found[:MAX_NODES]:
        lines += describe_diagnosis(phrases, fill, diagnosis)
    if len(found) > MAX_NODES:
        lines.append(f"… and {len(found) - MAX_NODES:,} more nodes.")
    sections.append(("What can be filled", lines))
    data["left_out"] = [diagnosis_as_json(phrases, fill, diagnosis) for diagnosis in meter.each(found, every=10)]
