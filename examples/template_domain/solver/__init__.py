"""How lamps is solved. A folder, because a second solver comes sooner than one thinks."""

from __future__ import annotations

from template_domain.solver.breadth_first import solve

__all__ = ["solve"]
