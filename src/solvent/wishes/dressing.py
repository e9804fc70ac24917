"""Dress a level's ground with a fill of another domain: walls, doors and things stay where they are.

Both sides meet in a Tiled map. The level's domain writes one; each piece of the terrain is read by that domain once, on
a strip below the level; then every tile may hold only pieces that mean what its ground means. The fill is laid under
the level, tiles for which the terrain has no piece keep the level's own picture, and the result is read again: it must
be the very same level, so all that was proved of it still holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from solvent import asking
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, GenerationFailed, ParseError, UnsoundAnswer
from solvent.core.events import Listener
from solvent.core.judging import Terrain, Tile
from solvent.reading import decode_problem
from solvent.registry import all_domains, domain_of
from solvent.wishes.making import Proven

MAP = "tmj"
"""The kind of file in which a level and its terrain meet."""
_OWN_LAYER = "as it was"


def require_dressable(domain: Domain[Any], kind: str | None, rules: str) -> None:
    """Raise BadOption unless a domain's levels can be dressed by these rules and written as a file of this kind."""
    if MAP not in domain.formats or domain.judge is None or domain.judge.ground is None:
        raise BadOption(f"{domain.name} writes no maps with ground to dress")
    if kind not in (None, MAP):
        raise BadOption(f"a dressed level is written as a Tiled map, so expected a name that ends in .{MAP}")
    _dresser()[1].palette(rules)


def dress(
    problem: Any,
    answers: Sequence[Answer],
    rules: str,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    listen: Listener | None = None,
    folder: str | PathLike[str] | None = None,
) -> Proven:
    """Return a level dressed by a rule set, with all that was proved of it, or raise GenerationFailed."""
    domain = domain_of(problem)
    require_dressable(domain, None, rules)
    dresser, terrain = _dresser()
    plain = json.loads(domain.format(problem, MAP))
    ground = _ground(domain, plain)
    if not ground:
        raise BadOption("only a level with one map can be dressed")
    meaning = _read_palette(domain, plain, *terrain.palette(rules))
    pieces = {tile: frozenset(each for each, means in meaning.items() if means == at) for tile, at in ground.items()}
    allowed = {tile: fitting for tile, fitting in pieces.items() if fitting}
    if not allowed:
        raise BadOption(f"nothing in {rules} means what the ground of the level means")
    task = terrain.stage(rules, (plain["width"], plain["height"]), allowed, seed)
    filled = asking.ask(task, budget=budget, listen=listen)
    if filled.verdict is not Verdict.YES:
        why = filled.because or filled.reason
        raise GenerationFailed(f"{rules} cannot dress this level: {dresser.name} says {filled.verdict}: {why}")
    fill = json.loads(asking.export(task, filled, MAP, folder=folder))
    dressed = (json.dumps(_lay_under(plain, fill, set(allowed)), ensure_ascii=False) + "\n").encode()
    level = decode_problem(dressed, source="the dressed level", domain=domain.name)
    if level != problem:
        raise UnsoundAnswer(f"{domain.name}: a dressed level is read as another one")
    for answer in answers:
        if answer.certificate is not None:
            asking.check(level, answer.certificate)
    return Proven(task, [filled], level, answers, dressed, MAP, 1, 0)


def _dresser() -> tuple[Domain[Any], Terrain[Any]]:
    for domain in all_domains():
        if domain.generator is not None and domain.generator.terrain is not None:
            return domain, domain.generator.terrain
    raise BadOption("no domain makes terrain")


def _ground(domain: Domain[Any], plain: Mapping[str, Any]) -> Mapping[Tile, str]:
    assert domain.judge is not None
    assert domain.judge.ground is not None
    return domain.judge.ground(_read(domain, plain))


def _read(domain: Domain[Any], plain: Mapping[str, Any]) -> Any:
    return decode_problem(json.dumps(plain).encode(), source="the level", domain=domain.name)


def _read_palette(
    domain: Domain[Any], plain: Mapping[str, Any], names: Sequence[str], palette: bytes
) -> dict[str, str]:
    """Return what each piece means to the level's domain, by reading it on a strip below the level.

    Where they cannot be read together, as with a second start, each is read by itself, and is left out if even that
    fails. A piece that brings a thing along means more than ground, so it is never taken for ground.
    """
    assert domain.judge is not None
    assert domain.judge.meanings is not None
    strip, width, height = json.loads(palette), plain["width"], plain["height"]
    numbers = range(len(names))
    meaning: dict[str, str] = {}
    waiting: list[Sequence[int]] = [numbers]
    while waiting:
        some = waiting.pop()
        try:
            found = domain.judge.meanings(_read(domain, _with_strip(plain, strip, some)))
        except ParseError:
            waiting += [[number] for number in some] if len(some) > 1 else []
            continue
        for at, each in enumerate(_strip(some, width)):
            place = (at % width, height + at // width)
            if place in found:  # elsewhere no room goes on into the strip
                meaning[names[each]] = found[place]
    return meaning


def _with_strip(plain: Mapping[str, Any], strip: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    """Return a map with some of the pieces of a palette on rows below it, into which the lowest rooms go on."""
    width, height = plain["width"], plain["height"]
    cells = _strip(numbers, width)
    rows = len(cells) // width
    layers = []
    for layer in strip["layers"]:
        data = [0] * (width * height) + [layer["data"][number] for number in cells]
        layers.append({**layer, "width": width, "height": height + rows, "data": data})
    padded = {**strip, "width": width, "height": height + rows, "layers": layers}
    taller = {**plain, "height": height + rows, "layers": [_taller(layer, plain, rows) for layer in plain["layers"]]}
    return _lay_under(taller, padded, set())


def _strip(numbers: Sequence[int], width: int) -> list[int]:
    """Return the pieces of whole rows: each piece, then again from the first."""
    return [numbers[at % len(numbers)] for at in range(-(-len(numbers) // width) * width)]


def _taller(layer: Mapping[str, Any], plain: Mapping[str, Any], rows: int) -> dict[str, Any]:
    if layer["type"] != "tilelayer":
        side = plain["tileheight"]
        return {
            **layer,
            "objects": [
                {**one, "height": one["height"] + rows * side}
                if one.get("height", 0) > side and one["y"] + one["height"] >= plain["height"] * side
                else one
                for one in layer["objects"]
            ],
        }
    return {**layer, "height": layer["height"] + rows, "data": [*layer["data"], *[0] * (rows * layer["width"])]}


def _lay_under(plain: Mapping[str, Any], fill: Mapping[str, Any], dressed: set[Tile]) -> dict[str, Any]:
    """Return the map of a level on top of the map of a fill; tiles that are dressed lose their own picture."""
    first = max((tileset["firstgid"] + tileset.get("tilecount", 1) for tileset in plain["tilesets"]), default=1)
    shift = first - min(tileset["firstgid"] for tileset in fill["tilesets"])
    layers = [{**layer, "data": [_shifted(gid, shift) for gid in layer["data"]]} for layer in fill["layers"]]
    wide, high = fill["tilewidth"] / plain["tilewidth"], fill["tileheight"] / plain["tileheight"]
    for layer in plain["layers"]:
        if layer["type"] == "tilelayer":
            kept = [
                0 if (at % layer["width"], at // layer["width"]) in dressed else gid
                for at, gid in enumerate(layer["data"])
            ]
            layers.append({**layer, "name": layer["name"] or _OWN_LAYER, "data": kept})
        else:
            layers.append({**layer, "objects": [_scaled(thing, wide, high) for thing in layer["objects"]]})
    tilesets = [{**tileset, "firstgid": tileset["firstgid"] + shift} for tileset in fill["tilesets"]]
    return {
        **plain,
        "tilewidth": fill["tilewidth"],
        "tileheight": fill["tileheight"],
        "nextlayerid": len(layers) + 1,
        "layers": [{**layer, "id": number} for number, layer in enumerate(layers, 1)],
        "tilesets": [*plain["tilesets"], *tilesets],
    }


def _shifted(gid: int, shift: int) -> int:
    return gid + shift if gid else 0


def _scaled(thing: Mapping[str, Any], wide: float, high: float) -> dict[str, Any]:
    """Return an object on a map whose tiles have another size."""
    sizes = {"x": wide, "width": wide, "y": high, "height": high}
    return {key: _number(value * sizes[key]) if key in sizes else value for key, value in thing.items()}


def _number(value: float) -> float:
    return int(value) if float(value).is_integer() else value
