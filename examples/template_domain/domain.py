"""Lamps as a domain: the names, and late imports of everything that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate, Finding
from solvent.core.domain import Drawing, Option, Request
from solvent.core.events import Listener, ignore
from solvent.core.report_columns import ReportColumns

if TYPE_CHECKING:
    from solvent.core.examples import Example
    from solvent.core.hints import Hint
    from template_domain.model import Grid


class Lamps:
    """Answer for the lamps puzzle."""

    name = "lamps"
    title = "Lamps: press a lamp and it and its neighbours change; light them all"
    questions: Mapping[str, str] = {"solvable": "Can all lamps be lit at once?"}
    formats: Mapping[str, str] = {"grid": "the word lamps, then one line per row: * is lit, . is dark"}
    solve_options: Sequence[Option] = (
        Option("states", 1 << 16, "most states to remember before giving up", minimum=1, maximum=1 << 24),
    )
    generate_options: Sequence[Option] = (
        Option("rows", 3, "rows of the grid", minimum=1, maximum=9),
        Option("cols", 3, "columns of the grid", minimum=1, maximum=9),
        Option("presses", 4, "how many different lamps to press, starting from all lit", minimum=0, maximum=81),
    )
    report_columns = ReportColumns(unit="lamps", diagnostics=("states",))

    def sniff(self, text: str) -> bool:
        """Tell whether the text begins with the heading of a lamps file."""
        from template_domain.notation import sniff

        return sniff(text)

    def parse(self, text: str) -> Grid:
        """Read a grid."""
        from template_domain.notation import parse_grid

        return parse_grid(text)

    def format(self, problem: Grid, format: str) -> str:
        """Write a grid."""
        from template_domain import notation

        return {"grid": notation.format_grid}[format](problem)

    def solve(self, problem: Grid, request: Request) -> Finding:
        """Search for presses that light all lamps, or for proof that none do."""
        from template_domain.solver import solve

        return solve(problem, request)

    def check(self, problem: Grid, certificate: Certificate) -> list[str]:
        """Return every violation in a certificate."""
        from template_domain.checker import violations

        return violations(problem, certificate)

    def hints(self, problem: Grid, request: Request) -> Iterator[Hint]:
        """Yield the presses that light all lamps, or the one hint that says why there are none."""
        from template_domain.hints import hints

        return hints(problem, request)

    def generate(self, options: Mapping[str, Any], seed: int, *, listen: Listener = ignore) -> Grid:  # noqa: ARG002
        """Make a solvable grid by pressing lamps of a lit one."""
        from template_domain.generator import generate

        return generate(seed=seed, **options)

    def size(self, problem: Grid) -> int:
        """Return how many lamps there are."""
        return len(problem.lit)

    def draw_svg(self, problem: Grid, drawing: Drawing) -> str:
        """Draw the grid; with a plan, each press bears its number."""
        from template_domain.drawing import draw_svg

        return draw_svg(problem, certificate=drawing.certificate, move=drawing.move)

    def draw_text(self, problem: Grid, drawing: Drawing, *, colour: bool) -> str:
        """Draw the grid for a terminal."""
        from template_domain.drawing import draw_text

        return draw_text(problem, move=drawing.move, colour=colour)

    def examples(self) -> Sequence[Example]:
        """Return the bundled grids."""
        from template_domain.examples import load_examples

        return load_examples()


DOMAIN = Lamps()
