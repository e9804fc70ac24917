"""Tiled maps, in JSON (TMJ) and XML (TMX), read and written.

**Tiles.** The map is orthogonal or isometric; hexagonal and staggered ones are refused. What a tile of a tile layer is
follows from the first of these that is there:

| where | says |
| --- | --- |
| property `terrain` of the tile | `floor`, `wall`, `water`, or one-way `north`, `east`, `south`, `west` |
| property `walk` of the tile | true: floor; false: wall |
| class of the tile | one of the words of `terrain` |
| the same three on the layer | |
| name of the layer | `walls`, `collision`, `solid`: wall; `water`; `floor`, `ground` |

The highest layer that says something counts; where none does, a tile is floor; a cell without any tile is nothing.
A tile whose class is a class of objects is an object that stands there; gates that touch and look the same are one.
Layers of class `ignore` are left out, and so are image layers. Offsets of layers and groups move what is in them, by
whole tiles and by the pixel for objects; on an isometric map they only show how high a layer is. Visibility does not
matter.

**Objects** are of a class (in older versions of Tiled, a type), and have properties: see `editor.reading`. An object
that shows a tile has the class and properties of the tile where it has none of its own. Objects without a class are
left out. To show that something is linked (`target`, `gate`, `part_of`), use a property of type object.

**Floors.** A map is one floor, unless it says otherwise in one of these ways:

- objects of class `floor`: rectangles around the floors, which lie side by side on the map; tiles outside are nothing;
- groups of class `floor`, or at the top called such as `Floor 2`, `Level 1`, `B1` or `2F`: floors above each other;
- a text property `floor` of a layer or group: the name of its floor.

**The map as a whole** has properties: `title`, `rules`, `moves`, `missing`: see `editor.settings`.

**Properties** that an object does not have itself are those of its template, of its tile, and of its class, in this
order. Classes are looked for in a `.tiled-project`, `objecttypes.xml` or `objecttypes.json`, in the folder of the map
and up to four above it. A property that is a record of a class is taken apart: `lock.color`.

**Worlds** (.world) are maps side by side: those that touch are one floor, and each is a room of it; floors of one name
are joined across maps. Maps that touch no other are floors of their own.

Layers may be CSV, base64 with no, zlib, gzip or (with a library) zstd compression, or XML; maps may be infinite, and
are then cut to what they show. Tilesets (.tsx, .tsj, .json) and templates (.tx, .tj) may be in files.

Written are floors side by side on one layer, with a tileset that says `terrain` and `walk`, and all the rest as
objects with links that Tiled draws as arrows. Reading it gives the same dungeon.
"""
