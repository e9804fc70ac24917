"""Level editors: check a level when it is saved, and show the findings where it is drawn.

`checking` asks what an editor asks and puts it in lines and JSON; `tiled` and `ldtk` bring that into each editor. No
domain is named here: which questions are asked on save, a domain says itself.
"""
