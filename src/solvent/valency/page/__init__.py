"""What the page shows of a task, and what can be done to it there."""

from __future__ import annotations

from solvent.valency.page.playing import play
from solvent.valency.page.showing import MOST_NODES, MOST_NODES_OF_A_GRAPH, show_scene

__all__ = ["MOST_NODES", "MOST_NODES_OF_A_GRAPH", "play", "show_scene"]
