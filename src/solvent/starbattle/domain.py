"""Star Battle as a domain. The modules behind its slots are imported when a slot is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.answer import Finding, Verdict
from solvent.core.domain import Domain, Generator, Hints, Option, Page, Question, ReportColumns, Request, Rules
from solvent.core.late_import import late_modules
from solvent.starbattle.formats import FORMATS

if TYPE_CHECKING:
    from solvent.core import examples
    from solvent.starbattle import checker, drawing, explaining, generator, hints, locating, page, solver
    from solvent.starbattle.checker import chain, outside
    from solvent.starbattle.generator import book
    from solvent.starbattle.hints import grading, path
    from solvent.starbattle.model import Puzzle
    from solvent.starbattle.notation import addresses, star_count
    from solvent.starbattle.page import proof_steps
    from solvent.starbattle.solver import forcing
else:
    outside, forcing = late_modules(__package__, "checker.outside", "solver.forcing")
    [examples] = late_modules("solvent.core", "examples")
    addresses, star_count = late_modules(__package__, "notation.addresses", "notation.star_count")
    [book] = late_modules(__package__, "generator.book")
    explaining, proof_steps = late_modules(__package__, "explaining", "page.proof_steps")
    checker, drawing, generator, hints = late_modules(__package__, "checker", "drawing", "generator", "hints")
    locating, page, solver, chain, grading, path = late_modules(
        __package__, "locating", "page", "solver", "checker.chain", "hints.grading", "hints.path"
    )

GRADES = ("very easy", "easy", "medium", "hard", "very hard", "fiendish")
TECHNIQUES = (
    "exact fill",
    "tiling",
    "reserved area",
    "exclusion",
    "placements",
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
    "search",
)
"""Written out here, because a help text must not load what knows them; a test compares."""


def _solve(puzzle: Puzzle, request: Request) -> Finding:
    """Search for the stars, for other stars, or for proof that there are none; explain a YES if that is wanted."""
    meter = request.budget.start()
    if request.question == "forced":
        return forcing.answer_forced(puzzle, request, meter)
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
        "forced": Question(
            "Do all solutions that keep the marks agree on one cell?", verdicts_without_proof=(Verdict.YES,)
        ),
    },
    formats=FORMATS.descriptions,
    sniff=FORMATS.sniff,
    parse=FORMATS.parse,
    format=FORMATS.format,
    solve=_solve,
    solve_options=(
        Option("explain", False, "prove `unique` by steps that a person can follow, where possible", type=bool),
        Option("cell", None, "the cell that `forced` is about, such as r3c4; else the first without a mark", type=str),
        Option("completions", 0, "with `forced`, also compare up to this many solutions cell by cell", minimum=0),
    ),
    near_miss=lambda text: addresses.near_miss(text),
    addresses=("puzz.link", "swaroopg92.github.io", "f-puzzles.com", "sudokupad.app", "www.starbattle.org"),
    rules=Rules(
        apply=lambda puzzle, rules: star_count.with_stars(puzzle, **rules),
        options=(Option("stars", None, "stars in each row, column and region", minimum=1, maximum=6),),
    ),
    remarks=lambda puzzle: star_count.remarks(puzzle),
    remarks_matter=True,
    locate=lambda puzzle, answer: locating.locate(puzzle, answer),
    check=lambda puzzle, certificate, meter: checker.violations(puzzle, certificate, meter),
    explain=lambda puzzle, request: explaining.explain(puzzle, request),
    outside_proofs=lambda puzzle, certificate, meter: outside.outside_proofs(puzzle, certificate, meter),
    hints=Hints(
        find=lambda puzzle, request: hints.hints(puzzle, request),
        options=(
            Option("all", False, "show every cell that the step proves, not just one", type=bool),
            Option("every", False, "show all steps that can be taken now, grouped by technique", type=bool),
            Option("practise", None, "find a position that needs this technique", type=str, choices=TECHNIQUES),
            Option("answer", False, "with `practise`, give the answer as well", type=bool),
            Option("uniqueness", False, "also argue that there is only one solution; not with --path", type=bool),
            Option("search_work", 10_000, "how much work to look for a step; a unit is about 3 µs", minimum=0),
            Option("supposing_work", 40_000, "how much work to try suppositions if there is none", minimum=0),
            Option("verify_nodes", 10_000, "positions to visit to verify one cell", minimum=0),
        ),
        after=lambda puzzle, certificate: chain.take_step(puzzle, certificate),
        grade=lambda steps: grading.grade_path(steps),
    ),
    generator=Generator(
        make=lambda options, seed, listen, meter: generator.generate(seed=seed, listen=listen, meter=meter, **options),
        options=(
            Option("size", 10, "rows, columns and regions", minimum=5, maximum=25),
            Option("stars", 2, "stars in each of them", minimum=1, maximum=6),
            Option("grade", None, "difficulty", type=str, choices=GRADES),
            Option("technique", None, "a technique that it needs", type=str, choices=TECHNIQUES),
        ),
        book=lambda made, paper: book.lay_out_book(made, paper),
        promises=lambda _options: {"unique": Verdict.YES},
        daily=[
            {"size": size, "stars": stars, "grade": grade}
            for size, stars, grade in (
                *((6, 1, "very easy"), (8, 1, "easy"), (9, 2, "easy"), (10, 2, "medium")),
                *((10, 2, "hard"), (11, 2, "hard"), (12, 2, "very hard")),
            )
        ],
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
        edit=lambda puzzle, action: page.edit(puzzle, action),
        templates=lambda: page.templates(),
        proof_steps=lambda puzzle, certificate, meter: proof_steps.proof_steps(puzzle, certificate, meter),
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
