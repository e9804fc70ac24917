"""Configurations of DeBroglie in JSON, each of which is a task: a sample or adjacencies, a size, and constraints.

`reading` puts a task together, `sources` reads what it is learned from, `rotations` knows what tiles become when they
are turned, and `constraints` has a table with one line for each kind of constraint.
"""
