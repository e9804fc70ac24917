"""Write module data as CSV: a heading, then one line for each node."""

from __future__ import annotations

import csv
import io

from solvent.valency.exports.module_data import ModuleData, all_properties, flag_names
from solvent.valency.model import Graph
from solvent.valency.orbitals import node_positions

COLUMNS = ("node", "name", "x", "y", "z", "module", "key", "module_name", "data", "flags", "variant")


def write_csv(data: ModuleData) -> bytes:
    """Write the nodes with their modules; each property of a module is a column named `property:` and its name.

    Flags stand in one column between bars, such as `fixed|boundary`.
    """
    properties = all_properties(data.staging)
    known = sorted({name for each in properties for name in each})
    cluster = data.staging.cluster
    names = cluster.names if isinstance(cluster, Graph) else ()
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"property:{name}" for name in known)])
    for node, position in enumerate(node_positions(cluster).tolist()):
        module, number = data.module(node), int(data.modules[node])
        own = properties[number] if module is not None else {}
        flags = "|".join(flag_names(int(data.flags[node])))
        writer.writerow(
            [
                node,
                names[node] if names else "",
                *(repr(part) for part in position),
                number,
                "" if module is None else module.key,
                "" if module is None else module.name,
                int(data.packed[node]),
                flags,
                int(data.variants[node]) if data.variants[node] >= 0 else "",
                *(_show(own[name]) if name in own else "" for name in known),
            ]
        )
    return out.getvalue().encode("utf-8", "backslashreplace")


def _show(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
