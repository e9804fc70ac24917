"""Find plans, walks that lose, and proofs that there are none."""

from __future__ import annotations

from solvent.core.answer import Finding
from solvent.core.domain import Request
from solvent.dungeon.model import Dungeon

__all__ = ["solve"]


def solve(dungeon: Dungeon, request: Request) -> Finding:
    """Answer a question about the dungeon as it stands after the moves played."""
    from dataclasses import replace

    from solvent.dungeon.notation.ruling import describe_rules
    from solvent.dungeon.solver.ground import ground_level
    from solvent.dungeon.solver.preferences import Preferences
    from solvent.dungeon.solver.situations import Analysis

    Preferences.of(request.options)  # names that there are not are refused, whichever way the answer is found
    meter = request.budget.start()
    found = Analysis.of(ground_level(dungeon, meter), meter)
    if request.question == "solvable":
        from solvent.dungeon.solver.solvable import answer_solvable as answer
    else:
        from solvent.dungeon.solver.losable import answer_losable as answer
    finding = answer(found, found.ground.game.present_state(meter), request, meter)
    return replace(finding, stats={**finding.stats, "nodes": meter.nodes, "rules": describe_rules(dungeon.rules)})
