"""The extension for Tiled: one script, and the folder that Tiled loads scripts from."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SCRIPT = "solvent.js"
_FLATPAK = ".var/app/org.mapeditor.Tiled/config/tiled"


def script_text() -> str:
    """Return the extension."""
    return (Path(__file__).parent / SCRIPT).read_text(encoding="utf-8")


def extensions_folder() -> Path:
    """Return where Tiled looks for the extensions of this user, whether the folder is there or not."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Tiled" / "extensions"
    if sys.platform == "darwin":
        return home / "Library" / "Preferences" / "Tiled" / "extensions"
    configuration = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "tiled"
    if not configuration.is_dir() and (home / _FLATPAK).is_dir():
        configuration = home / _FLATPAK
    return configuration / "extensions"
