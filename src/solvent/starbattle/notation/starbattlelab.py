"""Addresses of StarBattleLab: `https://www.starbattle.org/Main/?sbn=` and the board in its notation, see `sbn`."""

from __future__ import annotations

from urllib.parse import quote

from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.addresses import parameters, read_address
from solvent.starbattle.notation.sbn import format_sbn, parse_sbn

ADDRESS = "https://www.starbattle.org/Main/?sbn="


def parse_starbattlelab(text: str) -> Puzzle:
    """Read an address."""
    content, line = read_address(text, "regions")
    code = parameters(line.text).get("sbn", "").partition("~")[0]
    if not code:
        raise line.place(len(line.text)).error(f"an address with the board in it, {ADDRESS}…")
    extras = content.extras.get("regions")
    # The code keeps its column, so that an error about one of its characters names the right one.
    start = line.column - 1 + max(line.text.find(code), 0)
    lines = "\n" * (line.number - 1)
    return parse_sbn(f"{lines}{' ' * start}{code}" + (f" #regions={extras.text}" if extras is not None else ""))


def format_starbattlelab(puzzle: Puzzle) -> str:
    """Write an address."""
    code, blank, extras = format_sbn(puzzle).rstrip("\n").partition(" ")
    return f"{ADDRESS}{quote(code, safe='')}{blank}{extras}\n"
