"""Write a refutation for outside checkers: the formula in DIMACS, the proof in DRUP and in LRAT."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.outside_proof import OutsideCommand, OutsideFile, OutsideProof
from solvent.engine.clauses import ClauseList
from solvent.proof.lrat import find_hints, lrat_lines

CLAUSES_AT_ONCE = 10_000
NEVER = "never true: a clause of it alone is one that nothing satisfies"
"""What the variable stands for that takes the place of empty clauses."""


def refutation_proof(
    name: str,
    claim: str,
    clauses: ClauseList,
    proof: str,
    *,
    meanings: Iterable[tuple[int, str]],
    trusted: str,
    meter: Meter = UNLIMITED,
) -> OutsideProof:
    """Return the files of a refutation in DRUP text; `meanings` say of variables, in rising order, what they stand for.

    The proof keeps only the steps that the contradiction needs. Raises CertificateRejected if it is not one.
    """
    plain, clauses = clauses, without_empty_clauses(clauses, meter)
    if clauses is not plain:
        meanings = chain(meanings, [(clauses.variables, NEVER)])
    reasoned = find_hints(clauses, proof, meter)
    return OutsideProof(
        name=name,
        claim=claim,
        files=[
            OutsideFile(
                f"{name}.cnf",
                "the formula in DIMACS; its comments say what each variable stands for",
                dimacs_pieces(clauses, claim, meanings, meter),
            ),
            OutsideFile(f"{name}.drup", "the proof in DRUP", _drup_pieces(reasoned.drup, meter)),
            OutsideFile(f"{name}.lrat", "the same proof with hints, in LRAT", meter.each(lrat_lines(reasoned.steps))),
        ],
        commands=_commands(name),
        trusted=trusted,
    )


def _commands(name: str) -> list[OutsideCommand]:
    in_python = (
        "import dratify, pathlib; "
        f"cnf, drup = (pathlib.Path('{name}.' + end).read_text() for end in ('cnf', 'drup')); "
        "print(dratify.check_proof(dratify.parse_dimacs(cnf), drup).ok)"
    )
    return [
        OutsideCommand("drat-trim", f"drat-trim {name}.cnf {name}.drup", "s VERIFIED"),
        OutsideCommand("cake_lpr, itself proved right", f"cake_lpr {name}.cnf {name}.lrat", "s VERIFIED UNSAT"),
        OutsideCommand("dratify, from PyPI", f'python -c "{in_python}"', "True"),
        OutsideCommand(
            "lrat.py, a short script in examples/outside_checkers of Solvent's sources",
            f"python lrat.py {name}.cnf {name}.lrat",
            "VERIFIED",
        ),
    ]


def without_empty_clauses(clauses: ClauseList, meter: Meter = UNLIMITED) -> ClauseList:
    """Return a formula that says the same without an empty clause, or the same formula if it has none.

    Some checkers cannot read a clause without literals, or take it for one that was deleted. Each becomes a clause of
    one new variable, under its old number, and a last clause denies that variable.
    """
    if all(begin < end for begin, end in pairwise(meter.each(clauses.starts))):
        return clauses
    never = clauses.variables + 1
    return ClauseList.of(chain((clause or [never] for clause in meter.each(clauses)), [[-never]]), variables=never)


def dimacs_pieces(
    clauses: ClauseList, title: str, meanings: Iterable[tuple[int, str]], meter: Meter = UNLIMITED
) -> Iterator[str]:
    """Yield a formula in DIMACS, with a title on top and a line for each variable that has a meaning."""
    yield f"c {_one_line(title)}\n"
    for variable, meaning in meter.each(meanings):
        yield f"c {variable} {_one_line(meaning)}\n"
    yield f"p cnf {clauses.variables} {len(clauses)}\n"
    for first in range(0, len(clauses), CLAUSES_AT_ONCE):
        meter.checkpoint()
        some = clauses.between(first, min(first + CLAUSES_AT_ONCE, len(clauses)))
        yield "".join(f"{' '.join(map(str, [*clause, 0]))}\n" for clause in some)


def _drup_pieces(steps: list[list[int]], meter: Meter) -> Iterator[str]:
    for step in meter.each(steps):
        yield f"{' '.join(map(str, [*step, 0]))}\n"


def _one_line(text: str) -> str:
    """Return a text as one line of ASCII: names come from files, and old programs read comments byte by byte."""
    return " ".join(text.split()).encode("ascii", "backslashreplace").decode("ascii")


def occurring(clauses: ClauseList, meter: Meter = UNLIMITED) -> Iterator[int]:
    """Yield the variables that occur in a formula, rising: others need no words."""
    occurs = bytearray(clauses.variables + 1)
    for first in range(0, len(clauses.literals), CLAUSES_AT_ONCE):
        meter.checkpoint()
        for literal in clauses.literals[first : first + CLAUSES_AT_ONCE].tolist():
            occurs[abs(literal)] = 1
    return (variable for variable, found in enumerate(occurs) if found)
