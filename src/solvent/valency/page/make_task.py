"""Make a task on the page: bundled rules or your own, on a grid or a graph.

Everything is read from the text that was sent; no file is ever opened.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace
from typing import Annotated, Literal, cast

import msgspec

from solvent.core.errors import BadOption, ParseError, unknown_name
from solvent.valency.generator import (
    OVERLAPPING,
    TILED,
    RuleOptions,
    learn,
    make_lattice,
    put_read,
    read_tiles,
    require_valid,
)
from solvent.valency.model import Graph, Lattice, Rules, Staging
from solvent.valency.orbitals import count_nodes
from solvent.valency.page.data import MAX_NODES, MAX_NODES_OF_A_GRAPH, is_shown
from solvent.valency.page.resizing import put_on

ENDINGS = ("json", "xml", "tsx", "tsj", "tmx", "tmj", "txt", "png")
"""Kinds of files that hold a rule set, or something from which rules can be learned."""
USUAL_GRID = "20x20"
PICTURE_GRID = "36x24"
"""For what is learned from a picture, of which a cell is one pixel."""
MAX_SAMPLE_CELLS = 128 * 128
"""Of a sample that rules are learned from on the page."""


class OwnRules(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Hold a rule set: the name of a bundled one, or a text with the ending that a file of its kind would have."""

    bundled: str | None = None
    ending: str | None = None
    text: str | None = None
    """What such a file would hold; of a picture, its bytes in Base64."""
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    subset: str | None = None
    sample: Literal["tiled", "overlapping"] = TILED  # type: ignore[assignment]  # the generator's own word
    pattern: Annotated[int, msgspec.Meta(ge=2, le=4)] = 3
    symmetry: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    sample_periodic: bool = True
    unset_is_any: bool = False


class Made(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Say what to make; what is left out stays as it is."""

    rules: OwnRules | None = None
    grid: Annotated[str, msgspec.Meta(max_length=60)] | None = None
    periodic: Literal["none", "x", "y", "z", "xy", "xz", "yz", "xyz"] | None = None
    graph: str | None = None
    """A graph in JSON, GraphML or CSV, as text."""


def open_bytes(name: str, data: bytes) -> Staging:
    """Make a task of a PNG picture: patterns of 3 × 3 pixels are learned from it, or else which colours touch."""
    from solvent.valency.notation.pictures import read_png
    from solvent.valency.notation.samples import sample_of_picture

    pixels = read_png(data, name or "the picture")
    height, width = pixels.shape[:2]
    if width * height > MAX_SAMPLE_CELLS:
        raise ParseError(
            f"a picture of up to {MAX_SAMPLE_CELLS:,} pixels to learn from", f"{width}x{height}", source=name or None
        )
    sample = sample_of_picture(pixels)
    title = name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    try:
        rules, how = learn(sample, title, {"sample": OVERLAPPING}), "Patterns of 3 × 3 pixels were learned from it"
    except ParseError:  # too many patterns
        rules, how = learn(sample, title, {"sample": TILED}), "Which colours touch was learned from it"
    remark = f"A picture of {width} × {height} pixels. {how}, and it is put on a grid of {PICTURE_GRID}."
    staging = Staging(rules, make_lattice(rules, PICTURE_GRID, "none"), remarks=(remark,))
    require_valid(staging)
    return staging


def make(staging: Staging, wanted: Made) -> Staging:
    """Return a task of other rules, or on another grid or graph, or both."""
    if wanted.graph is not None and (wanted.grid is not None or wanted.periodic not in (None, "none")):
        raise BadOption("a grid or a graph: expected one of them")
    remarks: list[str] = []
    whole = staging if wanted.rules is None else _read(wanted.rules, remarks)
    if isinstance(whole, Rules):
        whole = replace(Staging(whole, staging.cluster), seed=staging.seed)
        if wanted.graph is None and wanted.grid is None:
            wanted = msgspec.structs.replace(wanted, grid=_present_grid(staging))
    made = _on_graph(whole, wanted.graph) if wanted.graph is not None else _on_grid(whole, wanted)
    made = replace(made, remarks=(*remarks, *made.remarks))
    _require_size(made)
    require_valid(made)
    return made


def _read(wanted: OwnRules, remarks: list[str]) -> Staging | Rules:
    """Read a rule set, or a whole task, which is put on another grid only if one is asked for."""
    if wanted.bundled is not None:
        from solvent.valency.examples import load_examples
        from solvent.valency.formats import FORMATS

        bundled = {example.name: example.text for example in load_examples()}
        if wanted.bundled not in bundled:
            raise unknown_name("rule set", wanted.bundled, bundled)
        return FORMATS.parse(bundled[wanted.bundled])
    ending = (wanted.ending or "").lower().lstrip(".")
    if ending not in ENDINGS:
        raise unknown_name("kind of rule set", wanted.ending, ENDINGS)
    if wanted.text is None or not wanted.text.strip():
        raise BadOption("expected a rule set, but there is nothing in it")
    if ending in ("png", "txt"):
        return _learn(wanted, ending, wanted.text)
    text = wanted.text
    if text.lstrip("\ufeff \t\r\n").startswith("{") and '"wangsets"' not in text:
        return _read_json(text)
    return read_tiles(text, f".{ending}", wanted.name, remarks, _reading(wanted))


def _read_json(text: str) -> Staging | Rules:
    from solvent.valency.formats import FORMATS
    from solvent.valency.notation.rule_sets import parse_rules

    return FORMATS.parse(text) if FORMATS.sniff(text) and '"cluster"' in text else parse_rules(text)


def _learn(wanted: OwnRules, ending: str, text: str) -> Rules:
    from solvent.valency.notation.samples import parse_sample, sample_of_picture

    if ending == "png":
        from solvent.valency.notation.pictures import read_png

        try:
            data = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise ParseError("the bytes of a picture in Base64") from None
        pixels = read_png(data, wanted.name or "the picture")
        _require_sample(pixels.shape[1], pixels.shape[0])
        sample = sample_of_picture(pixels)
    else:
        sample = parse_sample(text)
        _require_sample(sample.cells.shape[1], sample.cells.shape[0])
    return learn(sample, wanted.name, _reading(wanted))


def _reading(wanted: OwnRules) -> RuleOptions:
    return cast(RuleOptions, msgspec.structs.asdict(wanted))  # it has all of them, by the same names


def _require_sample(width: int, height: int) -> None:
    if width * height > MAX_SAMPLE_CELLS:
        raise BadOption(
            f"this page learns from samples of up to {MAX_SAMPLE_CELLS:,} cells, and this one has {width} × {height}; "
            "the command `solvent generate valency` takes larger ones"
        )


def _present_grid(staging: Staging) -> str:
    lattice = staging.cluster
    if not isinstance(lattice, Lattice):
        return USUAL_GRID
    depth = f"x{lattice.depth}" if lattice.depth > 1 else ""
    return f"{lattice.width}x{lattice.height}{depth}"


def _on_grid(staging: Staging, wanted: Made) -> Staging:
    if wanted.grid is None and wanted.periodic is None:
        return staging
    if wanted.grid is None and isinstance(staging.cluster, Graph):
        raise BadOption("a graph does not wrap around; choose a grid first")
    periodic: str | None = wanted.periodic
    if periodic is None:
        wraps = staging.cluster.periodic if isinstance(staging.cluster, Lattice) else ()
        periodic = "".join(axis for axis, wrap in zip("xyz", wraps, strict=False) if wrap) or "none"
    return put_on(staging, make_lattice(staging.rules, wanted.grid or _present_grid(staging), periodic))


def _on_graph(staging: Staging, text: str) -> Staging:
    from solvent.valency.notation.graphs.reading import parse_graph

    read = parse_graph(text, None, staging.rules)
    return put_read(put_on(staging, read.graph), read)


def _require_size(staging: Staging) -> None:
    if is_shown(staging.cluster):
        return
    nodes = count_nodes(staging.cluster)
    raise BadOption(
        f"this page fills grids of up to {MAX_NODES:,} cells and graphs of up to {MAX_NODES_OF_A_GRAPH:,} nodes, and "
        f"this would have {nodes:,}; the command `solvent generate valency` makes larger ones"
    )
