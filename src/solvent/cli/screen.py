"""Whether somebody sits at this terminal, on a desktop where a page can be opened."""

from __future__ import annotations

import os
import sys


def has_desktop() -> bool:
    """Tell whether output goes to a terminal on a machine with a display."""
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.stdout.isatty() and (
        sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in displays)
    )
