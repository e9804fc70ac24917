from __future__ import annotations

import pytest

from solvent.configuration.lines import line_of

TEXT = '''\
# a comment
paths = [
  "seconds = 5",
  "[dungeon]",
]
note = """
ask = "not this"
"""
ask = "this"

[dungeon]  # a table
weight = 1.5
rules.push = "never"

[dungeon.extra]
"a b" = 1
inline = {x = 1, y = 2}
'''


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["paths"], 2),
        (["note"], 6),
        (["ask"], 9),
        (["dungeon"], 11),
        (["dungeon", "weight"], 12),
        (["dungeon", "rules"], 13),
        (["dungeon", "rules", "push"], 13),
        (["dungeon", "extra", "a b"], 16),
        (["dungeon", "extra", "inline", "y"], 17),
        (["seconds"], None),
    ],
)
def test_lines_are_those_of_the_statements(keys: list[str], line: int | None) -> None:
    assert line_of(TEXT, keys) == line
