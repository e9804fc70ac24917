"""One toolkit for files: a domain's formats as a table, typed JSON, files that another file names, Tiled, JSON layout.

Where does a new format of a domain go?

1. Write `notation/x.py` with `parse_x` and `format_x`, which undo each other.
2. Add a row to the table in the domain's `formats.py`: name, description, how to recognise it, both functions.
3. Add a test; the conformance tests take every row of every table as it is.
"""
