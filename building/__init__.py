"""How Solvent is built: see setup.py."""
