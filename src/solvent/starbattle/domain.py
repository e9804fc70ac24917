"""Star Battle as a domain: the names, and late imports of everything that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate, Finding, Verdict
from solvent.core.domain import Drawing, Option, Request
from solvent.core.events import Listener, ignore
from solvent.core.report_columns import ReportColumns

if TYPE_CHECKING:
    from solvent.core.examples import Example
    from solvent.core.hints import Grade, Hint
    from solvent.starbattle.model import Puzzle

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


class StarBattle:
    """Answer for Star Battle, also known as Queens when each unit has one star."""

    name = "starbattle"
    title = "Star Battle: k stars in every row, column and region, none touching"
    questions: Mapping[str, str] = {
        "solvable": "Can the stars be placed, keeping the marks there are?",
        "unique": "Is there exactly one way to place them?",
    }
    claims: Mapping[str, str] = {"forced": "These cells have this value in every solution that keeps the marks."}
    unproved: Mapping[str, tuple[Verdict, ...]] = {"solvable": (Verdict.NO,), "unique": (Verdict.YES, Verdict.NO)}
    formats: Mapping[str, str] = {
        "grid": "size and stars, then a line of region letters per row; marks as a second grid",
        "tokens": "a line per row of region numbers, each with s or x if it is marked",
        "puzzlink": "a puzz.link address",
        "sbn": "StarBattleLab notation",
        "task": "region numbers with commas, as puzzle-star-battle.com has them",
        "krazydad": "size, stars and the layout in quotes, as KrazyDad has them",
        "masonomara": "size and stars, a point, and the layout",
        "queens": "JSON with the regions as rows of numbers",
    }
    solve_options: Sequence[Option] = (
        Option("explain", False, "prove `unique` by steps that a person can follow, where there are such", type=bool),
    )
    hint_options: Sequence[Option] = (
        Option("all", False, "show every cell that the step proves, not just one", type=bool),
        Option("uniqueness", False, "also argue that there is only one solution; not with --path", type=bool),
        Option("search_work", 10_000, "how long to look for a step; about 3 µs each", minimum=0),
        Option("supposing_work", 80_000, "how long to try suppositions if there is none", minimum=0),
        Option("verify_nodes", 10_000, "positions to visit to verify one cell", minimum=0),
    )
    generate_options: Sequence[Option] = (
        Option("size", 10, "rows, columns and regions", minimum=5, maximum=25),
        Option("stars", 2, "stars in each of them", minimum=1, maximum=6),
        Option("grade", None, "how hard it shall be", type=str, choices=GRADES),
        Option("technique", None, "a technique it shall need", type=str, choices=TECHNIQUES),
    )
    generates = "unique"

    report_columns = ReportColumns(
        unit="cells",
        expanded=("positions",),
        length=(),
        diagnostics=("conflicts", "solutions", "capped"),
    )

    def sniff(self, text: str) -> bool:
        """Tell whether the text looks like a Star Battle puzzle in one of the formats."""
        from solvent.starbattle.detection import sniff

        return sniff(text)

    def parse(self, text: str) -> Puzzle:
        """Read a puzzle in any of the formats."""
        from solvent.starbattle.notation import parse_puzzle

        return parse_puzzle(text)

    def format(self, problem: Puzzle, format: str) -> str:
        """Write a puzzle in one of the formats."""
        from solvent.starbattle.notation import format_puzzle

        return format_puzzle(problem, format)

    def solve(self, problem: Puzzle, request: Request) -> Finding:
        """Search for the stars, for other stars, or for proof that there are none."""
        from solvent.starbattle.solver import solve

        if not request.options["explain"]:
            return solve(problem, request)
        meter = request.budget.start()
        finding = solve(problem, request)
        if request.question != "unique" or finding.verdict is not Verdict.YES:
            return finding
        from solvent.starbattle.hints.path import explained

        return explained(problem, finding, meter)

    def check(self, problem: Puzzle, certificate: Certificate) -> list[str]:
        """Return every violation in a certificate."""
        from solvent.starbattle.checker import violations

        return violations(problem, certificate)

    def hints(self, problem: Puzzle, request: Request) -> Iterator[Hint]:
        """Yield proved steps, or what must be known before any step."""
        from solvent.starbattle.hints import hints

        return hints(problem, request)

    def after(self, problem: Puzzle, certificate: Certificate) -> Puzzle:
        """Return the puzzle with the marks of an accepted step."""
        from solvent.starbattle.checker.chain import take_step

        return take_step(problem, certificate)

    def grade(self, path: Sequence[Hint]) -> Grade | None:
        """Grade a puzzle by its path."""
        from solvent.starbattle.hints.grading import grade_path

        return grade_path(path)

    def generate(self, options: Mapping[str, Any], seed: int, *, listen: Listener = ignore) -> Puzzle:
        """Make a puzzle with exactly one solution."""
        from solvent.starbattle.generator import generate

        return generate(seed=seed, listen=listen, **options)

    def size(self, problem: Puzzle) -> int:
        """Return how many cells there are."""
        return problem.size * problem.size

    def draw_svg(self, problem: Puzzle, drawing: Drawing) -> str:
        """Draw the board, with stars or a hint if there are any."""
        from solvent.starbattle.drawing import draw_svg

        return draw_svg(problem, certificate=drawing.certificate, move=drawing.move, highlights=drawing.highlights)

    def draw_text(self, problem: Puzzle, drawing: Drawing, *, colour: bool) -> str:
        """Draw the board for a terminal."""
        from solvent.starbattle.drawing import draw_text

        return draw_text(
            problem,
            certificate=drawing.certificate,
            move=drawing.move,
            highlights=drawing.highlights,
            colour=colour,
        )

    def scene(self, problem: Puzzle) -> Mapping[str, Any]:
        """Return the board and its marks for a page to draw, with how many stars may stand where."""
        from solvent.starbattle.page import page_data

        return page_data(problem)

    def play(self, problem: Puzzle, action: Mapping[str, Any]) -> Puzzle:
        """Return the puzzle with other marks."""
        from solvent.starbattle.page.actions import play

        return play(problem, action)

    def examples(self) -> Sequence[Example]:
        """Return the bundled puzzles."""
        from solvent.starbattle.examples import load_examples

        return load_examples()


DOMAIN = StarBattle()
