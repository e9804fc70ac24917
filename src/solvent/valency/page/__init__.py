"""What the page shows of a task, and what can be done to it there."""

from __future__ import annotations

from solvent.valency.page.actions import play
from solvent.valency.page.data import MAX_NODES, MAX_NODES_OF_A_GRAPH, marks, page_data
from solvent.valency.page.editing import edit
from solvent.valency.page.entries import find_entries, read_entry
from solvent.valency.page.make_task import open_bytes
from solvent.valency.page.proof_steps import proof_steps
from solvent.valency.page.templates import templates
from solvent.valency.page.world_part import part

__all__ = [
    "MAX_NODES",
    "MAX_NODES_OF_A_GRAPH",
    "edit",
    "find_entries",
    "marks",
    "open_bytes",
    "page_data",
    "part",
    "play",
    "proof_steps",
    "read_entry",
    "templates",
]
