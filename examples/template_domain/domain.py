"""Lamps as a domain. The modules behind its slots are imported when a slot is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.domain import Domain, Generator, Hints, Option, Question, ReportColumns
from solvent.core.late_import import late_modules

if TYPE_CHECKING:
    from template_domain import checker, drawing, examples, generator, hints, notation, solver
    from template_domain.model import Grid
else:
    checker, drawing, examples, generator, hints, notation, solver = late_modules(
        __package__, "checker", "drawing", "examples", "generator", "hints", "notation", "solver"
    )

SOLVE_OPTIONS = (Option("states", 1 << 16, "most states to remember before giving up", minimum=1, maximum=1 << 24),)

DOMAIN: Domain[Grid] = Domain(
    name="lamps",
    title="Lamps: press a lamp and it and its neighbours change; light them all",
    questions={"solvable": Question("Can all lamps be lit at once?")},
    formats={"grid": "the word lamps, then one line per row: * is lit, . is dark"},
    sniff=lambda text: notation.sniff(text),
    parse=lambda text: notation.parse_grid(text),
    format=lambda grid, _format: notation.format_grid(grid),
    solve=lambda grid, request: solver.solve(grid, request),
    solve_options=SOLVE_OPTIONS,
    check=lambda grid, certificate, meter: checker.violations(grid, certificate, meter),
    hints=Hints(find=lambda grid, request: hints.hints(grid, request), options=SOLVE_OPTIONS),
    generator=Generator(
        make=lambda options, seed, _listen, _meter: generator.generate(seed=seed, **options),
        options=(
            Option("rows", 3, "rows of the grid", minimum=1, maximum=9),
            Option("cols", 3, "columns of the grid", minimum=1, maximum=9),
            Option("presses", 4, "how many different lamps to press, starting from all lit", minimum=0, maximum=81),
        ),
    ),
    draw_svg=lambda grid, wanted: drawing.draw_svg(grid, certificate=wanted.certificate, move=wanted.move),
    draw_text=lambda grid, wanted: drawing.draw_text(grid, move=wanted.move, colour=wanted.colour),
    examples=lambda: examples.load_examples(),
    size=lambda grid: len(grid.lit),
    report_columns=ReportColumns(unit="lamps", diagnostics=("states",)),
)
