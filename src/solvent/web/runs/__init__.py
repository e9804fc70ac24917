"""Stores and the runs in them, for the page."""
