"""What the page shows of a task, and what can be done to it there."""

from __future__ import annotations

from solvent.valency.page.actions import play
from solvent.valency.page.data import MAX_NODES, MAX_NODES_OF_A_GRAPH, marks, page_data

__all__ = ["MAX_NODES", "MAX_NODES_OF_A_GRAPH", "marks", "page_data", "play"]
