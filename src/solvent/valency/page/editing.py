"""What a designer can do to a task on the page: pin, fill a part anew, weigh modules, change the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import msgspec

from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.valency.model import Pick, Staging
from solvent.valency.orbitals import build_cache, count_nodes
from solvent.valency.page.actions import play
from solvent.valency.page.make_task import Made
from solvent.valency.page.rule_editing import NewModule, Node, Pair, add_module, join, remove_module, rewrite_rules
from solvent.valency.rules import modules_named

Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class Stroke(msgspec.Struct, forbid_unknown_fields=True):
    """Pin a module, by key or name, on each of some nodes; without one, let them be filled freely."""

    nodes: list[Node]
    name: str | None = None


class Refill(msgspec.Struct, forbid_unknown_fields=True):
    """Fill some nodes anew; what stands on all others is pinned."""

    nodes: list[Node]
    modules: list[int]
    """The module of each node now; a negative number where there is none."""
    seed: Seed


class Edited(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Hold one thing to do; exactly one of these is there."""

    pin: Stroke | None = None
    refill: Refill | None = None
    weights: dict[str, Annotated[float, msgspec.Meta(ge=0, le=1e6)]] | None = None
    """New weights by the key of a module."""
    pair: Pair | None = None
    add: NewModule | None = None
    remove: str | None = None
    """The key of a module."""
    rules: str | None = None
    """All rules, as JSON; pins and constraints stay."""
    seed: Seed | None = None
    clear: bool | None = None
    make: Made | None = None
    """Take another rule set, another grid, or a graph."""


def edit(staging: Staging, action: Mapping[str, Any]) -> Staging:
    """Return the task after something was done to it; raises BadOption if it cannot be done."""
    try:
        wanted = msgspec.convert(action, Edited)
    except (msgspec.ValidationError, RecursionError, UnicodeEncodeError) as error:
        raise BadOption(f"this cannot be done here: {error}") from None
    given = [name for name in Edited.__struct_fields__ if getattr(wanted, name) is not None]
    if len(given) != 1:
        raise BadOption(f"expected one thing to do: {', '.join(Edited.__struct_fields__)}; found {show_value(given)}")
    if wanted.pin is not None:
        return _pin(staging, wanted.pin)
    if wanted.refill is not None:
        return _refill(staging, wanted.refill)
    if wanted.weights is not None:
        return _weigh(staging, wanted.weights)
    if wanted.pair is not None:
        return replace(staging, rules=join(staging.rules, wanted.pair))
    if wanted.add is not None:
        return add_module(staging, wanted.add)
    if wanted.remove is not None:
        return remove_module(staging, wanted.remove)
    if wanted.rules is not None:
        return rewrite_rules(staging, wanted.rules)
    return play(staging, action)


def _require_nodes(staging: Staging, nodes: list[int]) -> None:
    count = count_nodes(staging.cluster)
    if any(node >= count for node in nodes):
        raise BadOption(f"expected nodes from 0 to {count - 1}, found {max(nodes)}")


def _pin(staging: Staging, stroke: Stroke) -> Staging:
    _require_nodes(staging, stroke.nodes)
    touched = set(stroke.nodes)
    picks = [pick for pick in staging.picks if pick.node not in touched]
    if stroke.name is not None:
        if not modules_named(staging.rules, stroke.name):
            raise BadOption(f"no module is called {show_value(stroke.name)}")
        open_nodes = build_cache(staging).open_nodes
        picks += [Pick(node, stroke.name) for node in sorted(touched) if open_nodes[node]]
    return replace(staging, picks=tuple(sorted(picks, key=lambda pick: pick.node)))


def _refill(staging: Staging, wanted: Refill) -> Staging:
    _require_nodes(staging, wanted.nodes)
    modules = staging.rules.modules
    if len(wanted.modules) != count_nodes(staging.cluster):
        raise BadOption(f"expected a module for each node, found {len(wanted.modules)}")
    if any(number >= len(modules) for number in wanted.modules):
        raise BadOption(f"expected modules up to {len(modules) - 1}, found {max(wanted.modules)}")
    inside = set(wanted.nodes)
    picks = [
        Pick(node, modules[number].key)
        for node, number in enumerate(wanted.modules)
        if number >= 0 and node not in inside
    ]
    return replace(staging, picks=tuple(picks), seed=wanted.seed)


def _weigh(staging: Staging, weights: Mapping[str, float]) -> Staging:
    modules = staging.rules.modules
    keys = {module.key for module in modules}
    for key in weights:
        if key not in keys:
            raise unknown_name("module", key, sorted(keys))
    changed = tuple(replace(module, weight=float(weights.get(module.key, module.weight))) for module in modules)
    if not any(module.weight > 0 for module in changed):
        raise BadOption("at least one module needs a weight above 0")
    return replace(staging, rules=replace(staging.rules, modules=changed))
