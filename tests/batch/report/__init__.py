"""The page about a run, and the one that compares two."""
