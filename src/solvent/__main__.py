"""Run the command as `python -m solvent`."""

from __future__ import annotations

from solvent.cli.start import main

if __name__ == "__main__":
    raise SystemExit(main())
