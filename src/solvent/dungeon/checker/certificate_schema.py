"""The bodies of dungeon certificates as they stand in JSON, and whether they were made under the dungeon's rules."""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.errors import show_value
from solvent.dungeon.model import Dungeon, Rules


class RulesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Hold the rules a certificate was made under: every field of `model.Rules`.

    Rules that came later have a default, so that older certificates can still be read.
    """

    keys: list[tuple[str, int]]
    bombs: int | None
    items: list[str]
    bombs_per_pickup: int
    keys_counted: bool
    water: str
    crossing: str
    soft: str
    push: str
    player: str
    blocks: str = "stay"
    home: str = "never"
    collect: list[str] = []
    accessibility: str = "full"


class Ruled(msgspec.Struct):
    """Hold what every body has."""

    rules: RulesBody


class SituationBody(msgspec.Struct, forbid_unknown_fields=True):
    """Hold one situation: all states that differ only in where in a region the player stands."""

    at: tuple[int, int, int]
    """Any place of the region: floor, row, column."""
    taken: list[int] = []
    """Numbers of the keys, bombs and monsters taken; also of items where it matters how many there are."""
    items: list[str] = []
    """Names of the items held."""
    opened: list[int] = []
    """Numbers of the locks and cracked walls opened."""
    fallen: list[int] = []
    """Numbers of the soft-locked doors that fell shut."""
    on: list[str] = []
    """Names of the switches that are on; not of those that are held."""
    moved: list[tuple[int, str]] = []
    """Numbers of the blocks that are not where they stood at first, each with the walk from there: rows before
    columns."""
    dials: list[tuple[str, str]] = []
    """Names of the switches with states of their own that are not in the first of them, each with its state."""
    stock: list[tuple[str, int]] = []
    """Resources that renew somewhere, such as `bombs` or `key red`, and how many are in hand, if any: up to the number
    of gates that are still shut and take one, and the most that any requirement asks for."""


class PlanBody(Ruled):
    """Hold a plan: moves that end on a goal."""

    plan: list[str]


class ClosedSetBody(Ruled):
    """Hold situations that no move leaves; `read_situation` reads each."""

    states: list[Any]
    waived: list[int] = []
    """Numbers of gates that stand open in the situations and take nothing, sorted."""


class LostWalkBody(Ruled):
    """Hold a walk that loses, the situations it ends among, and the way to a goal there was before its last move."""

    walk: list[str]
    states: list[Any]
    rescue: list[str]
    waived: list[int] = []
    """Numbers of gates that stand open in the situations and take nothing, sorted."""


class SafeBody(Ruled):
    """Hold all situations there are, and for each how many of them may lie before a goal."""

    states: list[Any]
    ranks: list[int]


class SurplusBody(Ruled):
    """Hold what the way to a goal needs, and how much there is to spend at each door, even if all else came first."""

    goal: tuple[int, int, int]
    items: list[tuple[str, int]]
    """Names of the items needed on the way, each with the number of the pickup to fetch, in an order that works."""
    least: list[tuple[int, int]]
    """Numbers of the gates that take a key or a bomb, sorted, each with so much that is always in hand before it."""
    detours: list[list[tuple[int, int, int]]] = []
    """Ways into zones that no door leads into from the last zone before them that cannot be avoided: a place in each
    zone after that one."""


class StageBody(msgspec.Struct, forbid_unknown_fields=True):
    """Hold why one thing can be reached from every state there is."""

    states: list[Any]
    """Homes, each a situation with every forgotten gate shut."""
    ranks: list[int]
    item: str | None = None
    """The item to be had; None for the goal."""
    forgotten: list[int] = []
    """Numbers of gates of which it is not known whether they are open, sorted."""
    step_by_step: bool = False
    """Whether taking something is a move like any other."""


class WithinReachBody(Ruled):
    """Hold what can be reached from every state there is, one thing after the other; the last one is a goal."""

    stages: list[StageBody]


def read_situation(data: object, number: int) -> SituationBody:
    """Return one situation of a certificate, or raise as msgspec does for the whole.

    A list of a million is not read at once: that would take seconds in which no limit is looked at.
    """
    try:
        return msgspec.convert(data, SituationBody)
    except msgspec.ValidationError as error:
        said = str(error)
        where = said.replace("`$", f"`$.states[{number}]") if "`$" in said else f"{said} - at `$.states[{number}]`"
        raise msgspec.ValidationError(where) from None


def rules_violations(dungeon: Dungeon, certificate: Certificate) -> list[str]:
    """Return each rule that the certificate and the dungeon do not share."""
    stated = msgspec.convert(certificate, Ruled).rules
    made_under = Rules(
        **{
            **msgspec.structs.asdict(stated),
            "keys": tuple(stated.keys),
            "items": tuple(stated.items),
            "collect": tuple(stated.collect),
        }
    )
    found = []
    for field in RulesBody.__struct_fields__:
        stated_value, value = getattr(made_under, field), getattr(dungeon.rules, field)
        if stated_value != value:
            found.append(
                f"made under other rules: {field}={show_value(stated_value)}, "
                f"the dungeon has {field}={show_value(value)}"
            )
    return found
