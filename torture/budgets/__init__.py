"""Limits on instances from tiny to a million cells: how far past them a question, a hint or a check goes.

Promised is at most a quarter of a second and a twentieth of the limit past it. Each case runs in a process of its own,
one at a time, so that no case disturbs the clock of another.
"""

from __future__ import annotations

from torture.budgets.measuring import run
from torture.campaign import Campaign

CAMPAIGN = Campaign("budgets", "limits of time, work and memory", 6.0, run, processes=1)
