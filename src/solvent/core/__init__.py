"""The words every part of Solvent shares. Standard library and msgspec only; msgspec is imported late."""
