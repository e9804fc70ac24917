"""What the labels of nodes and edges mean as pickups, gates and rules. The same for graphs alone and with their maps.

The corpus fixes few rules. Those taken here are the plainest under which all of its dungeons can be finished: bombs
without end, soft locks open, no keys and no items at the start, and any key item opens whatever needs one.

In the game some items are carried from one dungeon into the next, which no file says. Nothing is carried here: where an
item is needed, the graph has a label for it, and a room that is one node counts as one room whatever divides it on the
map. So a map and its graph alone have the same answers. The rule `items` gives items from the start.

A boss key is kept, as in the games: it opens every boss lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solvent.core.errors import ParseError
from solvent.dungeon.model import Cleared, Dungeon, Gate, Have, Pickup, Place, Requirement, Rules
from solvent.dungeon.notation.demands import describe_unmet, unmet_needs
from solvent.dungeon.notation.requirements import map_atoms, parse_requirement
from solvent.dungeon.notation.requirements.form import Atom
from solvent.dungeon.notation.text.things import Things
from solvent.dungeon.notation.vglc.graph import Graph
from solvent.dungeon.notation.vglc.labels import NEEDS, NODE_LABELS, Labels, is_switch

ITEM = "item"
"""The name of every key item: the graphs do not tell them apart."""
BOSS = "boss"
"""The colour of boss keys."""
BOSS_LOCK = Gate("rule", rule=Have("key", BOSS))
"""What bars the way to a boss until its key is found, which is not used up."""
CORPUS_RULES = Rules(bombs=None, water=ITEM, crossing="one", soft="open", player="thorough")
RULES_REMARK = (
    "rules the corpus does not fix: bombs without end, soft locks open, nothing carried at the start, "
    "any key item opens what needs one; other rules can be given"
)
MONSTERS = "emb"
ROOM_LABELS = {letter: NODE_LABELS[letter] for letter in "embp"}
"""What is said of a room and stands for nothing that can be taken."""

Edge = tuple[str, str]


def pickups_of(labels: Labels, place: Place, things: Things = ()) -> list[Pickup]:
    """Return what lies in a room with these labels, and what else it has."""
    found = [Pickup(place, each.word, "".join(each.names), each.count, each.rule, each.renews) for each in things]
    for letter, colour in (("k", ""), ("K", BOSS)):
        if letter in labels:
            found.append(Pickup(place, "key", colour, labels.count(letter)))
    found += [Pickup(place, "bombs", count=0)] * labels.count("i")
    found += [Pickup(place, "item", ITEM)] * labels.count("I")
    found += [Pickup(place, "item", label) for label in labels if is_switch(label)]
    if any(label in MONSTERS for label in labels):
        found.append(Pickup(place, "monster"))
    return found


def room_labels(labels: Labels) -> tuple[str, ...]:
    """Return what is said of a room, in words."""
    return tuple(meaning for letter, meaning in ROOM_LABELS.items() if letter in labels)


class GateBook:
    """Number the gates on edges. A lock, a wall to bomb or a soft lock between two rooms is one gate both ways.

    A soft lock bars the way out of the room its edge comes from. Where the other direction is open, it belongs to the
    same gate: nobody waits there, but where soft locks fall shut behind the player, it is this door that falls.
    """

    def __init__(self, edges: Mapping[Edge, tuple[Labels, ...]], room_of: Callable[[str], str]) -> None:
        self.gates: list[Gate] = []
        self.numbers: dict[Edge, list[int | None]] = {}
        """The gates of the edges from a node to another that can be gone; edges that cannot are left out."""
        self._edges, self._room_of = edges, room_of
        for (source, target), ways in edges.items():
            passable = [labels for labels in ways if "s" not in labels]
            if passable:
                self.numbers[source, target] = [self._number(source, target, labels) for labels in passable]

    def _number(self, source: str, target: str, labels: Labels) -> int | None:
        gate = self._gate(source, target, labels)
        if gate is None:
            return None
        for back in self.numbers.get((target, source), ()):
            if back is not None and self.gates[back] == gate:
                return back
        self.gates.append(gate)
        return len(self.gates) - 1

    def _gate(self, source: str, target: str, labels: Labels) -> Gate | None:
        if "k" in labels:
            return Gate("lock", ("",))
        if "K" in labels:
            return BOSS_LOCK
        if labels and labels[0].startswith(NEEDS):
            return Gate("rule", rule=with_room_names(parse_requirement(labels[0].removeprefix(NEEDS)), self._room_of))
        if "b" in labels:
            return Gate("cracked")
        if "l" in labels:
            return Gate("soft", (self._room_of(source),))
        if labels:
            return Gate("item", tuple(sorted(ITEM if label == "I" else label for label in labels)))
        if ("l",) in self._edges.get((target, source), ()):
            return Gate("soft", (self._room_of(target),))
        return None


def require_what_is_needed(dungeon: Dungeon) -> None:
    """Refuse requirements for what lies nowhere: they are written by hand, and more likely mistyped than meant."""
    for thing, need in unmet_needs(dungeon):
        if thing != BOSS_LOCK and not (isinstance(thing, Gate) and thing.kind != "rule"):
            raise ParseError(describe_unmet(dungeon, thing, need))


def with_room_names(rule: Requirement, room_of: Callable[[str], str]) -> Requirement:
    """Return a requirement in which rooms to be cleared, which a graph calls by node, have their own names."""

    def named(atom: Atom) -> Requirement:
        return Cleared(room_of(atom.room)) if isinstance(atom, Cleared) else atom

    return map_atoms(rule, named)


def _impassable(graph: Graph, one: str, other: str) -> list[tuple[str, str, str]]:
    """Return the impassable edges between two nodes: `one and other` if that is both directions."""
    there, back = (("s",) in graph.edges.get(pair, ()) for pair in ((one, other), (other, one)))
    if there and back:
        return [(one, "and", other)]
    return [(one, "to", other)] * there + [(other, "to", one)] * back


def graph_remarks(graph: Graph) -> list[str]:
    """Say what of a graph was left out or understood in a certain way."""
    remarks = [RULES_REMARK]
    shut = [" ".join(edge) for pair in graph.pairs() for edge in _impassable(graph, *pair)]
    if shut:
        remarks.append(f"impassable edges (s) are left out: {'; '.join(shut)}")
    if graph.loops:
        remarks.append(f"edges from a node to itself are left out: {', '.join(graph.loops)}")
    boss_keys = sum(labels.count("K") for labels in graph.nodes.values())
    boss_locks = {frozenset(edge) for edge, ways in graph.edges.items() if any("K" in labels for labels in ways)}
    if len(boss_locks) > boss_keys > 0:
        remarks.append(f"a boss key opens every boss lock (locks: {len(boss_locks)}, keys: {boss_keys})")
    others = [node for node, labels in graph.nodes.items() if "t" in labels and node not in graph.goals]
    if others:
        remarks.append(f"the goal is {', '.join(graph.goals)}; the t among the labels of {', '.join(others)} is not")
    return [*remarks, *graph.remarks]
