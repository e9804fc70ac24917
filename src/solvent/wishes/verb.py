"""One way in for the command, the page and Python: wishes, terrain, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from solvent import asking
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption
from solvent.core.events import Listener
from solvent.registry import get_domain
from solvent.wishes.dressing import dress, require_dressable
from solvent.wishes.making import Proven, make_proven
from solvent.wishes.parsing import Wish, read_wishes, require_readable


def require_possible(domain: Domain[Any], wishes: Sequence[Wish], kind: str | None, terrain: str | None) -> str:
    """Return the kind of file that a level is written as, or raise BadOption if no such level can be made."""
    if domain.generator is None:
        raise BadOption(f"{domain.name} has no generator")
    if terrain is None:
        return require_readable(domain, wishes, kind)
    require_dressable(domain, kind, terrain)
    if any(wish.domain != domain.name for wish in wishes):
        raise BadOption(f"with a terrain, only questions of {domain.name} can be required or forbidden")
    return ""


def generate_wished(
    name: str,
    require: str | Sequence[str],
    forbid: str | Sequence[str],
    *,
    seed: int,
    budget: Budget,
    options: Mapping[str, Any],
) -> Proven:
    """Make a level that keeps its wishes; `kind`, `mapping` and `terrain` may stand among the options."""
    given = dict(options)
    kind, mapping, terrain = (given.pop(word, None) for word in ("kind", "mapping", "terrain"))
    wishes, domain = read_wishes(require, forbid), get_domain(name)
    kind = require_possible(domain, wishes, kind, terrain)
    if terrain is not None:
        return make_dressed(domain, wishes, terrain, seed=seed, budget=budget, options=given)
    more = {"seed": seed, "mapping": mapping}
    return make_proven(name, wishes, budget=budget, kind=kind, options=given, **more)


def make_dressed(
    domain: Domain[Any],
    wishes: Sequence[Wish],
    terrain: str,
    *,
    seed: int,
    budget: Budget,
    options: Mapping[str, Any],
    listen: Listener | None = None,
    path: Path | None = None,
) -> Proven:
    """Make a level that keeps its wishes, if there are any, and dress it."""
    meter, tried, excluded = budget.start(), 1, 0
    if wishes:
        made = make_proven(domain.name, wishes, budget=budget, listen=listen, kind="", options=options, seed=seed)
        problem, tried, excluded = made.problem, made.tried, made.excluded
        answers = list({answer.question: answer for answer in (*made.answers, *made.proofs)}.values())
    else:
        problem, answers = asking.generate(domain.name, seed=seed, budget=budget, listen=listen, **options)
    folder = None if path is None else path.parent
    dressed = dress(problem, answers, terrain, seed=seed, budget=meter.left(), listen=listen, folder=folder)
    return replace(dressed, tried=tried, excluded=excluded)
