"""Harmony as a domain. The modules behind its slots are imported when a slot is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.domain import Audit, Domain, Generator, Hints, Option, Page, Question, ReportColumns, SolutionFiles
from solvent.core.late_import import late_modules
from solvent.harmony.formats import FORMATS

if TYPE_CHECKING:
    from solvent.core import examples
    from solvent.harmony import (
        audit,
        checker,
        drawing,
        generator,
        hints,
        invalidity,
        locating,
        page,
        solutions,
        solver,
    )
    from solvent.harmony.checker import outside
    from solvent.harmony.model import Board
    from solvent.harmony.page import proof_steps
else:
    outside, proof_steps = late_modules(__package__, "checker.outside", "page.proof_steps")
    [examples] = late_modules("solvent.core", "examples")
    audit, checker, drawing, generator = late_modules(__package__, "audit", "checker", "drawing", "generator")
    hints, invalidity, locating, page, solutions, solver = late_modules(
        __package__, "hints", "invalidity", "locating", "page", "solutions", "solver"
    )

SOLVE_OPTIONS = (
    Option(
        "solver",
        "portfolio",
        "which solver to use; the others are parts of the portfolio, for comparison",
        type=str,
        choices=("portfolio", "dfs", "annealing", "order", "layers"),
    ),
    Option("seed", 0, "seed of every random choice", minimum=0),
)
PRUNING_OPTIONS = (
    Option(
        "test_order",
        "cost",
        "which invalidity tests the search asks first: the cheapest, or by name",
        type=str,
        choices=("cost", "name"),
    ),
    Option("only_affected", True, "let a test look only at what the last swap affected, if it can", type=bool),
    Option("cached_counts", True, "keep what tests count up to date, instead of counting each board", type=bool),
    Option("dear_tests_after", 0, "skip tests that take long before so many swaps", minimum=0, maximum=1000),
    Option("time_tests", False, "time every call of Solvent's own tests, instead of one in 13", type=bool),
)

DOMAIN: Domain[Board] = Domain(
    name="harmony",
    title="Harmony: swap tiles until each is in its colour's row with no move left",
    questions={"solvable": Question("Can every tile get home using all its moves?")},
    formats=FORMATS.descriptions,
    sniff=FORMATS.sniff,
    parse=FORMATS.parse,
    format=FORMATS.format,
    solve=lambda board, request: solver.solve(board, request),
    solve_options=(*SOLVE_OPTIONS, *PRUNING_OPTIONS),
    locate=lambda board, answer: locating.locate(board, answer),
    check=lambda board, certificate, meter: checker.violations(board, certificate, meter),
    outside_proofs=lambda board, certificate, meter: outside.outside_proofs(board, certificate, meter),
    solutions=SolutionFiles(
        read=lambda board, text: solutions.read_solution(board, text),
        write=lambda board, certificate: solutions.write_solution(board, certificate),
    ),
    hints=Hints(find=lambda board, request: hints.hints(board, request), options=SOLVE_OPTIONS),
    generator=Generator(
        make=lambda options, seed, _listen, meter: generator.generate(seed=seed, meter=meter, **options),
        options=(
            Option("rows", 4, "rows of the board", minimum=1, maximum=26),
            Option("cols", 4, "columns of the board", minimum=1, maximum=99),
            Option("swaps", 10, "swaps a solution has", minimum=0, maximum=100_000),
        ),
        daily=[
            {"rows": rows, "cols": cols, "swaps": swaps}
            for rows, cols, swaps in ((3, 3, 5), (4, 3, 7), (4, 4, 9), (4, 4, 12), (5, 4, 16), (5, 5, 20), (6, 5, 26))
        ],
    ),
    draw_svg=lambda board, wanted: drawing.draw_svg(board, certificate=wanted.certificate, move=wanted.move),
    draw_text=lambda board, wanted: drawing.draw_text(board, move=wanted.move, colour=wanted.colour, bare=wanted.bare),
    page=Page(
        package=__package__,
        data=lambda board: page.page_data(board),
        play=lambda board, action: page.play(board, action),
        edit=lambda board, action: page.edit(board, action),
        templates=lambda: page.templates(),
        proof_steps=lambda board, certificate, meter: proof_steps.proof_steps(board, certificate, meter),
    ),
    audit=Audit(
        tests=lambda: {test.name: test for test in invalidity.ALL_TESTS},
        run=lambda trial, options: audit.audit(trial, **options),
        options=(
            Option("rows", None, "only boards with this many rows", minimum=1, maximum=4),
            Option("cols", None, "only boards with this many columns", minimum=1, maximum=4),
            Option("swaps", None, "boards solvable in at most this many swaps", minimum=1, maximum=16),
        ),
        joins_search=True,
    ),
    examples=lambda: examples.load_examples("solvent.harmony.examples"),
    size=lambda board: board.rows * board.cols,
    report_columns=ReportColumns(
        unit="tiles",
        expanded=("nodes",),
        length=("swaps",),
        diagnostics=("forced", "answered_by", "boards", "proposals", "conflicts"),
    ),
)
