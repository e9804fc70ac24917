"""The `solvent` command. `start` answers `--help` and `--version` at once; each other command is one module."""
