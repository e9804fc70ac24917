"""Logic of randomizers in JSON, read as a dungeon of places, checked against a playthrough, and written.

A file holds **regions** with exits and locations, what lies where, what the player has at the start, and what winning
takes. `docs/reference/dungeon-logic.md` describes every field. In the dungeon

- each region is a place, and so is each location: it hangs off its region by a way in, barred by its rule, and a free
  way back, so that plans and spheres name it;
- each exit is a way, and its rule a gate: of the kind `item` if it asks for single items and all of them, of the kind
  `lock` if it uses its item up, and of the kind `rule` otherwise;
- winning is a place of its own, with a way there that the goal's rule bars;
- the player can go back to the start at any time (`home=always`), unless the file says otherwise: logic of this kind
  asks what can be reached, never where the player stands.

**Being able to reach something**, as a rule, becomes an item that lies there: a player who can reach a place can go
there, take the item, and be back at the start. That is the same as long as nothing is used up on the way, no rule asks
for something not to be had, and one can go back; where it is not the same, the file is refused.

**Counting over several items** (so many of a list or group) becomes one more item that lies beside each of them, so
that having so many of the list is having so many of that item.

The modules: `shapes` and `fields` (what the JSON may hold, and what becomes of the rest), `rules` (the notations of
rules), `logic` (what a file says), `reading`; `names` and `resolving` (from the file's names and conditions to those of
dungeons), `building`; `spheres` and `playthrough` (what can be had when, and how that differs from what the file says);
`writing`.
"""
