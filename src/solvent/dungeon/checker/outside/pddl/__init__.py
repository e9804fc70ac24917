"""Write a plan as PDDL, so that any plan validator can follow it: a domain, a problem and the plan.

The domain states the rules for this dungeon: one action to walk from tile to tile where nothing happens, and one for
each move that asks for something or does more. The problem has the map and the position the plan begins in.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.core.outside_proof import OutsideCommand, OutsideFile, OutsideProof
from solvent.dungeon.checker.board import Board, State, count_of, show_place
from solvent.dungeon.checker.collectable import wanted_pickups
from solvent.dungeon.checker.outside.pddl.actions import (
    Action,
    action_of,
    is_plain,
    require_any_order,
    steps_from,
    take_action,
)
from solvent.dungeon.checker.outside.pddl.translating import facts_of, translate
from solvent.dungeon.checker.outside.pddl.vocabulary import Vocabulary, all_of, any_of, make_vocabulary, tile
from solvent.dungeon.checker.play import beginning, lay_out, position
from solvent.dungeon.model import NOTHING, RETURN, WALL, Dungeon, Place

DOMAIN, PROBLEM, PLAN = "domain.pddl", "problem.pddl", "plan.txt"
TRUSTED = (
    "That the domain states the rules of play for this dungeon, tile by tile, and the problem its map and position; "
    "and that the dungeon in the instance file is the one you mean."
)
COMMANDS = [
    OutsideCommand(
        "VAL, the validator of the planning competitions", f"Validate {DOMAIN} {PROBLEM} {PLAN}", "Plan valid"
    ),
    OutsideCommand(
        "unified-planning (PyPI), through pddl_plan.py in examples/outside_checkers of Solvent's sources",
        f"python pddl_plan.py {DOMAIN} {PROBLEM} {PLAN}",
        "VALID",
    ),
]


def plan_proofs(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> Iterator[OutsideProof]:
    """Yield a plan for validators of plans in PDDL."""
    board = lay_out(dungeon, meter)
    require_any_order(board)
    is_from_home = certificate["form"] == "plan from home"
    start = beginning(board) if is_from_home else position(board)
    assert isinstance(start, State), start  # the certificate was accepted
    words = make_vocabulary(board)
    goals = [any_of(f"(player-on {tile(goal)})" for goal in dungeon.goals)]
    claim = f"These moves lead from {'the start' if is_from_home else 'the position'} to a goal."
    if certificate["question"] == "collectable":
        goals += [f"(taken pickup-{number})" for number in wanted_pickups(dungeon)]
        claim = "These moves take everything that is to be collected, and end on a goal."
    domain, facts = write_domain(words)
    problem = write_problem([*facts_of(words, start), *facts], all_of(goals))
    plan = (f"{line}\n" for line in translate(words, start, certificate["plan"]))
    yield OutsideProof(
        name="plan",
        claim=claim,
        files=[
            OutsideFile(DOMAIN, "the rules of play for this dungeon", domain),
            OutsideFile(PROBLEM, "its map, the position and the goal", problem),
            OutsideFile(PLAN, "the moves, one by one", plan),
        ],
        commands=COMMANDS,
        trusted=TRUSTED,
    )


def write_domain(words: Vocabulary) -> tuple[list[str], list[str]]:
    """Return the text of the domain in pieces, and the facts about the map that stand in the problem."""
    board = words.board
    actions: list[Action] = []
    facts: list[str] = []
    places = list(_places(board))
    for place in board.meter.each(places, every=50):
        for step in steps_from(words, place):
            for variant in step.variants:
                if not is_plain(words, step, variant):
                    actions.append(action_of(words, step, variant))
                elif step.move == RETURN:
                    facts.append(f"(can-return {tile(place)})")
                else:
                    facts.append(f"(joined {tile(place)} {tile(step.target)})")
    taking = (take_action(words, number) for number in range(len(board.dungeon.pickups)))
    actions += [action for action in taking if action is not None]
    pieces = [
        "; The rules of play for one dungeon. Tiles are named by floor, row and column, each counted from 0.\n",
        "(define (domain dungeon)\n",
        "(:requirements :strips :typing :negative-preconditions :disjunctive-preconditions\n",
        "  :conditional-effects :fluents)\n",
        "(:types tile pickup gate block switch setting resource)\n",
        *_constants(words, places),
        *_PREDICATES,
        "(:functions (in-hand ?r - resource))\n",
        *_walking(words),
        *(_written(action) for action in actions),
        ")\n",
    ]
    return pieces, facts


def write_problem(facts: list[str], goal: str) -> Iterator[str]:
    """Yield the text of the problem in pieces."""
    yield "(define (problem level) (:domain dungeon)\n(:init\n"
    yield from (f"  {fact}\n" for fact in facts)
    yield f")\n(:goal {goal})\n)\n"


_PREDICATES = (
    "(:predicates\n",
    "  (player-on ?t - tile)\n",
    "  (joined ?from ?to - tile)  ; a step leads there, and nothing else happens\n",
    "  (can-return ?from - tile)  ; a return to the start is possible, and nothing else happens\n",
    "  (taken ?p - pickup)  ; or beaten, for monsters\n",
    "  (opened ?g - gate)  ; for good, with a key or a bomb\n",
    "  (fallen ?g - gate)  ; shut for good\n",
    "  (lies ?b - block ?t - tile)\n",
    "  (blocked ?t - tile)  ; some block lies there\n",
    "  (is-set ?s - switch ?to - setting)\n",
    ")\n",
)


def _places(board: Board) -> Iterator[Place]:
    """Yield every place that a player might stand on."""
    for floor, storey in enumerate(board.dungeon.floors):
        for row, letters in enumerate(storey.terrain):
            yield from ((floor, row, column) for column, one in enumerate(letters) if one not in (WALL, NOTHING))


def _constants(words: Vocabulary, places: list[Place]) -> Iterator[str]:
    """Yield the names of all there is, with what each is where the name does not say it."""
    dungeon = words.board.dungeon
    yield "(:constants\n"
    for place in places:
        yield f"  {tile(place)}\n"
    yield "  - tile\n"
    for number, pickup in enumerate(dungeon.pickups):
        what = show_value(f"{count_of(dungeon, pickup)} {pickup.kind} {pickup.name}".rstrip())
        yield f"  pickup-{number} - pickup  ; {what} at {_where(dungeon, pickup.place)}\n"
    for number, gate in enumerate(dungeon.gates):
        what = show_value(" ".join((gate.kind, *gate.needs, gate.name)).rstrip())
        where = ", ".join(_where(dungeon, cell) for cell in gate.cells) or "on ways"
        yield f"  gate-{number} - gate  ; {what}: {where}\n"
    for number in range(len(dungeon.blocks)):
        yield f"  block-{number} - block\n"
    for kind, names in (("switch", words.switches), ("setting", words.settings)):
        for called, name in names.items():
            yield f"  {name} - {kind}  ; {show_value(called)}\n"
    for (what, called), name in words.resources.items():
        yield f"  {name} - resource  ; {show_value(f'{what} {called}'.rstrip())}\n"
    yield ")\n"


def _where(dungeon: Dungeon, place: Place) -> str:
    return " ".join(show_place(dungeon, place).split())


def _walking(words: Vocabulary) -> Iterator[str]:
    """Yield the actions that only move the player."""
    free = "(not (blocked ?to))"
    yield f"""(:action walk
  :parameters (?from ?to - tile)
  :precondition (and (player-on ?from) (joined ?from ?to) {free})
  :effect (and (not (player-on ?from)) (player-on ?to)))
"""
    start = tile(words.board.dungeon.start)
    if words.board.dungeon.rules.home == "always":
        yield f"""(:action return
  :parameters (?from - tile)
  :precondition (and (player-on ?from) (can-return ?from) (not (blocked {start})))
  :effect (and (not (player-on ?from)) (player-on {start})))
"""


def _written(action: Action) -> str:
    conditions, effects = " ".join(action.conditions), " ".join(action.effects)
    return f"(:action {action.name}\n  :parameters ()\n  :precondition (and {conditions})\n  :effect (and {effects}))\n"
