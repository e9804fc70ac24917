"""Tests of solvent.proof."""
