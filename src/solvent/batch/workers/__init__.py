"""Processes that work for a leader: how they are started, given jobs, watched over and replaced."""
