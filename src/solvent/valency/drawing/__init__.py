"""Draw clusters and what fills them: as text for a terminal, as SVG for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvent.core.answer import Certificate
from solvent.core.errors import BadOption, unknown_name
from solvent.valency.model import Lattice, Staging

__all__ = ["draw_svg", "draw_text"]

VIEWS = ("modules", "candidates", "depth")


def draw_svg(
    staging: Staging,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    highlights: Mapping[str, Any] | None = None,
    view: str | None = None,
    bare: bool = False,
) -> str:
    """Draw a task as a self-contained SVG picture; the same task always gives the same bytes.

    `view` is `modules`, `candidates` for how many modules are possible on each node, or `depth`, which shows several
    floors as cubes and is like `modules` for a single one. A certificate adds the fill it
    holds, or what clashes. `highlights` may hold `nodes` and `edges` (pairs of nodes) to look at, `fill` (a module for
    each node) and `candidates` (a number for each node). What does not fit raises ParseError; there are no moves. A
    `bare` picture has no heading and no key.
    """
    _refuse(view, move)
    from solvent.valency.drawing.overlay import read_overlay

    overlay = read_overlay(staging, certificate, highlights, view)
    if view == "depth":
        from solvent.valency.drawing.cubes import is_deep

        if is_deep(staging) and isinstance(staging.cluster, Lattice):
            from solvent.valency.drawing.depth import draw_depth

            return draw_depth(overlay, staging.cluster, bare=bare)
    if staging.rules.art is not None:
        from solvent.valency.drawing.projection import project

        if (projection := project(staging)) is not None:
            from solvent.valency.drawing.projected import draw_projected

            return draw_projected(overlay, projection, bare=bare)
    if isinstance(staging.cluster, Lattice):
        from solvent.valency.drawing.lattice import draw_lattice

        return draw_lattice(overlay, staging.cluster, bare=bare)
    from solvent.valency.drawing.graph import draw_graph

    return draw_graph(overlay, staging.cluster, bare=bare)


def draw_text(
    staging: Staging,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    highlights: Mapping[str, Any] | None = None,
    view: str | None = None,
    colour: bool = False,
    bare: bool = False,
) -> str:
    """Draw a task as lines of text, at most 80 columns wide; takes what `draw_svg` takes.

    Escape codes paint it if `colour` is true; everything can be told apart without them. A `bare` drawing has no
    heading and no key.
    """
    _refuse(view, move)
    from solvent.valency.drawing.overlay import read_overlay
    from solvent.valency.drawing.text import draw_lines

    return draw_lines(read_overlay(staging, certificate, highlights, view), colour=colour, bare=bare)


def _refuse(view: str | None, move: str | None) -> None:
    if view is not None and view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    if move is not None:
        raise BadOption(f"there are no moves in a cluster to mark, found {move!r}")
