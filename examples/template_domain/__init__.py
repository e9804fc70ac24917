"""Lamps: press a lamp and it and its neighbours change; light them all.

This folder is a complete domain to copy from; docs/adding-a-domain.md walks through it. Importing it must stay cheap:
the registry imports every domain to ask which one knows a file, so nothing heavy is imported here or in `domain.py`.
"""

from __future__ import annotations

from template_domain.domain import DOMAIN

__all__ = ["DOMAIN"]
