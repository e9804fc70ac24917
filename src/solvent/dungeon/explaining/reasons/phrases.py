"""Say in a sentence what bars the way, and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.core.budget import UNLIMITED, Meter
from solvent.drawing.phrases import capitalised, listed, plural
from solvent.dungeon.events import DIRECTION_NAMES, describe_ends, describe_gate, describe_place, name_key
from solvent.dungeon.explaining.reasons.lifts import Lift
from solvent.dungeon.explaining.reasons.measuring import Setting
from solvent.dungeon.explaining.reasons.record import Shortage
from solvent.dungeon.model import ONE_WAYS, WATER, Dungeon, Place
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rooms import is_room_graph
from solvent.dungeon.solver.barriers import WIDE_WATER, are_in_the_way, describe_missing_way, solids_between

MAX_NAMED = 4
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """Write small numbers as words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def describe_shortage(
    dungeon: Dungeon, each: Lift, short: Shortage, gates: Sequence[int], lying: Sequence[Place]
) -> str:
    """Say that keys or bombs are short, and how many. `lying` is where those lie that are out of reach."""
    thing = "bomb" if each.kind == "bombs" else name_key(dungeon, each.name)
    left = " left" if dungeon.played else ""
    if short.within_reach >= short.needed:
        if short.within_reach == 1:
            return f"You can fetch the {thing}, or get to where it is needed, but not both."
        had = number_word(short.within_reach)
        return f"{capitalised(thing)}s run short: {had} can be had, but never enough of them in time."
    verb = "blasts" if each.kind == "bombs" else "opens"
    one = "cracked wall" if each.kind == "bombs" else thing.removesuffix("key") + "lock"
    if gates and len(gates) == short.needed:
        every = f"every way to the goal {verb} {_name_all(dungeon, one, gates)}"
    else:
        every = f"every way to the goal {verb} at least {number_word(short.needed)} {plural(short.needed, one)}"
        every += f", among them {_name_all(dungeon, one, gates)}" if gates else ""
    existing = f"{number_word(short.exist)} {plural(short.exist, thing)}{left}"
    if short.exist == 0:
        rest = f"and there is no {thing}{left}"
    elif short.exist < short.needed:
        rest = f"but there {plural(short.exist, 'is', 'are')} only {existing}"
        if short.within_reach < short.exist:
            few = f"and only {number_word(short.within_reach)} can be had"
            rest += ", out of reach" if not short.within_reach else f", {few}"
    elif short.within_reach == 0:
        rest = f"and {'the only' if short.exist == 1 else 'every'} {thing}{left} is out of reach"
        if short.exist == 1 and lying:
            rest += f" at {describe_place(dungeon, lying[0])}"
    else:
        rest = f"but only {number_word(short.within_reach)} of {existing} can be had"
    return f"{capitalised(every)}, {rest}."


def _name_all(dungeon: Dungeon, noun: str, gates: Sequence[int]) -> str:
    """Name gates of one kind: by their names, or `the locks at row 0, column 3 and at row 0, column 6`."""
    numbers = sorted(gates)
    if any(dungeon.gates[number].name for number in numbers) or len(numbers) == 1:
        return listed([describe_gate(dungeon, number) for number in numbers], MAX_NAMED)
    places = [describe_gate(dungeon, number).split(f"{noun.split()[-1]} ", 1)[-1] for number in numbers]
    return f"the {noun}s {listed(places, MAX_NAMED)}"


def describe_supply(dungeon: Dungeon, each: Lift, missing: int) -> str:
    """Say how many more would do, as it stands after `with`."""
    thing = "bomb" if each.kind == "bombs" else name_key(dungeon, each.name)
    return f"{number_word(missing)} more {plural(missing, thing)} in hand"


def describe_item(setting: Setting, each: Lift, gates: Sequence[int]) -> str:
    """Say that an item is needed and why it cannot be had."""
    dungeon, item = setting.own.dungeon, each.name
    if gates:
        named = listed([describe_gate(dungeon, number) for number in gates], MAX_NAMED)
        every = f"Every way to the goal leads through {named}, which {plural(len(gates), 'needs', 'need')} the {item}"
    elif item == dungeon.rules.water and not any(g.kind == "item" and item in g.needs for g in dungeon.gates):
        every = f"Every way to the goal crosses water, which takes the {item}"
    else:
        every = f"Every way to the goal needs the {item}"
    lying = [pickup.place for pickup in dungeon.pickups if pickup.kind == "item" and pickup.name == item]
    if not lying:
        are = "are" if item.endswith("s") and not item.endswith("ss") else "is"
        return f"{every}, and there {are} no {item}."
    if any(setting.is_reached(place) for place in lying):
        return f"{every}. You can fetch it, or get to where it is needed, but not both."
    if all(setting.is_leapt_over(place) for place in lying):
        return f"{every}, and the {item} lies on water that you leap over."
    where = listed([describe_place(dungeon, place) for place in lying], MAX_NAMED)
    return f"{every}, and the {item} is out of reach at {where}."


def describe_one_way(setting: Setting, each: Lift) -> str:
    """Say that something leads the wrong way."""
    dungeon = setting.own.dungeon
    if each.number < 0:
        many = f"{number_word(len(each.places))} one-way tiles" if len(each.places) > 1 else "one-way tile"
        points = plural(len(each.places), "points", "point")
        towards = DIRECTION_NAMES[ONE_WAYS[each.name]]
        where = describe_place(dungeon, each.places[0])
        return f"The {many} at {where} {points} the wrong way, {towards}."
    way = dungeon.ways[each.number]
    ends = describe_ends(dungeon, way.source, way.target)
    leads = "lead" if way.kind == "stairs" else "leads"
    if setting.is_reached(way.source):
        return f"The {way.kind} {ends} {leads} only that way, and you need it the other way."
    return f"The {way.kind} {leads} only {ends}, and no other way leads to {describe_place(dungeon, way.source)}."


def describe_gate_cause(setting: Setting, number: int) -> str:
    """Say why a barrier, a soft door, a gate for items or one with a rule is in the way."""
    dungeon = setting.own.dungeon
    gate = dungeon.gates[number]
    name = capitalised(describe_gate(dungeon, number))
    if gate.kind == "item":
        needs = listed([f"the {item}" for item in gate.needs])
        both = "both" if len(gate.needs) == 2 else "all of them"
        if len(gate.needs) == 1:
            return f"{name} needs {needs}, and you cannot have it there."
        return f"{name} needs {needs}, and you cannot have {both} there."
    if gate.rule is not None:
        return f"{name} needs {describe_requirement(gate.rule)}, and you cannot be there with that."
    is_passed = any(setting.is_reached(cell) for cell in gate.cells)
    if gate.kind == "barrier":
        switch = gate.needs[0]
        own = [plate for plate in dungeon.switches if plate.name == switch]
        plates = [place for plate in own for place in plate.reach or (plate.place,)]
        is_open = setting.own.ground.game.is_on(setting.own.state, switch) != gate.open_at_first
        if not any(setting.is_reached(place) for place in plates) and not is_open:
            levers = any(plate.kind == "lever" for plate in own)
            what = "lever or plate" if levers else "plate"
            missing = f"no {what} of it can be reached" if plates else f"there is no {what} of it"
            return f"{name} stays shut: {missing}."
        return f"{name} is {'shut at the wrong time' if is_passed else 'never open when you get to it'}."
    room = gate.needs[0]
    if dungeon.rules.soft == "shut":
        fallen = "has fallen shut" if number in setting.own.state.fallen else "falls shut behind you"
        return f"{name} {fallen}, and you need to go through it again."
    monsters = [
        dungeon.pickups[n].place for n in setting.own.ground.game.monsters_of(room) if n not in setting.own.state.taken
    ]  # fmt: skip
    unbeaten = [place for place in monsters if not setting.is_reached(place)]
    if unbeaten:
        return (
            f"{name} keeps you in {room}: the monster at {describe_place(dungeon, unbeaten[0])} is out of reach, "
            "and while it lives you cannot leave."
        )
    return f"{name} keeps you in {room} while it holds monsters, and you cannot beat them all in time."


def describe_as_is(sentence: str) -> str:
    """Say that a sentence about every way holds as long as nothing else is changed: other ways are barred as well."""
    if not sentence.startswith("Every way"):
        return sentence
    return f"As things are, e{sentence[1:]}"


def describe_lift(dungeon: Dungeon, each: Lift) -> str:
    """Say what would help, beginning with `with` or `without`."""
    if each.kind in ("keys", "bombs") and each.count is not None:
        return f"with {describe_supply(dungeon, each, each.count)}"
    if each.kind in ("keys", "bombs"):
        return f"with {'bombs' if each.kind == 'bombs' else name_key(dungeon, each.name) + 's'} to spare"
    if each.kind == "item":
        return f"with the {each.name} in hand"
    if each.kind == "one-way" and each.number < 0:
        noun = f"the {len(each.places)} one-way tiles" if len(each.places) > 1 else "the one-way tile"
        return f"with {noun} at {describe_place(dungeon, each.places[0])} leading both ways"
    if each.kind == "one-way":
        way = dungeon.ways[each.number]
        return f"with the {way.kind} {describe_ends(dungeon, way.source, way.target)} leading both ways"
    if each.kind == "goal":
        return "with nothing asked for at the goal"
    if each.kind == "gate":
        return f"without {describe_gate(dungeon, each.number)}"
    if each.kind == "block":
        return f"without the block at {describe_place(dungeon, dungeon.blocks[each.number].place)}"
    return "if water of any width could be crossed"


def describe_walls(dungeon: Dungeon, start: Place, everything: Sequence[Lift], meter: Meter = UNLIMITED) -> str:
    """Say that nothing leads to the goal, whatever is opened."""
    kinds = {each.kind for each in everything}
    granted = []
    if dungeon.gates:
        granted.append("every gate open")
    if "one-way" in kinds:
        granted.append("every one-way passage leading both ways")
    if "block" in kinds:
        granted.append("every block gone")
    is_wet = any(WATER in row for floor in dungeon.floors for row in floor.terrain)
    is_wide = is_wet and dungeon.rules.crossing == "one" and "water" not in kinds
    if is_wet and not is_wide:
        granted.append("all water crossed")
    nothing = capitalised(_describe_separation(dungeon, start, is_wide, meter))
    return f"{nothing}, even with {listed(granted)}." if granted else f"{nothing}."


def _describe_separation(dungeon: Dungeon, start: Place, is_wide: bool, meter: Meter) -> str:
    """Say what parts the goal from where the player is: no way at all, walls, gaps or wide water."""
    if is_room_graph(dungeon):
        return "nothing leads to the goal"
    if missing := describe_missing_way(dungeon, [start], dungeon.goals, both_ways=True):
        return f"no way leads {missing}, where the goal is"
    barriers = solids_between(dungeon, [start], dungeon.goals, both_ways=True, meter=meter)
    barriers += [WIDE_WATER] if is_wide else []
    if not barriers:
        return "nothing leads to the goal"
    return "the goal is walled off" if barriers == ["walls"] else are_in_the_way(listed(barriers, last="or"))
