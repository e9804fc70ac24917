"""The parts of an abstract graph. Data, no logic."""

from __future__ import annotations

from typing import NamedTuple

from solvent.dungeon.model import Place


class Point(NamedTuple):
    """Hold a point of interest."""

    number: int
    place: Place
    kinds: tuple[str, ...]
    """Some of `solvent.dungeon.interest.ALL_KINDS`, in that order."""
    names: tuple[str, ...]
    """What lies or stands there, in words."""
    room: str
    """The room it lies in; empty between rooms, as in a doorway."""
    distance_to_goal: int | None
    """D_abs: moves to the nearest goal with every gate open; None if there is no way even then."""


class RoomTable(NamedTuple):
    """Hold the walks within one room: between its points, and those on its border."""

    room: str
    """Its name; empty for what lies between rooms."""
    points: tuple[int, ...]
    """The numbers of the points, rising."""
    distances: tuple[tuple[int | None, ...], ...]
    """d_r(i, j): moves from the i-th of these points to the j-th without leaving the room; None if there is no way."""


class Edge(NamedTuple):
    """Hold an edge of the abstract graph: a shortest walk that crosses no other point, or a way that is taken."""

    source: int
    target: int
    cost: int
    """c_abs: its length in moves. It is exact; penalties are no part of it."""
    room: str
    """The room that the walk is in; empty between rooms and for ways."""
    way: int | None = None
    """The number of the way that is taken; None for a walk."""
    returns: bool = False
    """Whether it is a return to the start."""


class Leg(NamedTuple):
    """Hold a macro of the abstract plan: the walk along one edge."""

    source: int
    target: int
    moves: str
    """The moves, such as `EEES 12`."""
    cost: int
