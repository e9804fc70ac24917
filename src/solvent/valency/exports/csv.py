"""Write module data as CSV: a heading, then one line for each node."""

from __future__ import annotations

import csv
import io

from solvent.valency.exports.module_data import ModuleData, all_properties

COLUMNS = ("node", "name", "x", "y", "z", "module", "key", "module_name", "data", "flags", "variant")
LAST_COLUMNS = ("module_data", "placed_x", "placed_y", "placed_z")


def write_csv(data: ModuleData) -> bytes:
    """Write the nodes with their modules; each property of a module is a column named `property:` and its name.

    Flags stand in one column between bars, such as `fixed|boundary`.
    """
    known = sorted({name for each in all_properties(data.staging) for name in each})
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"property:{name}" for name in known), *LAST_COLUMNS])
    for node in data.nodes():
        writer.writerow(
            [
                node.number,
                node.name or "",
                *(repr(part) for part in node.position),
                node.module_number,
                "" if node.module is None else node.module.key,
                "" if node.module is None else node.module.name,
                node.packed,
                "|".join(node.flags),
                "" if node.variant is None else node.variant,
                *(_show(node.properties.get(name, "")) for name in known),
                node.module_data,
                *(repr(part) for part in node.placed),
            ]
        )
    return out.getvalue().encode("utf-8", "backslashreplace")


def _show(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
