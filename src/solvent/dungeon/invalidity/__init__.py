"""Reasons why a state of a dungeon can never be won. Each forgets some rules, and so is an over-approximation."""

from __future__ import annotations

from solvent.dungeon.invalidity.bounded_supply import BoundedSupply, ResourceBound
from solvent.dungeon.invalidity.reverse_reachability import RelaxedReverseReachability

__all__ = ["BoundedSupply", "RelaxedReverseReachability", "ResourceBound"]
