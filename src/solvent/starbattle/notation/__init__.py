"""Puzzles as text in every format, each with a `parse_x` and a `format_x` that undo each other.

Every format takes every puzzle. Where it has no words for marks, for the stars or for a region in pieces, they follow
as extras that other programs ignore; `reading` says how they look, and each format's module which ones it may need.
`solvent.starbattle.formats` lists the formats.
"""
