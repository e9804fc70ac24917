"""What a run found, in the formats that build systems read. Everything is made from the store, one row at a time.

`entry.py` says what is wrong and where; each format is a module with a writer that is given one entry after the other;
`writing.py` makes the files.
"""
