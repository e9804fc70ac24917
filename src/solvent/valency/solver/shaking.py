"""Get a collapse going again that is stuck: far around the contradiction, everything starts again with new draws.

Mending nearby gives up soon, because most contradictions that it does not mend have a cause further away. Starting
again within a wider and wider ball costs a part of a new collapse, and keeps all that is well.
"""

from __future__ import annotations

import numpy as np

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener
from solvent.valency.solver.collapse_kernel import STUCK
from solvent.valency.solver.filling import Filling, Watch

FIRST_RADIUS, WIDER = 10, 2
"""How far around a contradiction nodes start again, and by how much further each time."""
MAX_SHAKES = 12
"""How often the same node may start again this way."""
NODES_A_SHAKE = 500
"""On large networks, how many nodes there are for each time more that it may happen at all."""


def shake_free(filling: Filling, meter: Meter, listen: Listener, watch: Watch | None) -> tuple[int, Reason | None]:
    """Go on from a collapse that is stuck; returns how it ends, or why it was cut short."""
    shaken = np.zeros(filling.network.nodes, dtype=np.int32)
    status: int = STUCK
    for _ in range(MAX_SHAKES + filling.network.nodes // NODES_A_SHAKE):
        times = int(shaken[filling.place])
        if times == MAX_SHAKES:
            break
        nodes = filling.around(filling.place, FIRST_RADIUS + WIDER * times)
        shaken[nodes] += 1
        filling.start_again(nodes)
        filling.failures[nodes] = 0
        status, reason = filling.run(meter, listen, watch)
        if reason is not None or status != STUCK:
            return status, reason
    return status, None
