"""LDtk projects, versions 0.9 to 1.5: read into one model, also those whose levels are files of their own.

`shapes` says what the JSON may hold, `reading` finds the files and makes the `model` of it, `worlds` says which levels
lie beside each other. What values, entities and fields mean is up to the domains.
"""
