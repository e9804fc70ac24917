"""Name dungeons and their rooms. No two rooms of a dungeon have the same name."""

from __future__ import annotations

from solvent.engine.dice import Dice

NOUNS = (
    "hall", "crypt", "chapel", "armoury", "library", "cellar", "kitchen", "gallery", "vault", "shrine", "forge",
    "stable", "pantry", "study", "tomb", "well", "nursery", "larder", "den", "guard room", "workshop", "treasury",
    "bath", "dormitory", "archive", "brewery", "theatre", "mint", "observatory", "aviary", "refectory", "cloister",
    "court", "laundry", "loft", "mill", "bakery", "lodge", "parlour", "smithy", "sacristy", "cistern", "kennel",
    "museum", "barracks", "orangery", "cell", "lobby",
)  # fmt: skip
KINDS = (
    "old", "red", "grey", "cold", "damp", "low", "dim", "quiet", "lost", "dusty", "narrow", "painted", "burnt",
    "mossy", "broken", "gilded", "hollow", "black", "white", "windy", "sunken", "upper", "lower", "hidden", "crooked",
    "empty", "tiled", "crowded", "bright", "stony", "sooty", "salt", "iron", "copper", "oak", "bone", "winter",
    "summer", "east", "west", "north", "south", "inner", "outer", "long", "round",
)  # fmt: skip
PLACES = (
    "Keep",
    "Maze",
    "Abbey",
    "Mines",
    "Tower",
    "Palace",
    "Caves",
    "Barrow",
    "Fort",
    "Labyrinth",
    "Temple",
    "Manor",
)
OWNERS = ("Owls", "Rust", "Echoes", "the Moon", "Thorns", "Salt", "Bells", "Ash", "the Heron", "Moths", "Ivy", "Frost")


def name_rooms(dice: Dice, count: int) -> list[str]:
    """Return names for so many rooms: plain ones as far as they go, then with an adjective each."""
    plain = dice.shuffled(NOUNS)
    if count <= len(plain):
        return plain[:count]
    both = dice.shuffled([f"{kind} {noun}" for noun in NOUNS for kind in KINDS])
    return dice.shuffled([*plain, *both[: count - len(plain)]])


def name_dungeon(dice: Dice) -> str:
    """Return a title."""
    if dice.chance(50):
        return f"The {dice.choice(PLACES)} of {dice.choice(OWNERS)}"
    return f"The {dice.choice(KINDS).capitalize()} {dice.choice(PLACES)}"
