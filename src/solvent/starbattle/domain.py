"""Star Battle as a domain. The modules behind its slots are imported when a slot is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.answer import Finding, Verdict
from solvent.core.domain import Domain, Generator, Hints, Option, Page, Question, ReportColumns, Request
from solvent.core.late_import import late_modules
from solvent.starbattle.formats import FORMATS

if TYPE_CHECKING:
    from solvent.core import examples
    from solvent.starbattle import checker, drawing, generator, hints, locating, page, solver
    from solvent.starbattle.checker import chain, outside
    from solvent.starbattle.hints import grading, path
    from solvent.starbattle.model import Puzzle
else:
    [outside] = late_modules(__package__, "checker.outside")
    [examples] = late_modules("solvent.core", "examples")
    checker, drawing, generator, hints = late_modules(__package__, "checker", "drawing", "generator", "hints")
    locating, page, solver, chain, grading, path = late_modules(
        __package__, "locating", "page", "solver", "checker.chain", "hints.grading", "hints.path"
    )

GRADES = ("very easy", "easy", "medium", "hard", "very hard", "fiendish")
TECHNIQUES = (
    "exact fill",
    "tiling",
    "placements",
    "reserved area",
    "exclusion",
    "pressured exclusion",
    "undercounting",
    "overcounting",
    "squeeze",
    "composite shape",
    "finned count",
    "set differential",
    "shapes",
    "fish",
    "n-rooks",
    "hypothesis",
    "nested hypothesis",
)
"""Written out here, because a help text must not load what knows them; a test compares."""


def _solve(puzzle: Puzzle, request: Request) -> Finding:
    """Search for the stars, for other stars, or for proof that there are none; explain a YES if that is wanted."""
    meter = request.budget.start()
    finding = solver.solve(puzzle, request, meter)
    if request.options["explain"] and request.question == "unique" and finding.verdict is Verdict.YES:
        return path.explained(puzzle, finding, meter)
    return finding


DOMAIN: Domain[Puzzle] = Domain(
    name="starbattle",
    title="Star Battle: k stars in every row, column and region, none touching",
    questions={
        "solvable": Question("Can the stars be placed, keeping the marks there are?"),
        "unique": Question("Is there exactly one way to place them?", verdicts_without_proof=(Verdict.YES, Verdict.NO)),
    },
    formats=FORMATS.descriptions,
    sniff=FORMATS.sniff,
    parse=FORMATS.parse,
    format=FORMATS.format,
    solve=_solve,
    solve_options=(
        Option("explain", False, "prove `unique` by steps that a person can follow, where possible", type=bool),
    ),
    locate=lambda puzzle, answer: locating.locate(puzzle, answer),
    check=lambda puzzle, certificate, meter: checker.violations(puzzle, certificate, meter),
    outside_proofs=lambda puzzle, certificate, meter: outside.outside_proofs(puzzle, certificate, meter),
    hints=Hints(
        find=lambda puzzle, request: hints.hints(puzzle, request),
        options=(
            Option("all", False, "show every cell that the step proves, not just one", type=bool),
            Option("uniqueness", False, "also argue that there is only one solution; not with --path", type=bool),
            Option("search_work", 10_000, "how much work to look for a step; a unit is about 3 µs", minimum=0),
            Option("supposing_work", 80_000, "how much work to try suppositions if there is none", minimum=0),
            Option("verify_nodes", 10_000, "positions to visit to verify one cell", minimum=0),
        ),
        after=lambda puzzle, certificate: chain.take_step(puzzle, certificate),
        grade=lambda steps: grading.grade_path(steps),
        claims={"forced": "These cells have this value in every solution that keeps the marks."},
    ),
    generator=Generator(
        make=lambda options, seed, listen, meter: generator.generate(seed=seed, listen=listen, meter=meter, **options),
        options=(
            Option("size", 10, "rows, columns and regions", minimum=5, maximum=25),
            Option("stars", 2, "stars in each of them", minimum=1, maximum=6),
            Option("grade", None, "difficulty", type=str, choices=GRADES),
            Option("technique", None, "a technique that it needs", type=str, choices=TECHNIQUES),
        ),
        promises=lambda _options: {"unique": Verdict.YES},
    ),
    draw_svg=lambda puzzle, wanted: drawing.draw_svg(
        puzzle, certificate=wanted.certificate, move=wanted.move, highlights=wanted.highlights
    ),
    draw_text=lambda puzzle, wanted: drawing.draw_text(
        puzzle,
        certificate=wanted.certificate,
        move=wanted.move,
        highlights=wanted.highlights,
        colour=wanted.colour,
        bare=wanted.bare,
    ),
    page=Page(
        package=__package__,
        data=lambda puzzle: page.page_data(puzzle),
        play=lambda puzzle, action: page.play(puzzle, action),
    ),
    examples=lambda: examples.load_examples("solvent.starbattle.examples"),
    size=lambda puzzle: puzzle.size * puzzle.size,
    report_columns=ReportColumns(
        unit="cells",
        expanded=("positions",),
        length=(),
        diagnostics=("conflicts", "solutions", "capped"),
    ),
)
