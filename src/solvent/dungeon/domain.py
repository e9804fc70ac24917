"""Dungeons as a domain. The modules behind its slots are imported when a slot is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.answer import Verdict
from solvent.core.domain import (
    Audit,
    Domain,
    Generator,
    Hints,
    Mappings,
    Option,
    Page,
    Question,
    ReportColumns,
    Rules,
)
from solvent.core.judging import Judge
from solvent.core.late_import import late_modules
from solvent.dungeon.formats import EDITOR_FORMATS, FORMATS
from solvent.dungeon.options import MECHANICS, SOLVE_OPTIONS

if TYPE_CHECKING:
    from solvent.core import examples
    from solvent.dungeon import (
        audit,
        blaming,
        checker,
        describe_certificate,
        drawing,
        explaining,
        generator,
        hints,
        locating,
        page,
        profiling,
        solver,
    )
    from solvent.dungeon.checker import outside
    from solvent.dungeon.model import Dungeon
    from solvent.dungeon.notation import mapping, ruling
else:
    [examples] = late_modules("solvent.core", "examples")
    audit, blaming, checker, describe_certificate, drawing, explaining = late_modules(
        __package__, "audit", "blaming", "checker", "describe_certificate", "drawing", "explaining"
    )
    generator, hints, locating, page, profiling, solver = late_modules(
        __package__, "generator", "hints", "locating", "page", "profiling", "solver"
    )
    ruling, mapping, outside = late_modules(__package__, "notation.ruling", "notation.mapping", "checker.outside")


def _size(dungeon: Dungeon) -> int:
    """Return how many tiles there are to stand on."""
    from solvent.dungeon.model import NOTHING, WALL

    rows = [row for floor in dungeon.floors for row in floor.terrain]
    return sum(len(row) - row.count(WALL) - row.count(NOTHING) for row in rows)


DOMAIN: Domain[Dungeon] = Domain(
    name="dungeon",
    title="Dungeons: locks and keys, bombs, items, switches, blocks; can they be finished, can they be lost?",
    questions={
        "solvable": Question("Can the goal be reached? (with a shortest plan)"),
        "losable": Question("Can a player get where the goal cannot be reached any more?", passing_verdict=Verdict.NO),
        "collectable": Question("Can everything be had in one play? (all items, or those named by collect)"),
        "accessible": Question("Can each key, bomb and item be reached by some play, and the goal?"),
        "monotone": Question("Does taking something never put anything out of reach?"),
    },
    formats=FORMATS.descriptions,
    sniff=FORMATS.sniff,
    parse=FORMATS.parse,
    parse_file=FORMATS.parse,
    near_miss=FORMATS.near_miss,
    format=FORMATS.format,
    mappings=Mappings(
        file_name="solvent-mapping.toml",
        read=lambda text, path, file: mapping.read_with_mapping(text, path, file),
        can_map=lambda text: FORMATS.find(text) in EDITOR_FORMATS,
        draft=lambda texts, known, source: mapping.draft_mapping(texts, known, source),
        decide=lambda known, decisions, places: mapping.decide(known, decisions, places),
    ),
    rules=Rules(
        apply=lambda dungeon, rules: ruling.with_rules(dungeon, rules),
        options=(
            Option("keys", None, "keys carried at the start, such as 2, or 1 + red 2", type=str),
            Option("bombs", None, "bombs carried at the start, or unlimited", type=str),
            Option("items", None, "items carried at the start, such as ladder + raft, or none", type=str),
            Option("bombs_per_pickup", None, "bombs in a pickup that does not say how many", minimum=0, maximum=9_999),
            Option("keys_counted", None, "false: locks open without keys", type=bool),
            Option("water", None, "the item that crosses water", type=str),
            Option("crossing", None, "how much water one step crosses", type=str, choices=("any", "one")),
            Option("soft", None, "what soft-locked doors do", type=str, choices=("open", "clear", "shut")),
            Option("push", None, "whether blocks can be pushed", type=str, choices=("once", "on", "never")),
            Option("blocks", None, "what blocks do when their room is left", type=str, choices=("stay", "reset")),
            Option(
                "home",
                None,
                "whether a player can go back to the start at any time",
                type=str,
                choices=("never", "always"),
            ),
            Option("collect", None, "the items that collectable is about, such as gem + heart", type=str),
            Option(
                "accessibility",
                None,
                "what accessible is about",
                type=str,
                choices=("full", "items", "minimal"),
            ),
            Option(
                "player",
                None,
                "which player may lose: anyone, or one who collects all there is first",
                type=str,
                choices=("any", "thorough"),
            ),
        ),
    ),
    remarks=lambda dungeon: dungeon.remarks,
    remarks_matter=True,
    solve=lambda dungeon, request: solver.solve(dungeon, request),
    solve_options=SOLVE_OPTIONS,
    check=lambda dungeon, certificate, meter: checker.violations(dungeon, certificate, meter),
    outside_proofs=lambda dungeon, certificate, meter: outside.outside_proofs(dungeon, certificate, meter),
    describe=lambda dungeon, certificate: describe_certificate.describe_certificate(dungeon, certificate),
    locate=lambda dungeon, answer: locating.locate(dungeon, answer),
    asked_on_save=("solvable", "losable"),
    explain=lambda dungeon, request: explaining.explain(dungeon, request),
    profile=lambda dungeon, answer: profiling.profile_files(dungeon, answer.stats),
    hints=Hints(find=lambda dungeon, request: hints.hints(dungeon, request), options=SOLVE_OPTIONS),
    generator=Generator(
        make=lambda options, seed, listen, meter: generator.generate(seed=seed, listen=listen, meter=meter, **options),
        options=(
            Option("rooms", 12, "how many rooms", minimum=2, maximum=2000),
            Option("locks", 4, "how many locked doors", minimum=0, maximum=500),
            Option("bombs", 1, "how many cracked walls", minimum=0, maximum=200),
            Option("items", 1, "how many items, each with gates that need it", minimum=0, maximum=20),
            Option("losable", False, "let a player lock themself out", type=bool),
        ),
        promises=lambda options: {
            "solvable": Verdict.YES,
            "losable": Verdict.YES if options["losable"] else Verdict.NO,
        },
        daily=[
            {"rooms": rooms, "locks": locks, "bombs": bombs, "items": items, "losable": rooms > 12}
            for rooms, locks, bombs, items in (
                *((6, 2, 0, 0), (8, 3, 0, 0), (10, 3, 1, 0), (12, 4, 1, 1)),
                *((14, 5, 1, 1), (18, 6, 2, 1), (24, 8, 2, 2)),
            )
        ],
    ),
    draw_svg=lambda dungeon, wanted: drawing.draw_svg(
        dungeon,
        certificate=wanted.certificate,
        move=wanted.move,
        highlights=wanted.highlights,
        view=wanted.view,
        bare=wanted.bare,
    ),
    draw_text=lambda dungeon, wanted: drawing.draw_text(
        dungeon,
        certificate=wanted.certificate,
        move=wanted.move,
        highlights=wanted.highlights,
        colour=wanted.colour,
        brief=wanted.brief,
        bare=wanted.bare,
    ),
    views={
        "map": "the floors, tile by tile",
        "graph": "the rooms and what joins them",
        "points": "points of interest, the walks between them, and the way to the goal with every gate open",
    },
    page=Page(
        package=__package__,
        data=lambda dungeon: page.page_data(dungeon),
        play=lambda dungeon, action: page.play(dungeon, action),
        marks=lambda dungeon, certificate: page.marks(dungeon, certificate),
        edit=lambda dungeon, action: page.edit(dungeon, action),
        templates=lambda: page.templates(),
        proof_steps=lambda dungeon, certificate, meter: page.proof_steps(dungeon, certificate, meter),
    ),
    judge=Judge(
        reads=("tmj", "tmx", "ldtk"),
        ground=lambda dungeon: blaming.tile_grounds(dungeon),
        meanings=lambda dungeon: blaming.tile_meanings(dungeon),
        blame=lambda dungeon, answer: blaming.find_blame(dungeon, answer),
    ),
    audit=Audit(
        tests=lambda: audit.named_tests(),
        run=lambda trial, options: audit.audit(trial, **options),
        options=(
            Option("rows", None, "only levels with this many rows", minimum=1, maximum=4),
            Option("cols", None, "only levels with this many columns", minimum=1, maximum=8),
            Option("mechanics", None, "only levels with these", type=str, choices=MECHANICS),
        ),
    ),
    examples=lambda: examples.load_examples("solvent.dungeon.examples"),
    size=_size,
    report_columns=ReportColumns(
        unit="tiles",
        expanded=("expanded",),
        length=("plan_length", "walk_length"),
        diagnostics=(
            "situations",
            "macro_attempts",
            "macro_failures",
            "reverse_pruned",
            "dominance_pruned",
            "max_open",
        ),
    ),
)
