"""Describe what a certificate holds, in lines of at most 78 characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.drawing.phrases import counted, listed
from solvent.valency.model import EXCLUDED, NULL_SLOT, UNSOLVABLE, Staging
from solvent.valency.phrases import Phrases, read_element

WIDTH = 78
MAX_NAMES = 12
"""Names of modules that are counted one by one."""
MAX_LEFT_OUT = 8
"""Nodes left out that have a line of their own."""
MAX_PARTS = 12
"""Parts of a clash that have a line of their own."""
MAX_OFF = 3
"""Modules that are named as too frequent or too rare."""
WORTH_A_WORD = 0.02
"""How far the share of a module must be from that of its weight to be named."""


def describe_certificate(staging: Staging, certificate: Certificate) -> list[str]:
    """Return lines for people about an accepted certificate."""
    form = certificate["form"]
    if form in ("refutation", "counting"):
        lines = _describe_refutation(staging, certificate)
    elif form == "partial":
        lines = _describe_partial(staging, certificate)
    else:
        lines = _describe_assignment(staging, certificate)
    return [part for line in lines for part in _fold(line)]


def summary_of(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> dict[str, Any]:
    """Return the counts that show how a fill came out."""
    from solvent.valency.exports.module_data import gather, summarise

    answer = Answer("valency", certificate["question"], Verdict.YES, certificate, None, {}, 0.0)
    return summarise(gather(staging, answer, meter))


def list_modules(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> str:
    """Say how many of each module there are; variants of a name are counted together."""
    modules = staging.rules.modules
    held = Counter(meter.each(certificate["modules"]))
    counts: Counter[str] = Counter()
    for number, count in held.items():
        if number >= 0:
            counts[modules[number].name] += count
    return listed([f"{show_value(name)} {number:,}" for name, number in counts.most_common()], MAX_NAMES) or "None"


def off_weights(staging: Staging, summary: Mapping[str, Any]) -> list[str]:
    """Say how far the modules' shares are from those of their weights, and which are farthest."""
    distance = summary["distance_from_weights"]
    if distance is None:
        return []
    total = sum(summary["counts"].values())
    placed = [module for module in staging.rules.modules if module.placement != EXCLUDED]
    weight = sum(module.weight for module in placed)
    off = {module.key: summary["counts"][module.key] / total - module.weight / weight for module in placed}
    shares = {module.key: module.weight / weight for module in placed}
    lines = [f"{_percent(distance)} of the nodes would have to change to match the weights."]
    farthest = sorted(off, key=lambda key: -abs(off[key]))[:MAX_OFF]
    farthest_off = [
        f"{show_value(key)} {_percent(shares[key] + off[key])} instead of {_percent(shares[key])}"
        for key in farthest
        if abs(off[key]) >= WORTH_A_WORD
    ]
    return [*lines, *([f"Farthest off: {', '.join(farthest_off)}."] if farthest_off else [])]


def describe_partial(certificate: Certificate) -> str:
    """Say how much of a task is filled."""
    modules: Sequence[int] = certificate["modules"]
    filled = sum(number >= 0 for number in modules)
    left_out: Sequence[Mapping[str, Any]] = certificate["left_out"]
    wanted = len(modules) - sum(number == NULL_SLOT for number in modules)
    text = f"Filled {filled:,} of {counted(wanted, 'node')}"
    if not left_out:
        return text + "."
    proved = sum("proof" in entry for entry in left_out)
    return f"{text}; {proved:,} proved impossible, {len(left_out) - proved:,} left open."


def _describe_assignment(staging: Staging, certificate: Certificate) -> Iterable[str]:
    phrases = Phrases.of(staging)
    modules: Sequence[int] = certificate["modules"]
    nulls = sum(number == NULL_SLOT for number in modules)
    yield f"{counted(len(modules) - nulls, 'node')} filled." + (f" {_nulls(nulls)}" if nulls else "")
    yield f"Modules: {list_modules(staging, certificate)}."
    yield from _picks(phrases)
    yield from off_weights(staging, summary_of(staging, certificate))[:1]


def _describe_partial(staging: Staging, certificate: Certificate) -> Iterable[str]:
    phrases = Phrases.of(staging)
    yield describe_partial(certificate)
    nulls = sum(number == NULL_SLOT for number in certificate["modules"])
    if nulls:
        yield _nulls(nulls)
    left_out: Sequence[Mapping[str, Any]] = certificate["left_out"]
    for entry in left_out[:MAX_LEFT_OUT]:
        yield f"  {phrases.node(entry['node'])}: {_why_left_out(phrases, entry)}"
    if len(left_out) > MAX_LEFT_OUT:
        yield f"  … and {len(left_out) - MAX_LEFT_OUT:,} more."
    yield f"Modules: {list_modules(staging, certificate)}."
    yield from _picks(
        phrases, left_out=[node for node, held in enumerate(certificate["modules"]) if held == UNSOLVABLE]
    )


def _describe_refutation(staging: Staging, certificate: Certificate) -> Iterable[str]:
    phrases = Phrases.of(staging)
    elements = [read_element(element) for element in certificate["elements"]]
    yield phrases.clash(elements)
    if len(elements) == 1:
        return
    parts = phrases.elements(elements)
    yield from (f"  {part}" for part in parts[:MAX_PARTS])
    if len(parts) > MAX_PARTS:
        yield f"  … and {len(parts) - MAX_PARTS} more."
    if certificate["form"] == "counting":
        yield "Shown by counting: points for what stands where have two sums that differ."
    if certificate.get("minimal"):
        yield "Leaving out any one of these makes the rest possible."


def _why_left_out(phrases: Phrases, entry: Mapping[str, Any]) -> str:
    if "proof" not in entry:
        return "left open, neither filled nor proved impossible."
    elements = [read_element(element) for element in entry["elements"]]
    return f"proved impossible. {phrases.clash(elements)}"


def _picks(phrases: Phrases, left_out: Sequence[int] = ()) -> Iterable[str]:
    placement = phrases.placement
    picked, ignored = len(placement.picked), 0
    for picks in (placement.unknown, placement.skipped, placement.on_null_slots):
        ignored += len(picks)
    if not picked and not ignored:
        return
    broken = sum(node in placement.picked for node in left_out)
    text = f"{counted(picked - broken, 'pick')} honoured"
    text += f", {broken:,} on nodes left out" if broken else ""
    yield text + (f", {ignored:,} ignored." if ignored else ".")


def _nulls(number: int) -> str:
    what = "node has no neighbour and stays" if number == 1 else "nodes have no neighbours and stay"
    return f"{number:,} {what} empty."


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.1 or not share else f"{100 * share:.1f}%"


def _fold(line: str) -> list[str]:
    """Break a line; what follows its first line is indented by two more."""
    indent = line[: len(line) - len(line.lstrip())]
    tied = _WITHIN_CELL.sub(_TIE, line)
    folded = wrap(tied, WIDTH, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
    return [part.replace(_TIE, " ") for part in folded] or [""]


_TIE = "\N{NO-BREAK SPACE}"
_WITHIN_CELL = re.compile(r"(?<=\d,) (?=\d+[,)])")
"""Blanks between the numbers of a cell, where a line is not broken."""
