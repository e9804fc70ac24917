"""Valency: fill the nodes of any graph with modules whose rules say who may stand beside whom."""

from __future__ import annotations

from solvent.valency.domain import DOMAIN

__all__ = ["DOMAIN"]
