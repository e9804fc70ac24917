"""Valency as a domain: the names, and late imports of everything that works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Answer, Certificate, Finding
from solvent.core.domain import Drawing, Option, Request
from solvent.core.events import Listener, ignore
from solvent.core.report_columns import ReportColumns

if TYPE_CHECKING:
    import os

    from solvent.core.examples import Example
    from solvent.core.explanation import Explanation
    from solvent.valency.model import Staging


class Valency:
    """Answer for clusters of nodes to be filled by bonding rules."""

    name = "valency"
    title = "Valency: fill any graph with modules that fit their neighbours (wave function collapse)"
    questions: Mapping[str, str] = {
        "solvable": "Can every node be filled? (with a fill drawn from the seed)",
        "partial": "What can be filled? (nodes that cannot are left out, and said why)",
    }
    formats: Mapping[str, str] = {
        "json": "rules, cluster, picks and constraints in one JSON object",
    }
    solve_options: Sequence[Option] = (
        Option("seed", None, "seed of every choice; the instance's own by default", minimum=0),
        Option("solver", "auto", "in which order nodes are filled, or a solver of your own", type=str),
        Option("invert", False, "priority solver: the lowest first", type=bool),
        Option("balance", True, "steer frequencies towards the weights", type=bool),
        Option("repair", True, "mend a contradiction on the spot before starting again", type=bool),
        Option("windows", True, "have a proof search mend what choosing again does not", type=bool),
        Option("minimal", True, "of a NO: narrow the clash down until nothing in it can be left out", type=bool),
        Option("trace", False, "keep the order in which nodes were filled", type=bool),
    )
    generate_options: Sequence[Option] = (
        Option("rules", "pipes", "a rule set: a file, or the name of a bundled one", type=str, opens_file=True),
        Option("grid", "20x20", "width x height, or width x height x depth", type=str),
        Option(
            "graph", None, "fill this graph instead of a grid: a JSON, GraphML or CSV file", type=str, opens_file=True
        ),
        Option(
            "periodic", "none", "where the grid wraps around", type=str, choices=("none", "x", "y", "z", "xy", "xyz")
        ),
        Option("subset", None, "use only this subset of the rule file's tiles", type=str),
        Option("sample", "tiled", "how to learn from a picture or map", type=str, choices=("tiled", "overlapping")),
        Option("pattern", 3, "size of the patterns of an overlapping sample", minimum=2, maximum=8),
        Option(
            "symmetry", None, "in how many ways to turn a sample; 1 for tiled, 8 for overlapping", minimum=1, maximum=8
        ),
        Option("sample_periodic", True, "a sample's last column stands beside its first, and so for rows", type=bool),
        Option("unset_is_any", False, "in a terrain set, a side without a colour may touch any other", type=bool),
        Option("unsolved", False, "make the task only, without filling it", type=bool),
    )
    generate_source = "rules"
    remarks_matter = True
    pictured_solved = True
    exports: Mapping[str, str] = {
        "png": "a picture, from the modules' own pictures or colours",
        "svg": "a drawing",
        "gif": "the collapse, step by step",
        "tmj": "a Tiled map in JSON; square lattices",
        "csv": "one line per node",
        "graphml": "the graph with the modules as attributes",
        "json": "the modules with all their data; the task itself if it is not solved",
    }
    export_needs: Mapping[str, Mapping[str, Any]] = {"gif": {"trace": True}}

    def attempts(self, options: Mapping[str, Any]) -> str | None:
        """Return the question that whatever is made must answer with YES; None if it is not to be asked."""
        return None if options["unsolved"] else "solvable"

    report_columns = ReportColumns(
        unit="nodes",
        expanded=("nodes", "choices"),
        length=("filled",),
        diagnostics=("solver", "attempts", "repairs", "windows", "removed", "impossible", "over_budget"),
    )

    def sniff(self, text: str) -> bool:
        """Tell whether the text looks like a task or a rule set."""
        from solvent.valency.detection import sniff

        return sniff(text)

    def parse(self, text: str) -> Staging:
        """Read a task that is complete in one text."""
        from solvent.valency.notation import parse_staging

        return parse_staging(text)

    def parse_file(self, text: str, path: str | os.PathLike[str]) -> Staging:
        """Read a task that may name files beside its own."""
        from solvent.valency.notation import parse_file

        return parse_file(text, path)

    def remarks(self, problem: Staging) -> Sequence[str]:
        """Return what reading left out or assumed, and which edges and picks take no part."""
        from solvent.valency.rules import remarks

        return [*problem.remarks, *remarks(problem)]

    def format(self, problem: Staging, format: str) -> str:
        """Write a task in one of the formats."""
        from solvent.valency.notation import format_staging

        return format_staging(problem, format)

    def solve(self, problem: Staging, request: Request) -> Finding:
        """Fill every node, or as many as can be, or prove that it cannot be done."""
        from solvent.valency.solver import solve

        return solve(problem, request)

    def check(self, problem: Staging, certificate: Certificate) -> list[str]:
        """Return every violation in a certificate."""
        from solvent.valency.checker import violations

        return violations(problem, certificate)

    def tell(self, problem: Staging, certificate: Certificate) -> Sequence[str]:
        """Say what a certificate holds, line by line."""
        from solvent.valency.describe_certificate import describe_certificate

        return describe_certificate(problem, certificate)

    def explain(self, problem: Staging, request: Request) -> Explanation:
        """Say what clashes, and for each node that cannot be filled what removed each candidate."""
        from solvent.valency.explaining import explain

        return explain(problem, request)

    def generate(self, options: Mapping[str, Any], seed: int, *, listen: Listener = ignore) -> Staging:  # noqa: ARG002
        """Put a rule set and a grid or graph together into a task."""
        from solvent.valency.generator import generate

        return generate(seed=seed, **options)

    def export(self, problem: Staging, answer: Answer, ending: str) -> bytes:
        """Write what an answer filled, as a file of this kind."""
        from solvent.valency.exports import export

        return export(problem, answer, ending)

    def size(self, problem: Staging) -> int:
        """Return how many nodes there are to fill."""
        from solvent.valency.model import Lattice

        cluster = problem.cluster
        if isinstance(cluster, Lattice):
            return cluster.width * cluster.height * cluster.depth
        return len(cluster.positions)

    def draw_svg(self, problem: Staging, drawing: Drawing) -> str:
        """Draw the cluster, with a fill, a clash or candidates if there are any."""
        from solvent.valency.drawing import draw_svg

        return draw_svg(
            problem,
            certificate=drawing.certificate,
            move=drawing.move,
            highlights=_with_candidates(problem, drawing),
            view=drawing.view,
            bare=drawing.bare,
        )

    def draw_text(self, problem: Staging, drawing: Drawing, *, colour: bool) -> str:
        """Draw the cluster for a terminal."""
        from solvent.valency.drawing import draw_text

        return draw_text(
            problem,
            certificate=drawing.certificate,
            move=drawing.move,
            highlights=_with_candidates(problem, drawing),
            view=drawing.view,
            colour=colour,
        )

    views: Mapping[str, str] = {
        "modules": "what stands on each node",
        "candidates": "how many modules are possible on each node, all consequences drawn, before anything is chosen",
    }

    def scene(self, problem: Staging) -> Mapping[str, Any]:
        """Return what stands where, for the page."""
        from solvent.valency.page import show_scene

        return show_scene(problem)

    def play(self, problem: Staging, action: Mapping[str, Any]) -> Staging:
        """Return the task after something was done to it on the page."""
        from solvent.valency.page import play

        return play(problem, action)

    def examples(self) -> Sequence[Example]:
        """Return the bundled tasks."""
        from solvent.valency.examples import load_examples

        return load_examples()


def _with_candidates(problem: Staging, drawing: Drawing) -> Mapping[str, Any] | None:
    """Add what the view of candidates shows, which a drawing does not work out by itself."""
    if drawing.view != "candidates" or "candidates" in (drawing.highlights or {}):
        return drawing.highlights
    from solvent.valency.solver.candidates import count_candidates

    return {**(drawing.highlights or {}), "candidates": count_candidates(problem)}


DOMAIN = Valency()
