"""Read what is to be drawn over a dungeon: from its own moves, a certificate, a move, and the highlights of a hint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.core.answer import Certificate
from solvent.core.errors import ParseError
from solvent.drawing.highlights import are_numbers, expect_list, items_in, numbers_in
from solvent.dungeon.derived import GOAL, about
from solvent.dungeon.events import Walk, parse_run, replay
from solvent.dungeon.model import STEPS, Dungeon, Place
from solvent.dungeon.rules import Game, State, beside
from solvent.dungeon.situations import Strolls, read_places, state_of_situation

MAX_STEPS_TRIED = 200_000
"""How far the reach of a closed set is followed, so that a drawing of a huge one takes a second and not a minute."""


class SphereMark(Struct, frozen=True):
    """Hold a sphere of progress as it is drawn."""

    places: frozenset[Place]
    means: str
    """By what it is reached, for people."""


class Overlay(Struct, frozen=True):
    """Hold what is drawn over a dungeon, and the state it is drawn in."""

    state: State
    """After the moves that were played: things taken, opened, switched and pushed are drawn so."""
    played: Walk
    """The moves that were played."""
    walk: Walk | None = None
    """What to walk from there: a plan, a walk that is lost, or the moves to mark."""
    lost: bool = False
    """Whether that walk ends where the goal cannot be reached."""
    reach: frozenset[Place] = frozenset()
    """All that can still be reached, where that has no goal in it."""
    shut: frozenset[int] = frozenset()
    """The gates at the edge of that, by number."""
    path: tuple[Place, ...] = ()
    """Where a hint leads."""
    danger: frozenset[Place] = frozenset()
    """What a hint warns of."""
    target: Place | None = None
    """What a hint wants."""
    claim: str = ""
    """What it is to show, where that is not to be seen from the rest."""
    spheres: tuple[SphereMark, ...] = ()
    """What can be reached at first, then with what was found there, and so on."""

    @property
    def is_lost_at_once(self) -> bool:
        """Tell whether the goal cannot be reached from the very beginning of the walk."""
        return self.lost and (self.walk is None or not self.walk.moves)

    def sphere_of(self, places: Iterable[Place]) -> int | None:
        """Return the number of the first sphere that has one of these places in it, if one has."""
        wanted = set(places) if self.spheres else set()
        return next(
            (number for number, sphere in enumerate(self.spheres) if not wanted.isdisjoint(sphere.places)), None
        )


def read_overlay(
    dungeon: Dungeon, certificate: Certificate | None, move: str | None, highlights: Mapping[str, Any] | None
) -> Overlay:
    """Return what to draw; raises ParseError for what does not fit the dungeon."""
    game = Game(dungeon)
    played = replay(game, game.start_state(), dungeon.played, "played")
    state = played.end
    walk, lost = None, False
    reach: frozenset[Place] = frozenset()
    form = None if certificate is None else certificate.get("form")
    if certificate is not None and form == "plan":
        walk = replay(game, state, expect_list(certificate.get("plan"), "a list of moves", "plan"), "plan")
    elif certificate is not None and form == "lost walk":
        walk, lost = replay(game, state, expect_list(certificate.get("walk"), "a list of moves", "walk"), "walk"), True
    # With gates waived, the situations are not those of this dungeon.
    if certificate is not None and form in ("lost walk", "closed set") and not certificate.get("waived"):
        reach = find_reach(game, certificate.get("states"))
    elif certificate is not None and form == "walks":
        walk = _best_walk(game, state, expect_list(certificate.get("walks"), "a list of walks", "walks"))
    elif certificate is not None and form == "closed sets":
        for each in items_in(certificate.get("sets")):
            if isinstance(each, Mapping) and not each.get("waived"):
                reach |= find_reach(game, each.get("states"))
    elif certificate is not None and form == "out of reach":
        for proof in items_in(certificate.get("proofs")):
            reach |= _reach_of_proof(dungeon, proof) if isinstance(proof, Mapping) else frozenset()
    elif certificate is not None and form == "taken away":
        walk = replay(game, state, expect_list(certificate.get("walk"), "a list of moves", "walk"), "walk")
        lost = certificate.get("lost") == GOAL
    if move is not None:
        walk, lost = replay(game, state, parse_run(move), "move"), False
    claim = "" if certificate is None or move is not None else _CLAIMS.get(str(form), "")
    if reach and claim and walk is None:
        claim += " This is all that can be reached."
    given = highlights if isinstance(highlights, Mapping) else {}
    targets = read_places(dungeon, [given.get("target")], "target")
    return Overlay(
        state=state,
        played=played,
        walk=walk,
        lost=lost,
        reach=reach,
        shut=frozenset(_gates_at_edge(game, reach)),
        path=tuple(read_places(dungeon, given.get("path"), "path")),
        danger=frozenset(read_places(dungeon, given.get("danger"), "danger")),
        target=targets[0] if targets else None,
        claim=claim,
        spheres=tuple(_spheres(dungeon, given.get("spheres"))),
    )


_CLAIMS = {
    "closed sets": "No play ends with everything in hand.",
    "out of reach": "Not everything is within reach.",
    "taken away": "The last move takes something, and that puts something out of reach.",
}
"""What stands above drawings of certificates that are not about the goal alone, by their form."""


def _best_walk(game: Game, state: State, walks: Sequence[Any]) -> Walk | None:
    """Return the walk that does most: one to a goal rather than others, then the longest."""
    found = [
        replay(game, state, expect_list(walk, "a list of moves", f"walks[{index}]"), f"walks[{index}]")
        for index, walk in enumerate(walks)
    ]
    return max(found, key=lambda walk: (game.is_won(walk.end), len(walk.moves)), default=None)


def _reach_of_proof(dungeon: Dungeon, proof: Mapping[str, Any]) -> frozenset[Place]:
    """Return the places of the dungeon that can be reached in the situations of a proof that something is not."""
    end = len(dungeon.pickups)
    numbers = sorted(numbers_in(proof.get("locations"), end, f"a number below {end}", "locations"))
    if not proof.get("states") or proof.get("waived"):
        return frozenset()
    reach = find_reach(Game(about(dungeon, numbers)), proof.get("states"))
    return frozenset(place for place in reach if place[0] < len(dungeon.floors))


def _spheres(dungeon: Dungeon, value: object) -> Iterable[SphereMark]:
    """Yield the spheres of an explanation: `where` has runs of floor, row, first column and length."""
    for index, sphere in enumerate(items_in(value)):
        if not isinstance(sphere, Mapping):
            raise ParseError("a sphere", sphere, path=f"spheres[{index}]")
        places: list[Place] = []
        for run in items_in(sphere.get("where")):
            if not are_numbers(run, 4) or run[3] > MAX_STEPS_TRIED:
                raise ParseError("a run as [floor, row, column, length]", run, path=f"spheres[{index}].where")
            tiles = [(run[0], run[1], run[2] + step) for step in range(run[3])]
            places += read_places(dungeon, tiles, f"spheres[{index}].where")
        yield SphereMark(frozenset(places), str(sphere.get("means", "")))


def find_reach(game: Game, states: object) -> frozenset[Place]:
    """Return the places that can be reached in the situations of a closed set, without opening or switching anything.

    Together these are all places the player can get to. After very many steps only the places that the situations
    name are added.
    """
    seen: dict[object, set[Place]] = {}
    tried = 0
    strolls = Strolls(game)
    for index, situation in enumerate(expect_list(states, "a list of situations", "states")):
        state = state_of_situation(game, situation, f"states[{index}]")
        # What lies in the way is the same wherever all this is: one walk around serves many situations.
        visited = seen.setdefault(state[1:], set())
        if state.place in visited:
            continue
        visited.add(state.place)
        waiting = [state.place]
        while waiting and tried < MAX_STEPS_TRIED:
            here = state._replace(place=waiting.pop())
            for _, after in game.moves(here):
                if after.place not in visited and strolls.is_calm(here, after):
                    visited.add(after.place)
                    waiting.append(after.place)
            tried += 4
    return frozenset().union(*seen.values())


def _gates_at_edge(game: Game, reach: frozenset[Place]) -> Iterable[int]:
    """Yield the gates that stand between what can be reached and what cannot."""
    dungeon = game.dungeon
    for number, gate in enumerate(dungeon.gates):
        for cell in gate.cells:
            if cell not in reach and any(beside(cell, direction) in reach for direction in STEPS):
                yield number
    for way in dungeon.ways:
        if way.gate is not None and way.source in reach and way.target not in reach:
            yield way.gate
