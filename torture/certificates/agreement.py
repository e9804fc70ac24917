"""Have the checker in Python and the one in JavaScript judge the same certificates: where both judge, they must agree.

`python -m torture.certificates.agreement [COUNT] [SEED]` tries certificates of small instances with a bit of everything
and of generated ones of several sizes, honest and changed, and prints how many of each form were accepted and rejected.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import solvent
from solvent.asking import find_violations
from solvent.core.errors import GenerationFailed, ParseError
from solvent.registry import domain_of, get_domain
from solvent.web.second_checker import FILE_NAME, one_file, second_checkers
from torture.certificates.attacking import FORGERS
from torture.certificates.case import Forger
from torture.certificates.forging import mutate
from torture.certificates.malformed import spoil

NODE = shutil.which("node")
MUTATIONS = 8
"""Changed copies of each honest certificate."""
NODES = 300_000
GENERATED: dict[str, Sequence[dict[str, Any]]] = {
    "starbattle": [{"size": size, "stars": 1 + (size > 9)} for size in (5, 6, 7, 8, 9, 10, 11, 12, 14)],
    "dungeon": [{"rooms": rooms, "locks": rooms // 4, "losable": rooms % 2 == 0} for rooms in (3, 5, 8, 9, 12, 15)],
}
"""Options of instances to generate, small to large."""
BATCH = 500
"""Instances and certificates are made and judged in turns, so that memory does not grow with their number."""


@dataclass(frozen=True)
class Try:
    """Hold a certificate to judge."""

    problem: Any
    text: str
    """The problem, written: this is what the second checker reads."""
    certificate: Any
    group: str
    """Domain and form."""


@dataclass
class Agreement:
    """Count how both judged, by group."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """By group, what ours said and what the second said."""
    disagreements: list[str] = field(default_factory=list)

    def judged_by_both(self) -> int:
        return sum(number for (_, _, second), number in self.counts.items() if second in ("accepted", "rejected"))

    def accepted_by_both(self) -> int:
        return sum(number for (_, _, second), number in self.counts.items() if second == "accepted")

    def lines(self) -> Iterator[str]:
        """Yield a table."""
        yield f"{'form':36}{'accepted':>10}{'rejected':>10}{'not checked':>13}"
        for group in sorted({group for group, _, _ in self.counts}):
            row = [sum(n for (g, _, s), n in self.counts.items() if (g, s) == (group, second)) for second in SECOND]
            yield f"{group:36}{row[0]:10,}{row[1]:10,}{row[2]:13,}"
        yield f"judged by both: {self.judged_by_both():,}; disagreements: {len(self.disagreements)}"


SECOND = ("accepted", "rejected", "not checked")


def forged_tries(dice: Random, forger: Forger) -> Iterator[Try]:
    """Make a small instance; yield its certificates, changed ones and made-up ones; try them on a changed one, too."""
    case = forger.make(dice)
    made = []
    for certificate in case.honest:
        changed = [mutate(dice, certificate, case.words) for _ in range(MUTATIONS)]
        made += [certificate, *changed, spoil(dice, certificate)]
    if case.forge is not None:
        made += [case.forge(dice) for _ in range(MUTATIONS)]
    yield from _tried(case.problem, made, forger)
    if case.perturb is not None:
        yield from _tried(case.perturb(dice).problem, case.honest, forger)


def generated_tries(dice: Random, forger: Forger, options: dict[str, Any]) -> Iterator[Try]:
    """Generate an instance and ask everything; yield its certificates and changed ones."""
    try:
        problem = solvent.generate(forger.domain, seed=dice.randrange(2**31), **options)
    except GenerationFailed:  # not every seed has one
        return
    for question in get_domain(forger.domain).questions:
        certificate = solvent.ask(problem, question, nodes=NODES).certificate
        if certificate is not None:
            yield from mutated_tries(dice, problem, dict(certificate), forger)


def mutated_tries(
    dice: Random, problem: Any, certificate: dict[str, Any], forger: Forger, *, copies: int = MUTATIONS
) -> Iterator[Try]:
    """Yield a certificate and changed ones."""
    changed = [mutate(dice, certificate, ()) for _ in range(copies)]
    yield from _tried(problem, [certificate, *changed], forger)


def _tried(problem: Any, certificates: Sequence[Any], forger: Forger) -> Iterator[Try]:
    """Yield what can be written: a second checker reads files. Some changed instances are none that a file can hold."""
    try:
        text = solvent.format(problem)
        read = solvent.parse(text, domain=forger.domain)
    except (IndexError, ParseError):
        return
    for certificate in certificates:
        try:
            written = json.dumps(certificate, allow_nan=False, ensure_ascii=False)
            written.encode()
        except (TypeError, ValueError, RecursionError):
            continue
        yield Try(read, text, json.loads(written), _group(forger, certificate))


def _group(forger: Forger, certificate: Any) -> str:
    form = certificate.get("form") if isinstance(certificate, dict) else None
    known = isinstance(form, str) and forger.group(certificate) in forger.groups
    return f"{forger.domain}/{form if known else 'malformed'}"


def second_opinions(tries: Sequence[Try]) -> list[dict[str, Any]]:
    """Return what the checker in JavaScript says, from one process of Node."""
    assert NODE is not None
    lines = [json.dumps({"text": one.text, "certificate": json.dumps(one.certificate)}) for one in tries]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / FILE_NAME
        script.write_text(one_file(), encoding="utf-8")
        command = [NODE, str(script), "--batch"]
        done = subprocess.run(command, input="\n".join(lines), capture_output=True, encoding="utf-8", check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def first_opinion(one: Try) -> list[str]:
    """Return the violations that Solvent's own checker finds."""
    if not isinstance(one.certificate, dict):
        return ["no object"]
    return find_violations(domain_of(one.problem), one.problem, one.certificate)


def compare(tries: Sequence[Try], agreement: Agreement) -> None:
    """Have both judge, and note how."""
    for one, second in zip(tries, second_opinions(tries), strict=True):
        violations = first_opinion(one)
        ours = "rejected" if violations else "accepted"
        agreement.counts[one.group, ours, second["verdict"]] += 1
        if second["verdict"] not in (ours, "not checked") or second["why"].startswith("this checker failed"):
            agreement.disagreements.append(
                f"{one.group}: ours {ours} {violations[:2]}, second {second}\n{one.text}\n{json.dumps(one.certificate)}"
            )


def sweep(count: int, dice: Random, agreement: Agreement) -> None:
    """Try until so many certificates were judged by both."""
    forgers = [forger for forger in FORGERS if forger.domain in second_checkers()]
    pending: list[Try] = []
    while agreement.judged_by_both() < count:
        forger = dice.choice(forgers)
        generated = GENERATED.get(forger.domain)
        if generated and dice.random() < 0.2:
            pending.extend(generated_tries(dice, forger, dice.choice(generated)))
        else:
            pending.extend(forged_tries(dice, forger))
        if len(pending) >= BATCH:
            compare(pending, agreement)
            pending = []


def main() -> None:
    if NODE is None:
        sys.exit("the second checker needs Node: install Debian's package nodejs")
    count, seed = (*map(int, sys.argv[1:3]), *(10_000, 1)[len(sys.argv) - 1 :])
    agreement = Agreement()
    sweep(count, Random(seed), agreement)
    print(*agreement.lines(), sep="\n")
    for disagreement in agreement.disagreements[:5]:
        print(f"\n{disagreement}")
    sys.exit(bool(agreement.disagreements))


if __name__ == "__main__":
    main()
