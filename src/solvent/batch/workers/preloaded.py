"""Import what every worker needs, whatever it is asked: the fork server imports this once, for all of them.

Solvers differ between domains, and are quickly imported when they are needed.
"""

from __future__ import annotations

import json
from importlib import metadata

import msgspec

from solvent.batch.workers import serving, work
from solvent.registry import BUILTIN_DOMAINS, domain_names, get_domain

__all__ = ["json", "metadata", "msgspec", "serving", "work"]

for _name in BUILTIN_DOMAINS:
    get_domain(_name)
domain_names()  # which looks through the installed packages; what they add is imported by workers alone
