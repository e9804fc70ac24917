"""Tests of solvent.engine."""
