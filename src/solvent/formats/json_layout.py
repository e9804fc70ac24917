"""JSON for people: what fits into a line stands on one line, and the numbers of tiles stand in rows."""

from __future__ import annotations

import json
from typing import Any

LONGEST_LINE = 200
"""Letters in a line, unless what is in it cannot be parted: most objects fit into one."""


def lay_out_json(value: Any, indent: str = "", *, row: int = 0) -> str:
    """Write JSON; `row` is how many numbers stand in a row of a list, as its object says under `width` or `__cWid`."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= LONGEST_LINE or not value or not isinstance(value, dict | list):
        return short
    inner = indent + " "
    if isinstance(value, dict):
        row = int(value.get("width") or value.get("__cWid") or 0)
        parts = [
            f"{json.dumps(name, ensure_ascii=False)}: {lay_out_json(part, inner, row=row)}"
            for name, part in value.items()
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    if row and isinstance(value[0], int):
        rows = [", ".join(map(str, value[start : start + row])) for start in range(0, len(value), row)]
        return "[\n" + ",\n".join(inner + line for line in rows) + f"\n{indent}]"
    return "[\n" + ",\n".join(inner + lay_out_json(part, inner) for part in value) + f"\n{indent}]"
