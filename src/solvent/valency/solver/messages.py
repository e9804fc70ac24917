"""A clash in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.valency.phrases import Wording
from solvent.valency.solver.clash_elements import Element
from solvent.valency.solver.network import Network


def clash_in_words(network: Network, elements: Sequence[Element]) -> str:
    """Say which few parts of a task cannot all hold."""
    return Wording(network.staging, network.cache, network.placement).clash(elements)
