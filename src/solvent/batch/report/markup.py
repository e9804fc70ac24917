"""The markup that reports are written in; it is the one of pictures."""

from __future__ import annotations

from solvent.drawing.markup import VOID, Child, Markup, escape, join, tag

__all__ = ["VOID", "Child", "Markup", "escape", "join", "tag"]
