"""The signs of the corners of a board drawn in lines."""

from __future__ import annotations

CORNERS = {
    (False, False, False, False): "·",
    (True, False, True, False): "│",
    (False, True, False, True): "─",
    (False, True, True, False): "┌",
    (False, False, True, True): "┐",
    (True, True, False, False): "└",
    (True, False, False, True): "┘",
    (True, True, True, False): "├",
    (True, False, True, True): "┤",
    (False, True, True, True): "┬",
    (True, True, False, True): "┴",
    (True, True, True, True): "┼",
}
"""The sign of a corner by whether lines go from it: up, right, down, left.

One way alone is never there: a border does not end on the board.
"""
