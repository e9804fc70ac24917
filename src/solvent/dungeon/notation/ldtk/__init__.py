"""LDtk projects, read and written.

**Levels** that lie side by side in the world (GridVania, Free) are joined: they are one floor, and one walks from one
into the next where they touch; each is a room of that floor. Levels that touch no other are floors of their own, and
so are those of each depth, of each world, and of linear layouts, which only line levels up. Other ways between levels
are entities `Stairs`, `Warp`, `Door` or `Passage` with a field `target`, an entity reference. A level is called by its
field `name`, or else its identifier (one that is alone has no name without the field). Levels that overlap are not
joined, and those off the grid are moved to the nearest tile; remarks say so.

Levels may be files (.ldtkl) beside the project. Such a file can be read alone: its project, found above its folder or
beside it, says what its values mean.

**Terrain** is what the values of IntGrid layers are called: `wall` (`solid`), `floor` (`ground`), `water`, one-way
`north`, `east`, `south`, `west`, or `nothing`. A value with another name, or none, is what its layer is called, such
as `Walls` or `Collisions`. The highest layer that has a value counts. A cell without any is nothing if there is a
value for floor in the project, and floor if there is none. Layers may have grids of several sizes, and offsets: a tile
is then as large as divides all grids, and a remark says so.

**Entities** are objects of the class that their identifier names, and their fields are its properties: see
`editor.reading`. What is a name there is a field `name` here. Links are entity references, or points for a `target`
on the same level. Entities with the tag `ignore` are left out.

**The project as a whole** has level fields, in one level only: `title`, `rules`, `moves`, `missing`; see
`editor.settings`.

Written is a level for each floor, with definitions of all entities and fields, so that one can go on in the editor.
Reading it gives the same dungeon.
"""
