"""Mutated inputs of every format: read, solved, drawn, written in every format and read again.

Only the errors of Solvent may come of it, and what is answered must be what brute force answers.
"""

from __future__ import annotations

from torture.campaign import Campaign
from torture.inputs.trying import run

CAMPAIGN = Campaign("inputs", "mutated inputs", 20.0, run)
