"""Reasons why a state of a dungeon can never be won."""

from __future__ import annotations

from solvent.dungeon.invalidity.reverse_reachability import RelaxedReverseReachability

__all__ = ["RelaxedReverseReachability"]
