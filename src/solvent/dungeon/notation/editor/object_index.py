"""The objects of a map, found by id, name and class, and the links between them."""

from __future__ import annotations

from solvent.dungeon.notation.editor.objects import EditorMap, PlacedObject, clean_name
from solvent.formats.tiled.model import ObjectLink


class ObjectIndex:
    """Find objects."""

    def __init__(self, found: EditorMap) -> None:
        self.objects, self.left_out = found.objects, found.left_out
        self.by_id: dict[str, PlacedObject] = {}
        self.by_name: dict[str, list[PlacedObject]] = {}
        for thing in self.objects:
            if self.by_id.setdefault(thing.id, thing) is not thing:
                raise thing.error("an id that no other object has", thing.id)
            if thing.name:
                self.by_name.setdefault(thing.name, []).append(thing)

    def of(self, *kinds: str) -> list[PlacedObject]:
        """Return the objects of some classes."""
        return [thing for thing in self.objects if thing.kind in kinds]

    def item_name(self, thing: PlacedObject) -> str:
        """Return the name of an item."""
        name = thing.text("item", otherwise=thing.name)
        if not name:
            raise thing.error("an item with a name")
        return name

    def switch_name(self, thing: PlacedObject) -> str:
        """Return the name of a switch; one that says itself what it works is a switch of its own."""
        name = thing.text("switch", otherwise=thing.name)
        if not name and thing.find("opens") is not None:  # it says itself what it works, and that alone
            switches = self.of("switch", "lever")
            nameless = [other for other in switches if not other.name and other.find("switch") is None]
            return f"switch {[other.id for other in nameless].index(thing.id) + 1}"
        return name or "switch"

    def linked(self, thing: PlacedObject, word: str, given: object = None) -> PlacedObject:
        """Return the object that a property, or `given`, links to, by id or by name."""
        given = thing.find(word) if given is None else given
        if isinstance(given, list) and len(given) == 1:
            given = given[0]
        if isinstance(given, ObjectLink) and given.id in self.left_out:
            raise thing.error(f"{word}: a link to an object that is not left out", given)
        if isinstance(given, ObjectLink) and given.id in self.by_id:
            return self.by_id[given.id]
        if isinstance(given, int) and not isinstance(given, bool) and str(given) in self.by_id:
            return self.by_id[str(given)]
        if isinstance(given, str):
            called = [other for other in self.by_name.get(clean_name(given), ()) if other is not thing]
            if len(called) > 1:
                raise thing.error(f"{word}: the name of one object, but several have it", given)
            if called or given in self.by_id:
                return called[0] if called else self.by_id[given]
        raise thing.error(f"{word}: a link to an object, or its name, but there is none such", given)
