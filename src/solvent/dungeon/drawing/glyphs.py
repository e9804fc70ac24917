"""Choose the characters that stand for the things of a dungeon in a terminal.

Where the text format has a character of its own for a thing, that is used. Keys, items and switches with names get a
small letter, and what they open the capital of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from solvent.drawing.palette import FAINT_INK, GOLD, WHITE, Paint, mix
from solvent.dungeon.drawing.colours import BEAST, LEVER, RULED, STONE, TREASURE
from solvent.dungeon.drawing.signs import Names, names_in
from solvent.dungeon.events import name_gate, name_switch
from solvent.dungeon.model import Dungeon, Gate, Pickup
from solvent.dungeon.notation.requirements import describe_requirement

START, GOAL, BLOCK, STAIRS, WARP, WAY_END, DOORWAY = "@", "G", "o", "%", "&", '"', ":"
OPEN_GATE, SHUTTER, FALLEN = "/", "=", "≡"
LEVER_MARK, HELD_MARK, LATER_MARK, RENEWS_MARK = "|", "_", "°", "∞"
"""What stands behind the letter of a lever, of a plate to hold down, of what appears later and of what renews."""
MEANINGS = {
    START: "start",
    GOAL: "goal",
    BLOCK: "block",
    STAIRS: "stairs",
    WARP: "warp",
    WAY_END: "end of a way",
    DOORWAY: "doorway",
    OPEN_GATE: "open gate",
    SHUTTER: "shutter",
    FALLEN: "shutter that fell",
    "k": "key",
    "L": "lock",
    "b": "bombs",
    "B": "cracked wall",
    "m": "monster",
    LEVER_MARK: "lever",
    HELD_MARK: "held plate",
    LATER_MARK: "appears later",
    RENEWS_MARK: "comes back",
}
_TAKEN = {*MEANINGS, *"GgKlMO^>v<V#.~_+!*X"}
_SPARE = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξπρστυφχψω"


class Glyphs(Struct):
    """Hold the characters chosen for a dungeon, their paints, and what those used stand for."""

    pickup: dict[tuple[str, str], str] = field(default_factory=dict)
    """By kind and name."""
    gate: dict[tuple[str, tuple[str, ...]], str] = field(default_factory=dict)
    """By kind and needs; those with a rule by that, in words."""
    plate: dict[str, str] = field(default_factory=dict)
    """By the name of the switch."""
    paint: dict[str, Paint] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=lambda: dict(MEANINGS))

    def of_pickup(self, pickup: Pickup) -> str:
        """Return the character of a pickup."""
        return self.pickup[pickup.kind, pickup.name]

    def of_gate(self, gate: Gate) -> str:
        """Return the character of a gate that is not open."""
        return SHUTTER if gate.kind == "soft" else self.gate[gate.kind, _needs(gate)]


def choose_glyphs(dungeon: Dungeon) -> Glyphs:
    """Choose a character for each thing; with very many names, the last ones share a question mark."""
    chosen = Glyphs()
    names = names_in(dungeon)
    chosen.pickup |= {("key", ""): "k", ("bombs", ""): "b", ("monster", ""): "m"}
    chosen.gate |= {("lock", ("",)): "L", ("cracked", ()): "B"}
    chosen.paint |= {"k": WHITE, "L": WHITE, "m": BEAST, "B": mix(STONE, WHITE, 0.4), GOAL: GOLD}
    chosen.paint |= {"b": (40, 40, 40), SHUTTER: FAINT_INK, BLOCK: (201, 183, 156)}
    taken = set(_TAKEN)
    for colour in sorted({*names.key_paints} - {""}):
        small = next(_letters(colour, taken), "?")
        chosen.pickup["key", colour], chosen.gate["lock", (colour,)] = small, small.upper()
        chosen.meanings |= {small: f"{colour} key", small.upper(): f"{colour} lock"}
        chosen.paint |= dict.fromkeys((small, small.upper()), names.key_paints[colour])
    for item in sorted({*names.item_letters} - {""}):
        small = next(_letters(item, taken), "?")
        chosen.pickup["item", item], chosen.gate["item", (item,)] = small, small.upper()
        chosen.meanings |= {small: item, small.upper(): f"gate for {item}"}
        chosen.paint |= dict.fromkeys((small, small.upper()), TREASURE)
    for switch in sorted({*names.switch_letters} - {""}):
        small = next(_letters(switch, taken), "?")
        chosen.plate[switch], chosen.gate["barrier", (switch,)] = small, small.upper()
        chosen.meanings |= {small: name_switch(switch), small.upper(): f"barrier of {switch}"}
        chosen.paint |= dict.fromkeys((small, small.upper()), LEVER)
    for gate in dungeon.gates:
        if gate.kind == "item" and (gate.kind, gate.needs) not in chosen.gate:
            letter = next(_letters(gate.needs[0], taken), "?").upper()
            chosen.gate[gate.kind, gate.needs] = letter
            chosen.meanings[letter] = name_gate(Gate(gate.kind, gate.needs)).removeprefix("the ")
            chosen.paint[letter] = TREASURE
    for gate in dungeon.gates:
        if gate.kind == "rule" and (gate.kind, _needs(gate)) not in chosen.gate:
            letter = next(_letters(gate.name or "rule", taken), "?").upper()
            chosen.gate[gate.kind, _needs(gate)] = letter
            chosen.meanings[letter] = describe_rule_gate(gate, names)
            chosen.paint[letter] = RULED
    if dungeon.goal_rule is not None:
        chosen.meanings[GOAL] = f"goal (needs {describe_requirement(dungeon.goal_rule)})"
    chosen.meanings["?"] = "something else"
    return chosen


def describe_rule_gate(gate: Gate, names: Names) -> str:
    """Say what the sign of a gate with a rule stands for: `east door (needs the bow)`."""
    if gate.rule is None:
        return gate.name or "gate"
    return f"{names.rule_gates[gate.rule]} (needs {describe_requirement(gate.rule)})"


def _needs(gate: Gate) -> tuple[str, ...]:
    return gate.needs if gate.rule is None else (describe_requirement(gate.rule),)


def _letters(name: str, taken: set[str]) -> Iterator[str]:
    """Yield a small letter that is free, and its capital with it: one of the name if there is one."""
    for letter in [*name.lower(), *_SPARE]:
        if letter.isalpha() and letter in _SPARE and not {letter, letter.upper()} & taken:
            taken |= {letter, letter.upper()}
            yield letter
