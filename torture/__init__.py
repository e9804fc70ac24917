"""Campaigns that try to break Solvent: forged certificates, mutated files, limits, kills, a hostile network and pages.

Each campaign counts what it tried and keeps whatever went wrong, with what reproduces it. `make torture` runs them all:

    make torture MINUTES=60
    python -m torture --minutes 5 --campaign certificates --seed 7
"""

import sys
from pathlib import Path

# Campaigns start processes, servers and browsers with what the tests have for that.
_TESTS = str(Path(__file__).resolve().parent.parent / "tests")
if _TESTS not in sys.path:
    sys.path.append(_TESTS)
