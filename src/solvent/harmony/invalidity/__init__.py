"""The invalidity tests of Harmony: small named reasons why a board can never be solved.

The tests are the files of the package `builtin`. `SOUND_TESTS` are those that never fire on a board that can be solved,
cheapest first; the search prunes with `SEARCH_TESTS`, which leaves out what another of them always does as well.
`ALL_TESTS` also has the one that is known to be wrong.
"""

from __future__ import annotations

import os
from importlib import import_module

from solvent.harmony.invalidity import builtin
from solvent.harmony.invalidity.tests_kernel import HarmonyTest

_KERNEL = "_kernel"


def find_tests() -> tuple[HarmonyTest, ...]:
    """Return the test of each file in the package `builtin`, cheapest first."""
    files = {name.partition(".")[0] for folder in builtin.__path__ for name in os.listdir(folder)}
    names = sorted(name for name in files if name.endswith(_KERNEL))
    tests: list[HarmonyTest] = [import_module(f"{builtin.__name__}.{name}").TEST for name in names]
    return tuple(sorted(tests, key=lambda test: (not test.sound, test.cost, test.name)))


ALL_TESTS = find_tests()
SOUND_TESTS = tuple(test for test in ALL_TESTS if test.sound)
SEARCH_TESTS = tuple(test for test in SOUND_TESTS if not test.superseded_by)

__all__ = ["ALL_TESTS", "SEARCH_TESTS", "SOUND_TESTS", "HarmonyTest"]
