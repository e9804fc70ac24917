"""LDtk projects, read and written.

**Levels** are floors, in the order of the file; a level is called by its field `name`, or else its identifier (one
that is alone has no name without the field). Levels that lie beside each other in the world are not joined: use
entities `Stairs`, `Warp`, `Door` or `Passage` with a field `target`, an entity reference. Projects with several worlds
are read, and levels in files (.ldtkl) beside the project too.

**Terrain** is what the values of IntGrid layers are called: `wall` (`solid`), `floor` (`ground`), `water`, one-way
`north`, `east`, `south`, `west`, or `nothing`. A value with another name, or none, is what its layer is called, such
as `Walls` or `Collisions`. The highest layer that has a value counts. A cell without any is nothing if there is a
value for floor in the project, and floor if there is none.

**Entities** are objects of the class that their identifier names, and their fields are its properties: see
`editor.reading`. What is a name there is a field `name` here. Links are entity references, or points for a `target`
on the same level. Entities with the tag `ignore` are left out.

**The project as a whole** has level fields, in one level only: `title`, `rules`, `moves`, `missing`; see
`editor.settings`.

Written is a level for each floor, with definitions of all entities and fields, so that one can go on in the editor.
Reading it gives the same dungeon.
"""
