"""Dungeons in every format, to and from the model; `solvent.dungeon.formats` lists the formats."""
