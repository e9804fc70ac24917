"""Wishes of a run: what levels must be, and levels made from files that another domain reads.

A wish about a domain asks its question of every instance of that domain. An instance of another domain that can make
such levels, a rule set for example, is made into one that keeps the wishes; the run then asks about that level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from solvent.batch.records import Source
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, SolventError
from solvent.registry import get_domain

if TYPE_CHECKING:
    from solvent.wishes.parsing import Wish


def resolve_wishes(require: Iterable[str] | None, forbid: Iterable[str] | None) -> tuple[Wish, ...]:
    """Read the wishes of a run; raises BadOption for one that no level can pass with."""
    if all(given is None or given == () for given in (require, forbid)):
        return ()
    from solvent.wishes.parsing import read_wishes

    wishes = tuple(read_wishes(require, forbid))
    for wish in wishes:
        passing = get_domain(wish.domain).questions[wish.question].passing_verdict
        if wish.verdict is not passing:
            what = "require" if passing.value == "YES" else "forbid"
            name = f"{wish.domain}:{wish.question}"
            raise BadOption(f"a level passes where {name} is {passing}, so a run can only {what} it")
    return wishes


def makes_levels(domain: Domain[Any], wishes: Sequence[Wish]) -> bool:
    """Tell whether instances of a domain are made into levels that the wishes are about."""
    if not wishes or domain.name == wishes[0].domain or domain.generator is None or domain.generator.source is None:
        return False
    from solvent.wishes.parsing import readable_kinds

    return bool(readable_kinds(domain, get_domain(wishes[0].domain)))


def make_level(source: Source, domain: Domain[Any], wishes: Sequence[Wish], budget: Budget) -> tuple[Any, str]:
    """Return a level made from a file, and a remark that says so; the same as the command makes of it with seed 0."""
    from solvent.wishes import make_proven

    assert domain.generator is not None
    assert domain.generator.source is not None
    if source.path is None or source.line is not None:
        raise SolventError(f"a level is made from a {domain.name} file of its own, and this is none")
    made = make_proven(domain.name, wishes, budget=budget, options={domain.generator.source: source.path})
    return made.level, f"made from a {domain.name} file, seed 0; {made}"
