"""Show what very many instances take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console


def show_scale(console: Console, results: Mapping[str, Any]) -> None:
    """Print what was measured."""
    for name, step in results["steps"].items():
        console.print(
            f"{name}: {step['seconds']:,.1f} s, CPU {step['cpu_seconds']:,.1f} s, {step['leader_megabytes']} MB"
        )
    for name in results["missing"]:
        console.print(f"{name}: not measured")
