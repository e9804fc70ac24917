"""What opens a gate, door or way: keys, items, bombs, switches or monsters, however the object says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solvent.dungeon.model import Room
from solvent.dungeon.notation.editor.object_index import ObjectIndex
from solvent.dungeon.notation.editor.objects import GATE_CLASSES, WAY_CLASSES, PlacedObject, plain_word
from solvent.formats.tiled.model import ObjectLink


class Openers:
    """Know what opens each object; things that say two different things are refused."""

    def __init__(self, index: ObjectIndex, rooms: Sequence[Room]) -> None:
        self.index = index
        self.rooms = rooms
        self.worked_by: dict[str, str] = {}
        """The switch that works a door or barrier, by its id, where the switch says so."""
        self._read_workings()
        self.kept: Mapping[str, str] = self._find_kept_colours()
        """Items that stand for the keys of a colour whose locks give them back."""

    def _find_kept_colours(self) -> dict[str, str]:
        """Find the colours whose locks keep no key; a colour must be all one or all the other."""
        consumed: dict[str, bool] = {}
        for thing in self.index.objects:
            if self.gate_class(thing) == "lock" and not thing.names("requires"):
                consumes, colour = thing.flag("consumes", True), self._colour(thing)
                if consumed.setdefault(colour, consumes) != consumes:
                    raise thing.error("consumes: the same for all locks of a colour", consumes)
        return {colour: f"{colour} key".strip() for colour, consumes in consumed.items() if not consumes}

    def _read_workings(self) -> None:
        """Find what switches say that they open."""
        for thing in self.index.of("switch", "lever"):
            name, passed, waiting = self.index.switch_name(thing), set[str](), [thing]
            while waiting:
                holder = waiting.pop()
                for target in self._opened(holder):
                    if target.kind == "relay":
                        if target.id not in passed:
                            passed.add(target.id)
                            waiting.append(target)
                    elif target.kind not in ("barrier", *WAY_CLASSES):
                        raise holder.error("opens: links to doors, barriers or relays", target.kind)
                    elif self.worked_by.setdefault(target.id, name) != name:
                        raise holder.error("opens: doors that no other switch works", target.id)

    def _opened(self, thing: PlacedObject) -> list[PlacedObject]:
        """Return what a switch or relay links to; what was left out is not there."""
        given = thing.find("opens")
        links = given if isinstance(given, list) else [] if given is None else [given]
        return [
            self.index.linked(thing, "opens", link)
            for link in links
            if not (isinstance(link, ObjectLink) and link.id in self.index.left_out)
        ]

    def _opener(self, thing: PlacedObject) -> tuple[str, tuple[str, ...]] | None:
        """Return the class of gate and what it needs, where `opened_by` says so."""
        given = thing.find("opened_by")
        if given is None or str(given).lower() in ("false", "no", "none"):
            return None
        if str(given).lower() in ("true", "yes", "key", "keys", "small key", "any key"):
            return "lock", ("",)
        if isinstance(given, ObjectLink):
            return self._opener_of(thing, self.index.linked(thing, "opened_by"))
        if isinstance(given, list) and len(given) == 1 and isinstance(given[0], ObjectLink):
            return self._opener_of(thing, self.index.linked(thing, "opened_by", given[0]))
        names = [thing.text("opened_by")] if isinstance(given, int) else thing.names("opened_by")
        if [plain_word(name) for name in names] in (["bomb"], ["bombs"]):
            return "cracked", ()
        items = {self.index.item_name(other) for other in self.index.of("item")}
        colours = {other.text("color") for other in self.index.of("key")} - {""}
        if len(names) == 1 and (names[0] in items) != (names[0] in colours):
            return ("gate", (names[0],)) if names[0] in items else ("lock", (names[0],))
        if names and items.issuperset(names) and colours.isdisjoint(names):
            return "gate", tuple(sorted(set(names)))
        known = ", ".join(sorted({*items, *(f"{colour} (a key)" for colour in colours)})) or "there are none"
        raise thing.error(f"opened_by: the colour of a key or the name of an item ({known})", given)

    def _opener_of(self, thing: PlacedObject, other: PlacedObject) -> tuple[str, tuple[str, ...]]:
        if other.kind == "key":
            return "lock", (other.text("color"),)
        if other.kind == "item":
            return "gate", (self.index.item_name(other),)
        raise thing.error("opened_by: a link to a key or an item", other.kind)

    def _colour(self, thing: PlacedObject) -> str:
        """Return the colour of a lock."""
        opener = self._opener(thing)
        return opener[1][0] if opener is not None and opener[0] == "lock" else thing.text("color")

    def gate_class(self, thing: PlacedObject) -> str | None:
        """Return which class of gate an object is, or its way is barred by."""
        if thing.kind not in (*GATE_CLASSES, *WAY_CLASSES):
            return None
        kind = self._said_class(thing)
        self._require_consistent(thing, kind)
        return kind

    def _require_consistent(self, thing: PlacedObject, kind: str | None) -> None:
        """Refuse a gate that says two things about what opens it: one of them would be dropped."""
        ways = [
            word
            for word in ("color", "requires", "openedby", "switch", "room", "needs")
            if thing.find(word) is not None
        ]
        if self._opener(thing) is None:
            ways = [word for word in ways if word != "openedby"]
        if thing.id in self.worked_by and "switch" not in ways:
            ways.append("switch")
        is_link = thing.kind in WAY_CLASSES and self.links_to_gate(thing)
        if len(ways) > 1 or (is_link and ways):
            raise thing.error(f"one thing that opens it, but there are {', '.join([*ways, *['gate'] * is_link])}")
        fitting = {
            "lock": ("count", "consumes", "color", "requires", "openedby"),
            "gate": ("consumes", "requires", "openedby"),
            "cracked": ("requires", "openedby"),
            "barrier": ("switch", "open"),
            "soft": ("room",),
            "rule": ("needs",),
        }.get(kind or "", ())
        for word in ("count", "consumes", "open", *ways):
            is_used = word in fitting or (word == "switch" and thing.id in self.worked_by)
            is_open = kind is None and word == "open" and thing.flag("open", False)
            if thing.find(word) is not None and not is_used and not is_open:
                raise thing.error(f"{word}: nothing, since that does not go with a {kind or 'door that is open'}")
        if thing.find("locked") is not None and not thing.flag("locked", False) and (kind is not None or is_link):
            raise thing.error("locked: true, since something opens it", False)

    def links_to_gate(self, thing: PlacedObject) -> bool:
        """Tell whether a way says that another object is its gate."""
        given = thing.find("gate")
        return given is not None and not (isinstance(given, str) and plain_word(given) in GATE_CLASSES)

    def _said_class(self, thing: PlacedObject) -> str | None:
        opener = self._opener(thing)
        if thing.find("needs") is not None:
            return "rule"
        if thing.kind in GATE_CLASSES:
            return thing.kind if opener is None else opener[0]
        given = thing.find("gate")
        if isinstance(given, str) and plain_word(given) in GATE_CLASSES:
            return plain_word(given)
        if thing.id in self.worked_by:
            return "barrier"
        if opener is not None:
            return opener[0]
        if thing.find("color") is not None or (thing.flag("locked", False) and not self._is_barred(thing)):
            return "lock"
        for word, kind in (("requires", "gate"), ("switch", "barrier"), ("room", "soft")):
            if thing.find(word) is not None:
                return kind
        return None

    def _is_barred(self, thing: PlacedObject) -> bool:
        """Tell whether something else than a key is said to open it."""
        return any(
            thing.find(word) is not None for word in ("requires", "switch", "room", "needs")
        ) or self.links_to_gate(thing)

    def needs(self, thing: PlacedObject, kind: str) -> tuple[str, tuple[str, ...], bool]:
        """Return the kind of gate in the model, what it needs, and whether it is open at first."""
        if kind == "rule":
            return "rule", (), False
        opener = self._opener(thing)
        items = list(opener[1]) if opener is not None and opener[0] == "gate" else thing.names("requires")
        if kind == "lock" and not items:
            colour = self._colour(thing)
            if thing.number("count", 1) != 1:
                raise thing.error("count: 1, a lock takes one key", thing.number("count", 1))
            return ("item", (self.kept[colour],), False) if colour in self.kept else ("lock", (colour,), False)
        if kind == "cracked" or (kind == "lock" and [plain_word(item) for item in items] in (["bomb"], ["bombs"])):
            return "cracked", (), False
        if kind in ("lock", "gate"):
            if not items:
                raise thing.error("requires: the names of items")
            if thing.flag("consumes", False):
                raise thing.error("consumes: false, since items are never used up", True)
            return "item", tuple(sorted(set(items))), False
        if kind == "barrier":
            is_linked = isinstance(thing.find("switch"), ObjectLink)
            switch = self.index.switch_name(self.index.linked(thing, "switch")) if is_linked else thing.text("switch")
            switch = self.worked_by.get(thing.id, switch)
            return "barrier", (switch or "switch",), thing.flag("open", False)
        return "soft", (self._room_of(thing),), False

    def _room_of(self, thing: PlacedObject) -> str:
        given = thing.find("room")
        if isinstance(given, ObjectLink):
            return self.index.linked(thing, "room").name
        if given is not None:
            return thing.text("room")
        floor, row, column = thing.place
        around = [
            room
            for room in self.rooms
            if room.corner[0] == floor
            and 0 <= row - room.corner[1] < room.height
            and 0 <= column - room.corner[2] < room.width
        ]
        if not around:
            raise thing.error("room: the name of the room it belongs to, or a room around it")
        return min(around, key=lambda room: room.height * room.width).name
