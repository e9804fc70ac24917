"""Check an LRAT proof that a DIMACS formula cannot be satisfied. Plain Python; nothing of Solvent is used.

    python lrat.py FORMULA.cnf PROOF.lrat

Prints VERIFIED and exits with 0, or says what is wrong and exits with 1.

Each line of a proof adds a clause, `number literals 0 hints 0`. Suppose that all its literals are false. Every hint
names a clause that then has no true literal and exactly one that is not false, which becomes true; the last hint names
a clause that has none left, a contradiction. So the clause follows from those named. `number d numbers 0` deletes
clauses. The proof is complete once the empty clause has been added. Steps of the kind RAT, with negative hints, are
refused: Solvent writes none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable


class Wrong(Exception):
    """Say why a file is not accepted."""


def read_formula(lines: Iterable[str]) -> dict[int, frozenset[int]]:
    """Return the clauses of a formula by their numbers, from 1."""
    expected = None
    literals: list[int] = []
    clauses: dict[int, frozenset[int]] = {}
    for line in lines:
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            if expected is not None or len(words) != 4 or words[1] != "cnf":
                raise Wrong(f"expected one line 'p cnf VARIABLES CLAUSES', found {line.strip()!r}")
            expected = (int(words[2]), int(words[3]))
            continue
        if expected is None:
            raise Wrong("expected the line 'p cnf VARIABLES CLAUSES' before the first clause")
        for literal in map(int, words):
            if abs(literal) > expected[0]:
                raise Wrong(f"expected at most {expected[0]} variables, found the literal {literal}")
            if literal == 0:
                clauses[len(clauses) + 1] = frozenset(literals)
                literals = []
            else:
                literals.append(literal)
    if expected is None or literals or len(clauses) != expected[1]:
        raise Wrong("expected as many clauses as the line 'p cnf' says, each ending with 0")
    return clauses


def follows(clause: frozenset[int], hints: list[int], clauses: dict[int, frozenset[int]]) -> str | None:
    """Return why a clause does not follow from those that the hints name, or None if it does."""
    true = {-literal for literal in clause}
    if any(-literal in true for literal in true):
        return None  # it holds a literal and its negation
    for place, hint in enumerate(hints):
        if hint not in clauses:
            return f"there is no clause {hint}"
        left = [literal for literal in clauses[hint] if -literal not in true]
        if not left:
            return None if place == len(hints) - 1 else f"hints follow after the contradiction, clause {hint}"
        if len(left) > 1 or left[0] in true:
            return f"clause {hint} is not unit"
        true.add(left[0])
    return "the hints do not end in a contradiction"


def check(formula: Iterable[str], proof: Iterable[str]) -> None:
    """Raise Wrong unless the proof shows that the formula cannot be satisfied."""
    clauses = read_formula(formula)
    last = len(clauses)
    for at, line in enumerate(proof, start=1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        try:
            if words[1:2] == ["d"]:
                numbers = [int(word) for word in words[2:]]
                if not numbers or numbers.pop() != 0 or not all(number in clauses for number in numbers):
                    raise Wrong(f"line {at}: expected numbers of clauses that there are, then 0")
                for number in numbers:
                    del clauses[number]
                continue
            numbers = [int(word) for word in words]
        except (ValueError, KeyError):
            raise Wrong(f"line {at}: expected whole numbers, each clause deleted once") from None
        if numbers.count(0) != 2 or numbers[-1] != 0 or numbers[0] <= last or min(numbers[numbers.index(0) :]) < 0:
            raise Wrong(f"line {at}: expected a number above {last}, literals, 0, numbers of clauses, 0")
        zero = numbers.index(0)
        last, clause = numbers[0], frozenset(numbers[1:zero])
        wrong = follows(clause, numbers[zero + 1 : -1], clauses)
        if wrong:
            raise Wrong(f"line {at}: clause {last} does not follow: {wrong}")
        if not clause:
            return
        clauses[last] = clause
    raise Wrong("the proof ends without the empty clause")


def main() -> int:
    """Check the two files that the command line names."""
    if len(sys.argv) != 3:
        print("usage: python lrat.py FORMULA.cnf PROOF.lrat")
        return 2
    try:
        with open(sys.argv[1], encoding="ascii") as formula, open(sys.argv[2], encoding="ascii") as proof:
            check(formula, proof)
    except (Wrong, ValueError, OSError) as error:
        print(f"NOT VERIFIED: {error}")
        return 1
    print("VERIFIED")
    return 0


if __name__ == "__main__":
    sys.exit(main())
