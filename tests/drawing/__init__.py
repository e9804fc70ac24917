"""Tests of solvent.drawing."""
