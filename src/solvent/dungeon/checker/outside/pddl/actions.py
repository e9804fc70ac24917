"""The moves of a dungeon as actions in PDDL: what each asks for and does, from each tile.

A move with a gate that is open already and one that spends a key on it are two variants, as are a step onto a bare tile
and one that pushes a block: at most one of them can be made. What lies on a tile is taken by actions of its own, and no
move leads away from it before all of it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.errors import BadOption
from solvent.dungeon.checker.board import (
    Board,
    count_of,
    inside,
    monsters_in,
    neighbour,
    show_place,
    takes_block,
    terrain_at,
)
from solvent.dungeon.checker.outside.pddl.vocabulary import (
    FALSE,
    TRUE,
    Resource,
    Vocabulary,
    all_of,
    has,
    holds,
    is_on,
    negation,
    tile,
)
from solvent.dungeon.checker.requirements import leaves
from solvent.dungeon.model import (
    NOTHING,
    ONE_WAYS,
    RETURN,
    STEPS,
    USE,
    WALL,
    WATER,
    Pickup,
    Place,
    Switch,
    SwitchAt,
)


class Variant(Struct, frozen=True):
    """Hold one way to make a move: what must hold, and what it does besides moving the player."""

    conditions: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    spends: tuple[Resource, ...] = ()
    opens: tuple[int, ...] = ()
    """Gates that it opens for good."""
    pushes: int | None = None
    """The block that it pushes."""


class Step(Struct, frozen=True):
    """Hold a move from a tile, and the ways to make it."""

    move: str
    source: Place
    target: Place
    variants: list[Variant]


class Action(Struct, frozen=True):
    """Hold an action without parameters."""

    name: str
    conditions: list[str]
    effects: list[str]


def steps_from(words: Vocabulary, source: Place) -> Iterator[Step]:
    """Yield every move that may ever be legal from a tile."""
    board = words.board
    if source in board.goals:
        return
    for direction in STEPS:
        found = _step(words, source, direction)
        if found is not None:
            yield found
    for number in words.ways_from.get(source, ()):
        way = board.dungeon.ways[number]
        yield _jump(words, str(number), source, way.target, way.gate)
    if board.dungeon.rules.home == "always" and source != board.dungeon.start:
        yield _jump(words, RETURN, source, board.dungeon.start, None)
    for number in board.levers.get(source, ()):
        lever = board.dungeon.switches[number]
        variant = Variant((*_settled(words, source), holds(words, lever.rule)), tuple(_turn(words, [lever])))
        yield Step(f"{USE}{number}", source, source, _possible([variant]))


def is_plain(words: Vocabulary, step: Step, variant: Variant) -> bool:
    """Tell whether a step or a return asks for no more than a tile without a block, and only moves the player."""
    if step.move not in (*STEPS, RETURN) or variant.effects or variant.spends or variant.pushes is not None:
        return False
    return set(variant.conditions) <= {_free(words, step.target)}


def action_of(words: Vocabulary, step: Step, variant: Variant) -> Action:
    """Return a variant of a move as an action."""
    source, target = tile(step.source), tile(step.target)
    kind = {RETURN: f"return-{source}"}.get(step.move, f"way-{step.move}")
    if step.move in STEPS:
        kind = f"step-{step.move.lower()}-{source}"
    elif step.move.startswith(USE):
        kind = f"use-{step.move.removeprefix(USE)}-{source}"
    name = kind + "".join(f"-opening-gate-{gate}" for gate in variant.opens)
    if variant.pushes is not None:
        name += f"-pushing-block-{variant.pushes}"
    spent = Counter(variant.spends).items()
    conditions = [f"(player-on {source})", *variant.conditions]
    conditions += [has(words, what, name, count) for (what, name), count in spent]
    effects = [f"(not (player-on {source}))", f"(player-on {target})"] if source != target else []
    effects += variant.effects
    effects += [f"(decrease (in-hand {words.resources[resource]}) {count})" for resource, count in spent]
    return Action(name, conditions, effects)


def take_action(words: Vocabulary, number: int) -> Action | None:
    """Return how a pickup is taken, if it ever can be and that changes anything."""
    pickup = words.board.dungeon.pickups[number]
    waiting = _waiting(words, number)
    if waiting == FALSE:
        return None
    effects = [] if pickup.renews else [f"(taken pickup-{number})"]
    resource, count = words.resources.get((pickup.kind, pickup.name)), count_of(words.board.dungeon, pickup)
    if resource is not None and count:
        effects.append(f"({'assign' if pickup.renews else 'increase'} (in-hand {resource}) {count})")
    return Action(f"take-pickup-{number}", [f"(player-on {tile(pickup.place)})", waiting], effects)


def require_any_order(board: Board) -> None:
    """Raise BadOption if it matters in which order things on one tile are taken."""
    for place, numbers in board.pickups.items():
        here = [board.dungeon.pickups[number] for number in numbers]
        if len(here) > 1 and (any(_is_barred(one) for one in here) or _is_mixed(here)):
            raise BadOption(
                f"there are several things at {show_place(board.dungeon, place)}, and it matters which is taken first, "
                "which the PDDL export does not state"
            )


def _is_barred(pickup: Pickup) -> bool:
    """Tell whether something that was taken may make a pickup disappear."""
    return any(not wanted and not isinstance(leaf, SwitchAt) for leaf, wanted in leaves(pickup.rule))


def _is_mixed(pickups: list[Pickup]) -> bool:
    """Tell whether there are things that renew and others of their kind."""
    kinds = {(pickup.kind, pickup.name): pickup.renews for pickup in pickups}
    return any(kinds[pickup.kind, pickup.name] != pickup.renews for pickup in pickups)


def _waiting(words: Vocabulary, number: int) -> str:
    """Return the formula that holds while a pickup is there to be taken by the player on its tile."""
    pickup = words.board.dungeon.pickups[number]
    left = f"(not (taken pickup-{number}))"
    if pickup.renews:
        left = negation(has(words, pickup.kind, pickup.name, count_of(words.board.dungeon, pickup)))
    return all_of([left, holds(words, pickup.rule)])


def _settled(words: Vocabulary, place: Place) -> list[str]:
    """Return what must hold for a player to do anything else on a tile than take what is there."""
    return [negation(_waiting(words, number)) for number in words.board.pickups.get(place, ())]


def _free(words: Vocabulary, place: Place) -> str:
    return f"(not (blocked {tile(place)}))" if place in words.blocked else TRUE


def _possible(variants: list[Variant]) -> list[Variant]:
    """Return the variants that may ever be made, without what always holds."""
    return [
        replace(variant, conditions=tuple(one for one in dict.fromkeys(variant.conditions) if one != TRUE))
        for variant in variants
        if all_of(variant.conditions) != FALSE
    ]


def _step(words: Vocabulary, source: Place, direction: str) -> Step | None:
    """Return the step in a direction, or None if there is never any."""
    board, rules = words.board, words.board.dungeon.rules
    if ONE_WAYS.get(terrain_at(board, source), direction) != direction:
        return None
    target, conditions, leap = neighbour(source, direction), list[str](), False
    if terrain_at(board, target) == WATER:
        conditions.append(has(words, "item", rules.water, 1))
        if rules.crossing == "one":
            target, leap = neighbour(target, direction), True
            if terrain_at(board, target) == WATER:
                return None
    terrain = terrain_at(board, target)
    if terrain in (WALL, NOTHING) or ONE_WAYS.get(terrain, direction) != direction:
        return None
    variants: list[Variant] = []
    for entering in _enter(words, source, target, None):
        passed = replace(entering, conditions=(*conditions, *entering.conditions))
        variants.append(_arrive(words, passed, source, target))
        if target not in words.blocked or leap or rules.push == "never":
            continue
        behind = neighbour(target, direction)
        for block, places in enumerate(words.ranges):
            stands = target == places[0] or (rules.push == "on" and target in places)
            if stands and takes_block(board, block, behind):
                variants.append(_arrive(words, replace(passed, pushes=block), source, target, behind))
    return Step(direction, source, target, _possible(variants))


def _jump(words: Vocabulary, move: str, source: Place, target: Place, gate: int | None) -> Step:
    """Return a way or a return to the start."""
    variants = [_arrive(words, passed, source, target) for passed in _enter(words, source, target, gate)]
    return Step(move, source, target, _possible(variants))


def _enter(words: Vocabulary, source: Place, target: Place, gate: int | None) -> list[Variant]:
    """Return the ways to pass all that bars the way from a tile onto another."""
    board = words.board
    if target in board.closed:
        return []
    conditions = _settled(words, source)
    if target in board.goals:
        conditions.append(holds(words, board.dungeon.goal_rule))
    variants = [Variant(tuple(conditions))]
    for number in dict.fromkeys((gate, board.gates.get(target))):
        if number is not None:
            rule = holds(words, board.dungeon.gates[number].rule)
            variants = [
                replace(after, conditions=(*after.conditions, rule))
                for before in variants
                for after in _pass_gate(words, before, source, number)
            ]
    return variants


def _pass_gate(words: Vocabulary, before: Variant, source: Place, number: int) -> list[Variant]:
    board, rules = words.board, words.board.dungeon.rules
    gate = board.dungeon.gates[number]

    def asking(*conditions: str) -> Variant:
        return replace(before, conditions=(*before.conditions, *conditions))

    if gate.kind in ("lock", "cracked"):
        if not rules.keys_counted if gate.kind == "lock" else rules.bombs is None:
            return [before]
        resource = ("key", gate.needs[0]) if gate.kind == "lock" else ("bombs", "")
        opening = replace(
            asking(f"(not (opened gate-{number}))"),
            effects=(*before.effects, f"(opened gate-{number})"),
            spends=(*before.spends, resource),
            opens=(*before.opens, number),
        )
        return [asking(f"(opened gate-{number})"), opening]
    if gate.kind == "item":
        return [asking(*(has(words, "item", name, 1) for name in gate.needs))]
    if gate.kind == "barrier":
        on = is_on(words, gate.needs[0])
        return [asking(negation(on) if gate.open_at_first else on)]
    if gate.kind == "rule" or rules.soft == "open":
        return [before]
    if rules.soft == "shut":
        shut = f"(fallen gate-{number})"
        return [replace(asking(f"(not {shut})"), effects=(*before.effects, shut))]
    room = board.rooms[gate.needs[0]]
    if not inside(source, room):
        return [before]
    return [asking(*(f"(taken pickup-{monster})" for monster in sorted(monsters_in(board, room))))]


def _arrive(words: Vocabulary, passed: Variant, source: Place, target: Place, behind: Place | None = None) -> Variant:
    """Add what follows from coming to stand on a tile, with the block there pushed to the tile behind, if given."""
    board, block = words.board, passed.pushes
    conditions, effects = list(passed.conditions), list(passed.effects)
    returning = _returning(words, source, target)
    if block is None:
        conditions.append(_free(words, target))
    else:
        assert behind is not None
        conditions += [f"(lies block-{block} {tile(target)})", _free(words, behind)]
        if block not in returning:
            effects += _move_block(block, target, behind)
    for number in returning:
        home, *others = words.ranges[number]
        for place in others:
            effects.append(
                f"(when (lies block-{number} {tile(place)}) (and {' '.join(_move_block(number, place, home))}))"
            )
    effects += _turn(words, board.plates.get(target, ()))
    return replace(passed, conditions=tuple(conditions), effects=tuple(effects))


def _returning(words: Vocabulary, source: Place, target: Place) -> list[int]:
    """Return the blocks that go back where they stood, for their room is left."""
    dungeon = words.board.dungeon
    if dungeon.rules.blocks != "reset" or not dungeon.blocks:
        return []
    left = [room for room in dungeon.rooms if inside(source, room) and not inside(target, room)]
    return [number for number, block in enumerate(dungeon.blocks) if any(inside(block.place, room) for room in left)]


def _move_block(block: int, source: Place, target: Place) -> list[str]:
    gone = [f"(not (lies block-{block} {tile(source)}))", f"(not (blocked {tile(source)}))"]
    return [*gone, f"(lies block-{block} {tile(target)})", f"(blocked {tile(target)})"]


def _turn(words: Vocabulary, turned: list[Switch] | tuple[Switch, ...]) -> Iterator[str]:
    """Yield what plates on one tile, or a lever, do to their switches."""
    for name in dict.fromkeys(switch.name for switch in turned):
        states = words.board.dials.get(name, ("off", "on"))
        for state in states:
            reached = state
            for switch in turned:
                if switch.name == name:
                    reached = switch.sets or states[(states.index(reached) + 1) % len(states)]
            if reached != state:
                before, after = (f"(is-set {words.switches[name]} {words.settings[one]})" for one in (state, reached))
                yield f"(when {before} (and (not {before}) {after}))"
