"""A small reading of PDDL: enough of it to play what Solvent writes, step by step, and see which actions there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

Expression: TypeAlias = "str | list[Expression]"


@dataclass(frozen=True)
class Position:
    """Hold the facts that are true, and the numbers."""

    facts: frozenset[tuple[str, ...]]
    numbers: frozenset[tuple[tuple[str, ...], int]]


class Action(NamedTuple):
    name: str
    parameters: list[str]
    precondition: Expression
    effect: Expression


class World:
    """Hold a domain and a problem."""

    def __init__(self, domain: str, problem: str) -> None:
        sections = read(domain)
        self.actions: dict[str, Action] = {}
        for section in sections:
            if section[0] == ":action":
                _, name, _, parameters, _, precondition, _, effect = section
                variables = [word for word in parameters if word.startswith("?")]
                assert name not in self.actions
                self.actions[name] = Action(name, variables, precondition, effect)
        stated = {section[0]: section[1:] for section in read(problem)}
        self.goal = stated[":goal"][0]
        numbers = frozenset((tuple(one[1]), int(one[2])) for one in stated[":init"] if one[0] == "=")
        self.first = Position(frozenset(tuple(one) for one in stated[":init"] if one[0] != "="), numbers)

    def applicable(self, position: Position) -> Iterator[str]:
        """Yield all steps that can be made; those with parameters are the ones that facts about the map allow."""
        for name, action in self.actions.items():
            if not action.parameters:
                if holds(action.precondition, position):
                    yield name
                continue
            static = "joined" if name == "walk" else "can-return"
            for fact in position.facts:
                if fact[0] == static and holds(self.bound(name, fact[1:])[0], position):
                    yield " ".join((name, *fact[1:]))

    def bound(self, name: str, words: tuple[str, ...]) -> tuple[Expression, Expression]:
        action = self.actions[name]
        values = dict(zip(action.parameters, words, strict=True))
        return _substitute(action.precondition, values), _substitute(action.effect, values)

    def apply(self, step: str, position: Position) -> Position:
        """Return the position after a step that can be made."""
        name, *words = step.split()
        precondition, effect = self.bound(name, tuple(words))
        assert holds(precondition, position), step
        gone: set[tuple[str, ...]] = set()
        come: set[tuple[str, ...]] = set()
        numbers = dict(position.numbers)
        changed: set[tuple[str, ...]] = set()
        for kind, *parts in _effects(effect, position):
            if kind == "not":
                gone.add(tuple(parts[0]))
            elif kind in ("increase", "decrease", "assign"):
                function, amount = tuple(parts[0]), int(parts[1])
                assert function not in changed, "one number is changed twice"
                changed.add(function)
                before = 0 if kind == "assign" else numbers[function]
                numbers[function] = before + (-amount if kind == "decrease" else amount)
            else:
                come.add((kind, *parts))
        assert not gone & come, f"{step} makes something true and false"
        return Position(position.facts - gone | come, frozenset(numbers.items()))

    def validates(self, plan: str) -> bool:
        """Tell whether each step of a plan can be made, and the goal holds at the end."""
        position = self.first
        for line in plan.splitlines():
            step = line.strip("()")
            name, *words = step.split()
            if name not in self.actions or len(words) != len(self.actions[name].parameters):
                return False
            if not holds(self.bound(name, tuple(words))[0], position):
                return False
            position = self.apply(step, position)
        return holds(self.goal, position)


def without_map(position: Position) -> Position:
    """Return a position without what never changes."""
    changing = (fact for fact in position.facts if fact[0] not in ("joined", "can-return"))
    return replace(position, facts=frozenset(changing))


def read(text: str) -> list[Expression]:
    """Return the sections of a `define`."""
    lines = (line.partition(";")[0] for line in text.splitlines())
    words = iter(" ".join(lines).replace("(", " ( ").replace(")", " ) ").split())
    assert next(words) == "("
    found = _read_list(words)
    assert next(words, None) is None
    assert found[0] == "define"
    return found[2:]


def holds(formula: Expression, position: Position) -> bool:
    """Tell whether a formula holds."""
    match formula:
        case ["and", *parts]:
            return all(holds(part, position) for part in parts)
        case ["or", *parts]:
            return any(holds(part, position) for part in parts)
        case ["not", part]:
            return not holds(part, position)
        case [">=", function, number]:
            return dict(position.numbers)[tuple(function)] >= int(number)
    return tuple(formula) in position.facts


def _read_list(words: Iterator[str]) -> list[Expression]:
    found: list[Expression] = []
    for word in words:
        if word == ")":
            return found
        found.append(_read_list(words) if word == "(" else word)
    raise AssertionError("a bracket is missing")


def _substitute(expression: Expression, values: dict[str, str]) -> Expression:
    if isinstance(expression, str):
        return values.get(expression, expression)
    return [_substitute(part, values) for part in expression] if values else expression


def _effects(effect: Expression, position: Position) -> Iterator[Expression]:
    match effect:
        case ["and", *parts]:
            for part in parts:
                yield from _effects(part, position)
        case ["when", condition, part]:
            if holds(condition, position):
                yield from _effects(part, position)
        case _:
            yield effect
