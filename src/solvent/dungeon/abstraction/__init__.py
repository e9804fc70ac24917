"""The abstract graph of a dungeon: points of interest, walks within rooms, and what is left to the goal.

Every gate that can ever open counts as open, and every block that can be pushed as out of the way. So each distance is
a lower bound of what a player needs, and exact in this easier dungeon: `distance_to_goal` is what the solver's estimate
rests on.

Why the graph keeps the distances of tiles: a walk over tiles can be cut at the points it crosses. Between two of them
it stays in one room, since where rooms meet there is a point; so each piece is no shorter than the entry of that room's
table, which is a walk itself.
"""

from __future__ import annotations

from solvent.dungeon.abstraction.building import Abstraction, TooLarge
from solvent.dungeon.abstraction.data import abstraction_data
from solvent.dungeon.abstraction.parts import Edge, Leg, Point, RoomTable

__all__ = ["Abstraction", "Edge", "Leg", "Point", "RoomTable", "TooLarge", "abstraction_data"]
