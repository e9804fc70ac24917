"""What can be done to a task on the page: fix a module, choose a seed, another rule set, another size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import msgspec

from solvent.core.errors import BadOption, show_value
from solvent.valency.model import FORCE, Pick, Staging
from solvent.valency.orbitals import build_cache, count_nodes, node_name
from solvent.valency.page.make_task import Made, make
from solvent.valency.rules import modules_named, place


class Picked(msgspec.Struct, forbid_unknown_fields=True):
    """Say what is to stand on a node."""

    node: Annotated[int, msgspec.Meta(ge=0)]
    name: str


class Action(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Hold one thing to do; exactly one of these is there."""

    pick: Picked | None = None
    """Fix a module on a node, by its key or name."""
    unpick: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Let a node be filled freely again."""
    clear: bool | None = None
    """True: let every node be filled freely again."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    make: Made | None = None
    """Take another rule set, another grid, or a graph."""


def play(staging: Staging, action: Mapping[str, Any]) -> Staging:
    """Return the task after something was done to it.

    Raises BadOption if it cannot be done, and ParseError for a rule set or graph of your own that cannot be read.
    """
    try:
        wanted = msgspec.convert(action, Action)
    except (msgspec.ValidationError, RecursionError, UnicodeEncodeError) as error:
        raise BadOption(f"this cannot be done here: {error}") from None
    given = [name for name in Action.__struct_fields__ if getattr(wanted, name) is not None]
    if len(given) != 1 or wanted.clear is False:
        raise BadOption(f"expected one thing to do: {', '.join(Action.__struct_fields__)}; found {show_value(given)}")
    if wanted.pick is not None:
        return _pick(staging, wanted.pick)
    if wanted.unpick is not None:
        return _unpick(staging, wanted.unpick)
    if wanted.seed is not None:
        return replace(staging, seed=wanted.seed)
    if wanted.make is not None:
        return make(staging, wanted.make)
    return replace(staging, picks=())


def _pick(staging: Staging, wanted: Picked) -> Staging:
    where = _name(staging, wanted.node)
    meant = modules_named(staging.rules, wanted.name)
    if not meant:
        raise BadOption(f"no module is called {show_value(wanted.name)}")
    cache = build_cache(staging)
    if not cache.open_nodes[wanted.node]:
        raise BadOption(f"{where} has no neighbours and stays empty")
    placement = place(staging, cache)
    if staging.pick_misfit != FORCE and not placement.fits[placement.class_of[wanted.node], meant].any():
        raise BadOption(f"{show_value(wanted.name)} does not fit on {where}: it asks for other neighbours")
    others = [pick for pick in staging.picks if pick.node != wanted.node]
    picks = sorted([*others, Pick(wanted.node, wanted.name)], key=lambda pick: pick.node)
    return replace(staging, picks=tuple(picks))


def _unpick(staging: Staging, node: int) -> Staging:
    where = _name(staging, node)
    left = tuple(pick for pick in staging.picks if pick.node != node)
    if len(left) == len(staging.picks):
        raise BadOption(f"nothing is pinned on {where}")
    return replace(staging, picks=left)


def _name(staging: Staging, node: int) -> str:
    nodes = count_nodes(staging.cluster)
    if node >= nodes:
        raise BadOption(f"expected a node from 0 to {nodes - 1}, found {node}")
    return node_name(staging.cluster, node)
