"""Boards of our own: each file shows one thing, names it in `# Title:` and says the verdict in `# Expected:`."""
