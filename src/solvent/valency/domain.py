"""Valency as a domain. The modules behind its slots are imported when a slot is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solvent.core.domain import Domain, Drawing, Entries, Exports, Generator, Option, Page, Question, ReportColumns
from solvent.core.judging import Remaking, Terrain
from solvent.core.late_import import late_modules
from solvent.valency.formats import FORMATS

if TYPE_CHECKING:
    from solvent.valency import (
        checker,
        describe_certificate,
        drawing,
        examples,
        explaining,
        exports,
        generator,
        locating,
        orbitals,
        page,
        remaking,
        rules,
        solver,
        terrain,
    )
    from solvent.valency.checker import outside
    from solvent.valency.model import Staging
    from solvent.valency.worlds import files as world_files
else:
    outside, world_files = late_modules(__package__, "checker.outside", "worlds.files")
    checker, describe_certificate, drawing, examples, explaining = late_modules(
        __package__, "checker", "describe_certificate", "drawing", "examples", "explaining"
    )
    exports, generator, locating, orbitals, page, remaking, rules, solver, terrain = late_modules(
        __package__, "exports", "generator", "locating", "orbitals", "page", "remaking", "rules", "solver", "terrain"
    )


def _with_candidates(task: Staging, drawing: Drawing) -> Mapping[str, Any] | None:
    """Add what the view of candidates shows, which a drawing does not work out by itself."""
    if drawing.view != "candidates" or "candidates" in (drawing.highlights or {}):
        return drawing.highlights
    from solvent.valency.solver.filling import count_candidates

    return {**(drawing.highlights or {}), "candidates": count_candidates(task)}


DOMAIN: Domain[Staging] = Domain(
    name="valency",
    title="Valency: fill any graph with modules that fit their neighbours (wave function collapse)",
    questions={
        "solvable": Question("Can every node be filled? (with a fill drawn from the seed)"),
        "partial": Question("What can be filled? (nodes that cannot are left out, with the reason)"),
    },
    formats=FORMATS.descriptions,
    sniff=FORMATS.sniff,
    parse=FORMATS.parse,
    parse_file=FORMATS.parse,
    format=FORMATS.format,
    remarks=lambda task: [*task.remarks, *rules.remarks(task)],
    remarks_matter=True,
    solve=lambda task, request: solver.solve(task, request),
    solve_options=(
        Option("seed", None, "seed of every choice; the instance's own by default", minimum=0),
        Option("solver", "auto", "in which order nodes are filled, or a solver of your own", type=str),
        Option("invert", False, "priority solver: the lowest first", type=bool),
        Option("balance", True, "steer frequencies towards the weights", type=bool),
        Option("repair", True, "repair a contradiction on the spot before starting again", type=bool),
        Option("windows", True, "have a proof search repair what choosing again does not", type=bool),
        Option("minimal", True, "narrow the clash of a NO down until nothing in it can be left out", type=bool),
        Option("trace", False, "keep the order in which nodes were filled", type=bool),
    ),
    check=lambda task, certificate, meter: checker.violations(task, certificate, meter),
    outside_proofs=lambda task, certificate, meter: outside.outside_proofs(task, certificate, meter),
    describe=lambda task, certificate: describe_certificate.describe_certificate(task, certificate),
    locate=lambda task, answer: locating.locate(task, answer),
    explain=lambda task, request: explaining.explain(task, request),
    generator=Generator(
        make=lambda options, seed, _listen, meter: generator.make(options, seed, meter),
        files=lambda options, seed, listen, meter: world_files.make_files(options, seed, listen, meter),
        options=(
            Option(
                "rules",
                "pipes",
                "a rule set: a file, or the name of a bundled one",
                type=str,
                opens_file=True,
                page_help="the modules and what may stand beside what; open a file to use your own",
            ),
            Option(
                "grid",
                None,
                "width x height, or width x height x depth; 20x20 if the file has no size",
                type=str,
                page_help="width x height, or width x height x depth; 20x20 if left empty",
            ),
            Option(
                "graph",
                None,
                "fill this graph instead of a grid: a JSON, GraphML or CSV file",
                type=str,
                opens_file=True,
            ),
            Option(
                "periodic",
                "none",
                "where the grid wraps around",
                type=str,
                choices=("none", "x", "y", "z", "xy", "xyz"),
            ),
            Option("subset", None, "use only this subset of the rule file's tiles", type=str, about_file=True),
            Option(
                "sample",
                None,
                "how to learn from a picture or map: which cells touch, or patterns; a Tiled map with terrain sets is "
                "read as those unless this is given",
                type=str,
                choices=("tiled", "overlapping"),
                about_file=True,
            ),
            Option(
                "pattern", 3, "size of the patterns of an overlapping sample", minimum=2, maximum=8, about_file=True
            ),
            Option(
                "symmetry",
                None,
                "in how many ways to turn a sample; 8 for overlapping pictures and texts, else 1; 12 for hexagons",
                minimum=1,
                maximum=12,
                about_file=True,
            ),
            Option(
                "sample_periodic",
                None,
                "a sample's last column stands beside its first, and its last row beside its first; true for pictures "
                "and texts, false for maps and voxels",
                type=bool,
                about_file=True,
            ),
            Option(
                "unset_is_any",
                False,
                "in a terrain set, a side without a colour may touch any other",
                type=bool,
                about_file=True,
            ),
            Option("unsolved", False, "make the task only, without filling it", type=bool),
            Option(
                "chunks",
                None,
                "make chunks of a world without end: columns x rows, such as 4x4",
                type=str,
                of_files=True,
            ),
            Option("chunk", None, "size of a chunk; 32x32, or the grid of a task in JSON", type=str, of_files=True),
            Option(
                "at", None, "column, row of the first chunk, such as 10,-3; 0,0 if not given", type=str, of_files=True
            ),
            Option(
                "chunk_files",
                None,
                "kind of file that each chunk is written to; tmj if not given",
                type=str,
                of_files=True,
            ),
        ),
        terrain=Terrain(
            palette=lambda source: terrain.palette(source),
            stage=lambda source, size, allowed, seed: terrain.stage(source, size, allowed, seed),
        ),
        attempts=lambda options: None if options["unsolved"] else "solvable",
        remaking=Remaking(
            pieces=lambda task, certificate: remaking.pieces(task, certificate),
            begin=lambda task, certificate, seed, meter: remaking.Remaker(task, certificate, seed, meter),
        ),
        source="rules",
    ),
    exports=Exports(
        kinds={
            "png": "a picture, from the modules' own pictures or colours",
            "svg": "a drawing",
            "gif": "the collapse, step by step",
            "tmj": "a Tiled map in JSON, with the tilesets that the rules came from",
            "tmx": "the same in XML",
            "tscn": "a Godot 4 scene with a TileMapLayer",
            "vox": "a voxel model for MagicaVoxel, a voxel a cell",
            "obj": "a mesh of cubes",
            "csv": "one line per node",
            "graphml": "the graph with the modules as attributes",
            "json": "the modules with all their data; the task itself if it is not solved",
        },
        write=lambda task, answer, ending: exports.export(task, answer, ending),
        needs={"gif": {"trace": True}},
    ),
    draw_svg=lambda task, wanted: drawing.draw_svg(
        task,
        certificate=wanted.certificate,
        move=wanted.move,
        highlights=_with_candidates(task, wanted),
        view=wanted.view,
        bare=wanted.bare,
    ),
    draw_text=lambda task, wanted: drawing.draw_text(
        task,
        certificate=wanted.certificate,
        move=wanted.move,
        highlights=_with_candidates(task, wanted),
        view=wanted.view,
        colour=wanted.colour,
        bare=wanted.bare,
    ),
    views={
        "modules": "what stands on each node",
        "candidates": "how many modules are possible on each node, all consequences drawn, before anything is chosen",
        "depth": "several floors as cubes, seen from above and in front",
    },
    page=Page(
        package=__package__,
        data=lambda task: page.page_data(task),
        play=lambda task, action: page.play(task, action),
        edit=lambda task, action: page.edit(task, action),
        templates=lambda: page.templates(),
        marks=lambda task, certificate: page.marks(task, certificate),
        proof_steps=lambda task, certificate, meter: page.proof_steps(task, certificate, meter),
        part=lambda task, action, meter: page.part(task, action, meter),
        open_bytes=lambda name, data: page.open_bytes(name, data),
        entries=Entries(
            find=lambda text: page.find_entries(text), read=lambda text, path, name: page.read_entry(text, path, name)
        ),
        shows_solutions=True,
    ),
    examples=lambda: examples.load_examples(),
    size=lambda task: orbitals.count_nodes(task.cluster),
    report_columns=ReportColumns(
        unit="nodes",
        expanded=("nodes", "choices"),
        length=("filled",),
        diagnostics=("solver", "attempts", "repairs", "windows", "removed", "impossible", "over_budget"),
    ),
)
