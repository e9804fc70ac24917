"""Tests of the template domain; copy them along with it."""
