"""Harmony as a domain: the names, and late imports of everything that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate, Finding
from solvent.core.domain import Drawing, Option, Request
from solvent.core.events import Listener, ignore
from solvent.core.report_columns import ReportColumns

if TYPE_CHECKING:
    from solvent.core.audit import AuditScope
    from solvent.core.examples import Example
    from solvent.core.hints import Hint
    from solvent.core.pruning import InvalidityTest
    from solvent.harmony.model import Board


class Harmony:
    """Answer for the Harmony swap puzzle."""

    name = "harmony"
    title = "Harmony: swap tiles until each is in its colour's row with no move left"
    questions: Mapping[str, str] = {"solvable": "Can every tile get home using all its moves?"}
    formats: Mapping[str, str] = {
        "board": "one line per colour: where its tiles stand and their moves",
        "tiles": "colours by number, targets, then one line per tile",
    }
    solve_options: Sequence[Option] = (
        Option(
            "solver",
            "portfolio",
            "which solver to use; the others are parts of the portfolio, for comparison",
            type=str,
            choices=("portfolio", "dfs", "annealing", "order", "layers"),
        ),
        Option("seed", 0, "seed of every random choice", minimum=0),
    )
    generate_options: Sequence[Option] = (
        Option("rows", 4, "rows of the board", minimum=1, maximum=26),
        Option("cols", 4, "columns of the board", minimum=1, maximum=99),
        Option("swaps", 10, "swaps a solution has", minimum=0, maximum=100_000),
    )
    audit_options: Sequence[Option] = (
        Option("rows", None, "only boards with this many rows", minimum=1, maximum=4),
        Option("cols", None, "only boards with this many columns", minimum=1, maximum=4),
        Option("swaps", None, "boards solvable in at most this many swaps", minimum=1, maximum=16),
    )

    report_columns = ReportColumns(
        unit="tiles",
        expanded=("nodes",),
        length=("swaps",),
        diagnostics=("forced", "answered_by", "boards", "proposals", "conflicts"),
    )

    def sniff(self, text: str) -> bool:
        """Tell whether the text has the headings of a Harmony file."""
        from solvent.harmony.detection import sniff

        return sniff(text)

    def parse(self, text: str) -> Board:
        """Read a board in either format, with its MOVES played."""
        from solvent.harmony.notation import parse_board

        return parse_board(text)

    def format(self, problem: Board, format: str) -> str:
        """Write a board in one of the formats."""
        from solvent.harmony import notation

        return {"board": notation.format_board, "tiles": notation.format_tiles}[format](problem)

    def solve(self, problem: Board, request: Request) -> Finding:
        """Search for a plan, or a proof that there is none."""
        from solvent.harmony.solver import solve

        return solve(problem, request)

    def check(self, problem: Board, certificate: Certificate) -> list[str]:
        """Return every violation in a certificate."""
        from solvent.harmony.checker import violations

        return violations(problem, certificate)

    def read_solution(self, problem: Board, text: str) -> Certificate:
        """Read lines of swaps as a plan, not yet checked."""
        from solvent.harmony.solutions import read_solution

        return read_solution(problem, text)

    def write_solution(self, problem: Board, certificate: Certificate) -> str:
        """Write a plan as numbered lines of swaps."""
        from solvent.harmony.solutions import write_solution

        return write_solution(problem, certificate)

    def hints(self, problem: Board, request: Request) -> Iterator[Hint]:
        """Yield the next swap, or the proof that the board is lost."""
        from solvent.harmony.hints import hints

        return hints(problem, request)

    def generate(self, options: Mapping[str, Any], seed: int, *, listen: Listener = ignore) -> Board:  # noqa: ARG002
        """Make a solvable board by playing backwards; too quick to report on."""
        from solvent.harmony.generator import generate

        return generate(seed=seed, **options)

    def size(self, problem: Board) -> int:
        """Return how many tiles there are."""
        return problem.rows * problem.cols

    def draw_svg(self, problem: Board, drawing: Drawing) -> str:
        """Draw the board; with a plan, a filmstrip of it."""
        from solvent.harmony.drawing import draw_svg

        return draw_svg(problem, certificate=drawing.certificate, move=drawing.move)

    def draw_text(self, problem: Board, drawing: Drawing, *, colour: bool) -> str:
        """Draw the board for a terminal."""
        from solvent.harmony.drawing import draw_text

        return draw_text(problem, move=drawing.move, colour=colour)

    def examples(self) -> Sequence[Example]:
        """Return the bundled boards."""
        from solvent.harmony.examples import load_examples

        return load_examples()

    def scene(self, problem: Board) -> Mapping[str, Any]:
        """Return what stands where and which tiles may change places, for a page."""
        from solvent.harmony.page import page_data

        return page_data(problem)

    def play(self, problem: Board, action: Mapping[str, Any]) -> Board:
        """Return the board after a player's swaps."""
        from solvent.harmony.page import play

        return play(problem, action)

    def invalidity_tests(self) -> Mapping[str, InvalidityTest[Board]]:
        """Return every invalidity test by name, the unsound ones included."""
        from solvent.harmony.invalidity import ALL_TESTS

        return {test.name: test for test in ALL_TESTS}

    def audit(self, test: InvalidityTest[Board], options: Mapping[str, Any], listen: Listener) -> Iterator[AuditScope]:
        """Run a test on every small solvable board."""
        from solvent.harmony.audit import audit

        return audit(test, listen=listen, **options)


DOMAIN = Harmony()
