"""Find plans, walks that lose, and proofs that there are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from solvent.core.answer import Finding
from solvent.core.domain import Request
from solvent.dungeon.model import Dungeon

if TYPE_CHECKING:
    from solvent.core.subquestions import SubQuestions

__all__ = ["solve"]


def solve(dungeon: Dungeon, request: Request) -> Finding:
    """Answer a question about the dungeon as it stands after the moves played."""
    from solvent.dungeon.notation.ruling import describe_rules
    from solvent.dungeon.solver.preferences import Preferences

    Preferences.of(request.options)  # names that there are not are refused, whichever way the answer is found
    finding, nodes = _search(dungeon, request) if request.question in _SEARCHED else _derive(dungeon, request)
    return replace(finding, stats={**finding.stats, "nodes": nodes, "rules": describe_rules(dungeon.rules)})


_SEARCHED = ("solvable", "losable")
"""The questions that are answered by searching the dungeon itself; the others ask these of dungeons derived from it."""


def _search(dungeon: Dungeon, request: Request) -> tuple[Finding, int]:
    from solvent.dungeon.solver.ground import ground_level
    from solvent.dungeon.solver.situations import Analysis

    meter = request.budget.start()
    found = Analysis.of(ground_level(dungeon, meter), meter)
    if request.question == "solvable":
        from solvent.dungeon.solver.solvable import answer_solvable as answer
    else:
        from solvent.dungeon.solver.losable import answer_losable as answer
    state = found.ground.game.present_state(meter)
    if not request.watch:
        return answer(found, state, request, meter), meter.nodes
    from solvent.dungeon.solver.watching import Watcher

    watcher = Watcher(request.listen)
    finding = answer(found, state, replace(request, listen=watcher), meter)
    watcher.send()
    return finding, meter.nodes


def _derive(dungeon: Dungeon, request: Request) -> tuple[Finding, int]:
    from solvent.core.subquestions import SubQuestions

    answer: Callable[[Dungeon, Request, SubQuestions[Dungeon]], Finding]
    if request.question == "collectable":
        from solvent.dungeon.solver.collectable import answer_collectable as answer
    elif request.question == "accessible":
        from solvent.dungeon.solver.accessible import answer_accessible as answer
    else:
        from solvent.dungeon.solver.monotone import answer_monotone as answer
    options = {**request.options, "shortest": False, "profile": False}
    questions = SubQuestions(request, solve, options=options, spent=lambda finding: int(finding.stats.get("nodes", 0)))
    return answer(dungeon, request, questions), questions.meter.nodes
