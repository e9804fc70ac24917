"""The settings of the solver, which questions, hints and explanations share."""

from __future__ import annotations

from typing import Any

from solvent.core.options import Option

MECHANICS = ("keys", "bombs", "items", "one-ways", "switches", "blocks", "falling doors", "monsters", "stairs")
"""What the small levels of an audit are made of."""
MAX_COUNTED = 1_000_000_000_000
"""The most states or tries that an option may ask for: the kernels count with numbers of 64 bits."""
_WEIGHTS: dict[str, Any] = {"type": float, "minimum": 0, "maximum": 100}

SOLVE_OPTIONS = (
    Option("macros", True, "walk from one point of interest to the next, not tile by tile", type=bool),
    Option("plan_heuristic", True, "let the way past open gates guide the search", type=bool),
    Option("dominance", True, "skip a position when another one is as good and as early", type=bool),
    Option("reverse", True, "skip positions from which nothing leads to the goal, even with endless keys", type=bool),
    Option("supply", False, "skip positions behind more locks than there can ever be keys for", type=bool),
    Option("areas", True, "first find out area by area whether there is a plan", type=bool),
    Option(
        "weight",
        1.0,
        "above 1, find a plan sooner but not the shortest for certain",
        type=float,
        minimum=1,
        maximum=100,
    ),
    Option("alpha", 1.0, "what weight counts for the way from the next point to the goal", **_WEIGHTS),
    Option("beta", 1.0, "what weight counts for the way to the next point", **_WEIGHTS),
    Option("avoid", None, "among shortest plans, avoid these, such as monster 3 + water", type=str),
    Option("points", "events", "which points have macros: events, all, none, or kinds such as key + lock", type=str),
    Option(
        "macro_tries",
        0,
        "macros that may fail at a point before it goes step by step; 0: any number",
        minimum=0,
        maximum=MAX_COUNTED,
    ),
    Option("shortest", True, "look for the shortest plan or walk, not for any", type=bool),
    Option(
        "shortest_nodes",
        500_000,
        "states to visit for the shortest before settling for any",
        minimum=0,
        maximum=MAX_COUNTED,
    ),
    Option("profile", False, "count the work on each tile", type=bool),
)
