"""Help a player along: the next presses, or why there are none."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.answer import Verdict
from solvent.core.domain import Request
from solvent.core.hints import Hint
from template_domain.model import Grid
from template_domain.solver import solve


def hints(problem: Grid, request: Request) -> Iterator[Hint]:
    """Yield a shortest plan press by press, or the one hint that says why there is none.

    Each hint carries the certificate it rests on; `solvent.hints` has it checked before the player sees the hint.
    """
    finding = solve(problem, request)
    if finding.verdict is Verdict.UNKNOWN:
        # Not knowing is not the same as being lost, and a hint must not suggest it.
        yield Hint(f"No hint: {finding.reason}.", reason=finding.reason)
        return
    if finding.verdict is Verdict.NO:
        yield Hint(
            "These lamps can never all be lit.",
            narrative="Every state that presses can lead to has been tried, and in none of them are all lamps lit.",
            lost=True,
            certificate=finding.certificate,
        )
        return
    assert finding.certificate is not None  # a YES always has one
    plan: list[str] = finding.certificate["plan"]
    if not plan:
        yield Hint("All lamps are lit already.", certificate=finding.certificate)
    for number, press in enumerate(plan):
        left = len(plan) - number
        yield Hint(
            f"Press {press}.",
            move=press,
            narrative=f"{left} press{'' if left == 1 else 'es'} from here, this one included, and all lamps are lit.",
            certificate=finding.certificate,
            data={"presses_left": left},
        )
