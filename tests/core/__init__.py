"""Tests of solvent.core."""
