r"""The notations of rules: trees of JSON as tools export them, our own short trees, and text.

| notation | such as |
| --- | --- |
| nothing | `null`, `true`, `""`: always; `false`: never |
| text | `"Bow \| Bombs >= 2 & Lamp"`, as in `notation.requirements` |
| a tree with `rule` | `{"rule": "Has", "args": {"item_name": "Bow"}}`, `{"rule": "And", "children": [...]}` |
| a tree with `type` | `{"type": "item_check", "item": "Bow"}`, `{"type": "or", "conditions": [...]}` |
| a short tree | `{"has": "Bow", "count": 2}`, `{"all": [...]}`, `{"any": [...]}`, `{"not": ...}` |

Kinds of rules and fields of rules that are not understood are errors: each may decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.dungeon.model import AllOf, AnyOf, Have, Not, Requirement
from solvent.dungeon.notation.randomizer.logic import CanReach, Condition, Every, Has, HasOf, Some, Without
from solvent.dungeon.notation.requirements import MAX_DEPTH, MAX_PARTS, parse_requirement
from solvent.dungeon.notation.ruling import MAX_OF_ANYTHING

_FIELDS = {
    "item": ("item", "item_name", "name", "has"),
    "items": ("items", "item_names", "names"),
    "counts": ("counts", "item_counts", "items"),
    "group": ("group", "item_name_group", "group_name"),
    "region": ("region", "region_name"),
    "location": ("location", "location_name"),
    "entrance": ("entrance", "entrance_name"),
    "parts": ("children", "conditions", "rules", "all", "any"),
    "part": ("child", "condition", "children", "not"),
    "value": ("value",),
    "count": ("count",),
}
"""The fields of rules, and the names under which they may stand."""
_PASSED_OVER = {"player", "skip_indirect_connection", "parent_region_name", "comment", "name_of_rule"}
_LABELS = {"options", "filtered_resolution"}
_SHORT = ("has", "all", "any", "not")


def is_rule_tree(value: Any) -> bool:
    """Tell whether an object is a rule, and not a thing that has one."""
    if not isinstance(value, dict):
        return False
    if any(key in value for key in (*_SHORT, "args", "children", "conditions")):
        return True
    kind = value.get("rule")
    if isinstance(kind, str) and _plain(kind) in _KINDS:
        return True
    return "type" in value and not {"item", "items", "rule", "access_rule", "to", "connected_region"} & value.keys()


def is_word_of_rules(text: str) -> bool:
    """Tell whether a text alone would be taken for a kind of rule, and not for what a rule asks for."""
    return _plain(text) in _KINDS


class RuleReader:
    """Read rules; `groups` are the items of each group that the file names."""

    def __init__(self, groups: Mapping[str, Sequence[str]]) -> None:
        self.groups = groups

    def read(self, value: Any, path: str) -> Condition | None:
        """Read a rule in any of the notations; None if it always holds."""
        asked = _Asked(self.groups, path)
        condition = asked.condition(value, path, 1)
        return None if condition == Every() else condition


class _Asked:
    """Read one rule, and count what it asks for."""

    def __init__(self, groups: Mapping[str, Sequence[str]], path: str) -> None:
        self.groups = groups
        self.path = path
        self.parts = 0

    def condition(self, value: Any, path: str, depth: int) -> Condition:
        self.parts += 1
        if depth > MAX_DEPTH:
            raise ParseError(f"a rule nested at most {MAX_DEPTH} deep", path=self.path)
        if self.parts > MAX_PARTS:
            raise ParseError(f"a rule that asks for at most {MAX_PARTS:,} things", path=self.path)
        if value is None or value is True:
            return Every()
        if value is False:
            return Some()
        if isinstance(value, str):
            return self._text(value, path)
        if not isinstance(value, dict):
            raise ParseError("a rule: a text, an object, true or false", value, path=path)
        return self._tree(value, path, depth)

    def _text(self, text: str, path: str) -> Condition:
        if text.strip().lower() in ("", "true"):
            return Every()
        if text.strip().lower() == "false":
            return Some()
        try:
            return self._from_requirement(parse_requirement(text), text, path)
        except ParseError as error:
            if error.path is not None:
                raise
            value = () if error.value is None else (error.value,)
            # A column of the rule would be read as one of the file: what is left of the rule says where it was.
            raise ParseError(error.expected, *value, path=path) from None

    def _from_requirement(self, rule: Requirement, text: str, path: str) -> Condition:
        match rule:
            case Have("item", name, count):
                return Has(name, count, True)
            case Have("key", colour, count):
                return Has(f"{colour} key".strip(), count, True)
            case Have(_, _, count):
                return Has("bombs", count, True)
            case Not(part):
                return Without(self._from_requirement(part, text, path))
            case AllOf(parts):
                return Every(tuple(self._from_requirement(part, text, path) for part in parts))
            case AnyOf(parts):
                return Some(tuple(self._from_requirement(part, text, path) for part in parts))
        raise ParseError("a rule about items: there are no switches and no monsters in logic files", text, path=path)

    def _tree(self, node: dict[str, Any], path: str, depth: int) -> Condition:
        short = [key for key in _SHORT if key in node]
        if short and "rule" not in node and "type" not in node:
            return self._node(_NodeView(short[0], node, path, path, depth))
        key = "rule" if "rule" in node else "type"
        kind = node.get(key)
        if not isinstance(kind, str):
            raise ParseError("a rule with its kind under 'rule'", node, path=path)
        inner = node.get("args")
        if inner is None:
            inner = {}
        if not isinstance(inner, dict):
            raise ParseError(f"an object (the arguments of {kind})", inner, path=f"{path}.args")
        if node.get("options"):
            raise ParseError(
                f"a rule without options: the options of {kind} must be decided before it is exported",
                node["options"],
                path=f"{path}.options",
            )
        outer = {name: part for name, part in node.items() if name not in (key, "args", *_LABELS)}
        twice = sorted(outer.keys() & inner.keys())
        if twice:
            raise ParseError(f"{twice[0]!r} either in the rule or in its arguments", path=path)
        return self._node(_NodeView(kind, {**outer, **inner}, path, f"{path}.args" if inner else path, depth))

    def _node(self, node: _NodeView) -> Condition:
        kind = _KINDS.get(_plain(node.kind))
        if kind is None:
            raise ParseError(f"a kind of rule that is understood ({', '.join(KNOWN_RULES)})", node.kind, path=node.path)
        return kind(self, node)

    # the kinds

    def _has(self, node: _NodeView) -> Condition:
        node.require_only("item", "count")
        return _has(node.text("item"), node.count())

    def _has_all(self, node: _NodeView) -> Condition:
        node.require_only("items")
        return self._counted(Every(tuple(Has(name) for name in node.texts("items"))))

    def _has_any(self, node: _NodeView) -> Condition:
        node.require_only("items")
        return self._counted(Some(tuple(Has(name) for name in node.texts("items"))))

    def _has_all_counts(self, node: _NodeView) -> Condition:
        node.require_only("counts")
        return self._counted(Every(tuple(_has(name, count) for name, count in node.counts())))

    def _has_any_count(self, node: _NodeView) -> Condition:
        node.require_only("counts")
        return self._counted(Some(tuple(_has(name, count) for name, count in node.counts())))

    def _from_list(self, node: _NodeView, *, is_unique: bool = False) -> Condition:
        node.require_only("items", "count")
        return self._of(node.texts("items"), "", is_unique, node)

    def _from_group(self, node: _NodeView, *, is_unique: bool = False) -> Condition:
        node.require_only("group", "count")
        group = node.text("group")
        if group not in self.groups:
            raise ParseError("a group of items that 'item_groups' names", group, path=node.path)
        return self._of(self.groups[group], group, is_unique, node)

    def _of(self, names: Sequence[str], group: str, is_unique: bool, node: _NodeView) -> Condition:
        items = tuple(dict.fromkeys(names))
        count = node.count()
        if count == 0:
            return Every()
        if count == 1:
            return self._counted(Some(tuple(Has(name) for name in items)))
        if is_unique and count > len(items):
            return Some()
        if is_unique and count == len(items):
            return self._counted(Every(tuple(Has(name) for name in items)))
        self.parts += len(items)
        return HasOf(items, count, node.path, is_unique, group)

    def _counted(self, condition: Every | Some) -> Condition:
        self.parts += len(condition.parts)
        return condition

    def _all(self, node: _NodeView) -> Condition:
        node.require_only("parts")
        return Every(self._children(node))

    def _any(self, node: _NodeView) -> Condition:
        node.require_only("parts")
        return Some(self._children(node))

    def _children(self, node: _NodeView) -> tuple[Condition, ...]:
        name, parts = node.value("parts")
        if not isinstance(parts, list):
            raise ParseError(f"a list (the rules inside {node.kind})", parts, path=f"{node.path}.{name}")
        return tuple(
            self.condition(part, f"{node.path}.{name}[{number}]", node.depth + 1) for number, part in enumerate(parts)
        )

    def _not(self, node: _NodeView) -> Condition:
        node.require_only("part")
        name, part = node.value("part")
        if name == "children" and isinstance(part, list) and len(part) == 1:
            name, part = "children[0]", part[0]
        return Without(self.condition(part, f"{node.path}.{name}", node.depth + 1))

    def _constant(self, node: _NodeView) -> Condition:
        node.require_only("value")
        _, value = node.value("value")
        if not isinstance(value, bool):
            raise ParseError("true or false", value, path=node.path)
        return Every() if value else Some()

    def _true(self, node: _NodeView) -> Condition:
        node.require_only()
        return Every()

    def _false(self, node: _NodeView) -> Condition:
        node.require_only()
        return Some()

    def _reach(self, node: _NodeView) -> Condition:
        words = ("region", "location", "entrance")
        named = [word for word in words if word in node.kind.lower()]
        what = next((word for word in named or words if named or node.has(word)), "region")
        node.require_only(what)
        return CanReach(what, node.text(what), node.path)


class _NodeView(Struct, frozen=True):
    """Hold one rule of a tree, and look at its fields."""

    kind: str
    fields: dict[str, Any]
    path: str
    fields_path: str
    depth: int

    def has(self, name: str) -> bool:
        return any(spelling in self.fields for spelling in _FIELDS[name])

    def require_only(self, *names: str) -> None:
        """Require that the rule has no other fields."""
        known = {spelling for name in names for spelling in _FIELDS[name]} | _PASSED_OVER
        for field in self.fields:
            if field not in known:
                understood = " and ".join(_FIELDS[name][0] for name in names) or "none"
                raise ParseError(
                    f"only fields of {self.kind} that are understood ({understood})", field, path=self.path
                )
        for name in names:
            given = [spelling for spelling in _FIELDS[name] if spelling in self.fields]
            if len(given) > 1:
                raise ParseError(f"either {given[0]!r} or {given[1]!r} of {self.kind}, not both", path=self.path)

    def value(self, name: str) -> tuple[str, Any]:
        """Return the name under which a field stands, and its value."""
        for spelling in _FIELDS[name]:
            if spelling in self.fields:
                return spelling, self.fields[spelling]
        raise ParseError(f"the field '{_FIELDS[name][0]}' of {self.kind}, but it is missing", path=self.path)

    def text(self, name: str) -> str:
        spelling, value = self.value(name)
        if not isinstance(value, str) or not value:
            raise ParseError("a name", value, path=f"{self.fields_path}.{spelling}")
        return value

    def texts(self, name: str) -> list[str]:
        spelling, value = self.value(name)
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            raise ParseError("a list of names", value, path=f"{self.fields_path}.{spelling}")
        return value

    def counts(self) -> list[tuple[str, int]]:
        spelling, value = self.value("counts")
        if not isinstance(value, dict) or "" in value:
            raise ParseError("an object of names and numbers", value, path=f"{self.fields_path}.{spelling}")
        path = f"{self.fields_path}.{spelling}"
        return [(name, require_count(count, f"{path}.{name}")) for name, count in value.items()]

    def count(self) -> int:
        return require_count(self.fields.get("count", 1), f"{self.fields_path}.count")


def require_count(value: Any, path: str, least: int = 0) -> int:
    """Return a number of things, or raise ParseError."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < MAX_OF_ANYTHING:
        raise ParseError(f"a whole number from {least} to {MAX_OF_ANYTHING - 1:,}", value, path=path)
    return value


def _has(item: str, count: int) -> Condition:
    return Has(item, count) if count else Every()


def _plain(kind: str) -> str:
    return kind.replace("_", "").replace(" ", "").lower()


def _unique(read: Callable[..., Condition]) -> Callable[[_Asked, _NodeView], Condition]:
    return lambda asked, node: read(asked, node, is_unique=True)


KNOWN_RULES = (
    *("Has", "HasAll", "HasAny", "HasAllCounts", "HasAnyCount", "HasFromList", "HasFromListUnique", "HasGroup"),
    *(
        "HasGroupUnique",
        "CanReachRegion",
        "CanReachLocation",
        "CanReachEntrance",
        "And",
        "Or",
        "Not",
        "True_",
        "False_",
    ),
)
_KINDS: Mapping[str, Callable[[_Asked, _NodeView], Condition]] = {
    "has": _Asked._has,
    "itemcheck": _Asked._has,
    "hasall": _Asked._has_all,
    "hasany": _Asked._has_any,
    "hasallcounts": _Asked._has_all_counts,
    "hasanycount": _Asked._has_any_count,
    "hasfromlist": _Asked._from_list,
    "hasfromlistunique": _unique(_Asked._from_list),
    "hasgroup": _Asked._from_group,
    "groupcheck": _Asked._from_group,
    "hasgroupunique": _unique(_Asked._from_group),
    "canreachregion": _Asked._reach,
    "canreachlocation": _Asked._reach,
    "canreachentrance": _Asked._reach,
    "canreach": _Asked._reach,
    "reachregion": _Asked._reach,
    "and": _Asked._all,
    "all": _Asked._all,
    "or": _Asked._any,
    "any": _Asked._any,
    "not": _Asked._not,
    "constant": _Asked._constant,
    "true": _Asked._true,
    "false": _Asked._false,
}
