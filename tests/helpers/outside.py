"""Checkers of others, put to the files that Solvent writes for them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dratify import check_proof, parse_dimacs
from outside_checkers import lrat


def dratify_accepts(formula: str, proof: str) -> bool:
    """Tell whether the package `dratify` accepts a proof in DRUP; what it cannot read it does not accept."""
    try:
        return bool(check_proof(parse_dimacs(formula), proof).ok)
    except ValueError:
        return False


def lrat_accepts(formula: str, proof: str) -> bool:
    """Tell whether the script in examples/outside_checkers accepts a proof in LRAT."""
    try:
        lrat.check(formula.splitlines(), proof.splitlines())
    except (lrat.Wrong, ValueError):
        return False
    return True


def require_refutations(files: Iterable[Path]) -> int:
    """Have every refutation among some files checked in both formats; returns how many there are."""
    formulas = [path for path in files if path.suffix == ".cnf"]
    for path in formulas:
        formula = path.read_text(encoding="ascii")
        assert dratify_accepts(formula, path.with_suffix(".drup").read_text(encoding="ascii")), path
        assert lrat_accepts(formula, path.with_suffix(".lrat").read_text(encoding="ascii")), path
    return len(formulas)
