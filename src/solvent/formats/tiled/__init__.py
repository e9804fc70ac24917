"""Tiled's maps and tilesets in XML (TMX, TSX) and JSON (TMJ, TSJ): read into one model, written from one.

`parsing` shows either notation as the elements of XML, `maps` and `terrain_sets` read them, `writing` writes maps.
What tiles, objects and properties mean is up to the domains.
"""
