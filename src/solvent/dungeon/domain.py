"""Dungeons as a domain: the names, and late imports of everything that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Answer, Certificate, Finding, Verdict
from solvent.core.domain import Drawing, Option, Request
from solvent.core.events import Listener, ignore
from solvent.core.report_columns import ReportColumns

if TYPE_CHECKING:
    import os

    from solvent.core.examples import Example
    from solvent.core.explanation import Explanation
    from solvent.core.hints import Hint
    from solvent.dungeon.model import Dungeon


class Dungeons:
    """Answer for lock-and-key dungeons."""

    name = "dungeon"
    title = "Dungeons: locks and keys, bombs, items, switches, blocks; can they be finished, can they be lost?"
    questions: Mapping[str, str] = {
        "solvable": "Can the goal be reached? (with a shortest plan)",
        "losable": "Can a player get where the goal cannot be reached any more?",
    }
    formats: Mapping[str, str] = {
        "text": "maps of characters with a legend, rules, rooms and ways",
        "tmj": "a Tiled map in JSON, with what stands on it as objects",
        "tmx": "a Tiled map in XML, with what stands on it as objects",
        "ldtk": "an LDtk project, with what stands on it as entities",
        "dot": "a graph of rooms as the VGLC has them; for dungeons whose rooms are single tiles",
        "vglc": "a tile map as the VGLC has them; read from a file, with its graph found beside it",
    }
    rule_options: Sequence[Option] = (
        Option("keys", None, "keys carried at the start, such as 2, or 1 + red 2", type=str),
        Option("bombs", None, "bombs carried at the start, or unlimited", type=str),
        Option("items", None, "items carried at the start, such as ladder + raft, or none", type=str),
        Option("bombs_per_pickup", None, "bombs where the dungeon does not say how many", minimum=0, maximum=9_999),
        Option("keys_counted", None, "false: locks open without keys", type=bool),
        Option("water", None, "the item that crosses water", type=str),
        Option("crossing", None, "how much water one step crosses", type=str, choices=("any", "one")),
        Option("soft", None, "what soft-locked doors do", type=str, choices=("open", "clear", "shut")),
        Option("push", None, "whether blocks can be pushed", type=str, choices=("once", "never")),
        Option("player", None, "who may lose", type=str, choices=("any", "thorough")),
    )
    solve_options: Sequence[Option] = (
        Option("macros", True, "walk from one point of interest to the next, not tile by tile", type=bool),
        Option("plan_heuristic", True, "let the way past open gates guide the search", type=bool),
        Option("dominance", True, "skip a position when another one is as good and as early", type=bool),
        Option(
            "reverse", True, "skip positions from which nothing leads to the goal, even with endless keys", type=bool
        ),
        Option("areas", True, "first find out by areas whether there is a plan at all", type=bool),
        Option("weight", 1.0, "above 1: sooner a plan, not proved shortest", type=float, minimum=1, maximum=100),
        Option("shortest", True, "look for the shortest plan or walk, not just any", type=bool),
        Option("shortest_nodes", 500_000, "states to visit for the shortest before any will do", minimum=0),
        Option("profile", False, "count how often each tile was expanded", type=bool),
    )
    generate_options: Sequence[Option] = (
        Option("rooms", 12, "how many rooms", minimum=2, maximum=2000),
        Option("locks", 4, "how many locked doors", minimum=0, maximum=500),
        Option("bombs", 1, "how many cracked walls", minimum=0, maximum=200),
        Option("items", 1, "how many items, each with gates that need it", minimum=0, maximum=20),
        Option("losable", False, "on purpose: a player can lock themself out", type=bool),
    )
    generates = "solvable"

    def promises(self, options: Mapping[str, Any]) -> Mapping[str, Verdict]:
        """Return what else holds of what the generator makes with these options."""
        return {"losable": Verdict.YES if options["losable"] else Verdict.NO}

    report_columns = ReportColumns(
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
        hoped={"losable": Verdict.NO},
    )

    def sniff(self, text: str) -> bool:
        """Tell whether the text looks like a dungeon in one of the formats."""
        from solvent.dungeon.detection import sniff

        return sniff(text)

    def parse(self, text: str) -> Dungeon:
        """Read a dungeon in any format that is complete in one text."""
        from solvent.dungeon.notation import parse_dungeon

        return parse_dungeon(text)

    def parse_file(self, text: str, path: str | os.PathLike[str]) -> Dungeon:
        """Read a dungeon that may need files beside its own."""
        from solvent.dungeon.notation import parse_file

        return parse_file(text, path)

    def with_rules(self, problem: Dungeon, rules: Mapping[str, Any]) -> Dungeon:
        """Return the dungeon under other rules."""
        from solvent.dungeon.notation.ruling import with_rules

        return with_rules(problem, rules)

    def remarks(self, problem: Dungeon) -> Sequence[str]:
        """Return what reading the dungeon had to assume."""
        return problem.remarks

    def format(self, problem: Dungeon, format: str) -> str:
        """Write a dungeon in one of the formats, or raise BadOption saying what that format cannot hold."""
        from solvent.dungeon.notation import format_dungeon

        return format_dungeon(problem, format)

    def solve(self, problem: Dungeon, request: Request) -> Finding:
        """Search for a plan, for a walk that loses, or for proof that there is none."""
        from solvent.dungeon.solver import solve

        return solve(problem, request)

    def check(self, problem: Dungeon, certificate: Certificate) -> list[str]:
        """Return every violation in a certificate."""
        from solvent.dungeon.checker import violations

        return violations(problem, certificate)

    def tell(self, problem: Dungeon, certificate: Certificate) -> Sequence[str]:
        """Say what a certificate holds, line by line."""
        from solvent.dungeon.describe_certificate import describe_certificate

        return describe_certificate(problem, certificate)

    def explain(self, problem: Dungeon, request: Request) -> Explanation:
        """Say what becomes reachable with what, what never does and why, and what would mend it."""
        from solvent.dungeon.explaining import explain

        return explain(problem, request)

    def profile(self, problem: Dungeon, answer: Answer) -> Mapping[str, str]:
        """Return the heat map of a search as files, by the ending of their names."""
        from solvent.dungeon.profiling import profile_files

        return profile_files(problem, answer.stats)

    def hints(self, problem: Dungeon, request: Request) -> Iterator[Hint]:
        """Yield the next steps from here, with a warning where one could go wrong for good."""
        from solvent.dungeon.hints import hints

        return hints(problem, request)

    def generate(self, options: Mapping[str, Any], seed: int, *, listen: Listener = ignore) -> Dungeon:
        """Make a dungeon that can be finished, and that can or cannot be lost."""
        from solvent.dungeon.generator import generate

        return generate(seed=seed, listen=listen, **options)

    def size(self, problem: Dungeon) -> int:
        """Return how many tiles there are to stand on."""
        from solvent.dungeon.model import NOTHING, WALL

        rows = [row for floor in problem.floors for row in floor.terrain]
        return sum(len(row) - row.count(WALL) - row.count(NOTHING) for row in rows)

    def draw_svg(self, problem: Dungeon, drawing: Drawing) -> str:
        """Draw the map, with a walk or a hint if there is one."""
        from solvent.dungeon.drawing import draw_svg

        return draw_svg(
            problem,
            certificate=drawing.certificate,
            move=drawing.move,
            highlights=drawing.highlights,
            view=drawing.view,
            bare=drawing.bare,
        )

    def draw_text(self, problem: Dungeon, drawing: Drawing, *, colour: bool) -> str:
        """Draw the map for a terminal."""
        from solvent.dungeon.drawing import draw_text

        return draw_text(
            problem,
            certificate=drawing.certificate,
            move=drawing.move,
            highlights=drawing.highlights,
            colour=colour,
        )

    views: Mapping[str, str] = {
        "map": "the floors, tile by tile",
        "graph": "the rooms and what joins them",
    }

    def scene(self, problem: Dungeon) -> Mapping[str, Any]:
        """Return the pieces of the map and the moves played, for a page to show."""
        from solvent.dungeon.page import scene

        return scene(problem)

    def play(self, problem: Dungeon, action: Mapping[str, Any]) -> Dungeon:
        """Return the dungeon after something a player does on the page."""
        from solvent.dungeon.page import play

        return play(problem, action)

    def marks(self, problem: Dungeon, certificate: Certificate) -> Mapping[str, Any]:
        """Return which tiles and gates a certificate is about."""
        from solvent.dungeon.page import marks

        return marks(problem, certificate)

    def examples(self) -> Sequence[Example]:
        """Return the bundled dungeons."""
        from solvent.dungeon.examples import load_examples

        return load_examples()


DOMAIN = Dungeons()
