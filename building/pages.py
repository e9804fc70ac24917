"""Write what the code knows into the pages of the documentation: options, limits, exit codes.

    python -m building.pages          writes it
    python -m building.pages --check  names the pages that are out of date, with exit code 1

A page marks what is generated: `<!-- generated: solve-options dungeon -->`, what was written last, `<!-- end -->`. A
table stands between lines of its own, a number in the middle of a sentence.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from building.hint_pages import starbattle_hints

if TYPE_CHECKING:
    from solvent.core.domain import Option, OptionKind

PROJECT = Path(__file__).resolve().parent.parent

LIMITS: dict[str, str] = {
    "cluster-seconds-to-connect": "batch.cluster.connection:SECONDS_TO_CONNECT",
    "dungeon-abstract-moves": "dungeon.abstraction.data:MAX_PATH_MOVES",
    "dungeon-abstract-points": "dungeon.abstraction.building:MAX_POINTS",
    "dungeon-abstract-tiles": "dungeon.abstraction.building:MAX_TILES",
    "dungeon-fixes-shown": "dungeon.explaining.fixes:MAX_SHOWN",
    "dungeon-generator-situations": "dungeon.generator:MAX_SITUATIONS",
    "file-megabytes": "reading:LARGEST_FILE_BYTES",
    "harmony-boards-at-once": "harmony.solver.certificates:MAX_STATES",
    "harmony-checker-clauses": "harmony.checker.refutation:MAX_CLAUSES",
    "harmony-checker-looks": "harmony.checker.closed_set:MAX_LOOKS",
    "harmony-checker-events": "harmony.checker.refutation:MAX_EVENTS",
    "harmony-cols": "harmony.model:MAX_COLS",
    "harmony-colour-number": "harmony.notation:LARGEST_COLOUR_ID",
    "harmony-moves": "harmony.model:MAX_MOVES",
    "harmony-name": "harmony.notation:LONGEST_NAME",
    "harmony-frames": "harmony.drawing.filmstrip:MAX_FRAMES",
    "harmony-proposals-per-clause": "harmony.solver.race:PROPOSALS_PER_CLAUSE",
    "harmony-proposals-per-node": "harmony.solver.race:PROPOSALS_PER_NODE",
    "harmony-first-nodes": "harmony.solver.race:FIRST_NODES",
    "harmony-quick-boards": "harmony.solver.parts:QUICK_BOARDS",
    "harmony-quick-boards-large": "harmony.solver.parts:QUICK_BOARDS_WITHOUT_TABLE",
    "harmony-rows": "harmony.model:MAX_ROWS",
    "harmony-solver-clauses": "harmony.solver.escalation:MAX_CLAUSES",
    "harmony-solver-events": "harmony.solver.escalation:MAX_EVENTS",
    "findings-located": "batch.findings.entry:MAX_LOCATED",
    "report-pictures": "cli.report:DEFAULT_DRAWINGS",
    "starbattle-boards-graded": "starbattle.generator:MAX_GRADED",
    "starbattle-boards-missed": "starbattle.generator:MAX_MISSES",
    "starbattle-conflicts-first": "starbattle.solver.deciding:CONFLICTS_FIRST_TURN",
    "starbattle-growth": "starbattle.solver.deciding:GROWTH",
    "starbattle-largest": "starbattle.model:LARGEST_SIZE",
    "starbattle-placements": "starbattle.checker.cases_kernel:MAX_BEGUN",
    "starbattle-positions-first": "starbattle.solver.deciding:POSITIONS_FIRST_TURN",
    "starbattle-smallest": "starbattle.model:SMALLEST_SIZE",
    "starbattle-stars": "starbattle.model:MAX_STARS",
    "starbattle-verify-seconds": "starbattle.hints.verifier:VERIFY_SECONDS",
    "store-seconds-between-commits": "batch.store.writer:SECONDS_BETWEEN_COMMITS",
    "store-megabytes-of-structure": "batch.store.integrity:LARGEST_STRUCTURE_BYTES",
    "store-seconds-before-showing": "batch.store.integrity:SECONDS_BEFORE_SHOWING",
    "store-seconds-to-look": "batch.store.integrity:SECONDS_TO_LOOK",
    "store-seconds-to-wait": "batch.store.opening:SECONDS_TO_WAIT",
    "token-length": "cli.serve:SHORTEST_TOKEN",
    "validate-kill-after": "batch.settings:KILL_AFTER_WITHOUT_SECONDS",
    "validate-rows": "cli.validate.table:MAX_ROWS",
    "validate-seconds": "batch.settings:DEFAULT_SECONDS",
    "validate-slowest": "cli.validate.table:SLOWEST",
    "valency-attempts": "valency.solver.ladder:ATTEMPTS",
    "valency-checker-literals": "valency.checker.clauses:MAX_WORDS",
    "valency-fills-counted": "valency.explaining.filled:MAX_FILLS",
    "valency-modules": "valency.model:MAX_MODULES",
    "valency-orbitals": "valency.model:MAX_ORBITALS",
}
"""What a page may ask for by name, and where the number stands in the code."""

MANY_CHOICES = 8
_MARK = re.compile(r"<!-- generated: ([a-z][^>]*?) -->(.*?)<!-- end -->", re.DOTALL)


def fill(page: str) -> str:
    """Return a page with everything generated in it written anew."""
    return _MARK.sub(_fill_mark, page)


def _fill_mark(match: re.Match[str]) -> str:
    name, *words = match[1].split()
    text = TABLES[name](*words) if name in TABLES else show_limit(name)
    between = f"\n\n{text}\n\n" if match[2].startswith("\n") else text
    return f"<!-- generated: {match[1]} -->{between}<!-- end -->"


def show_limit(name: str) -> str:
    """Return a limit of the code as people write it; sizes in bytes become megabytes."""
    module, _, attribute = LIMITS[name].partition(":")
    number = getattr(importlib.import_module(f"solvent.{module}"), attribute)
    if attribute.endswith("_BYTES"):
        number >>= 20
    return show_number(number)


def show_number(number: float) -> str:
    """Return a number with commas, a whole one without a point."""
    return f"{int(number):,}" if number == int(number) else f"{number:,}"


def show_default(domain: str, kind: OptionKind, option: str) -> str:
    """Return the default of one option of a domain."""
    return next(_show_default(one) for one in options_of(domain, kind) if one.name == option)


def options_of(domain: str, kind: OptionKind) -> Sequence[Option]:
    """Return the options of a domain for one verb: `solve`, `hint`, `generate`, `rule` or `audit`."""
    from solvent.registry import get_domain

    return get_domain(domain).options(kind)


def options_table(kind: OptionKind) -> Callable[[str], str]:
    """Return what writes the table of a domain's options for one verb."""

    def write(domain: str) -> str:
        rows = [[f"`{option.name}`", _show_values(option), option.help] for option in options_of(domain, kind)]
        return table(["option", "default", "meaning"], rows)

    return write


def _show_default(option: Option) -> str:
    if option.default is None:
        return ""
    if isinstance(option.default, bool):
        return str(option.default).lower()
    return show_number(option.default) if isinstance(option.default, int | float) else f"`{option.default}`"


def _show_range(option: Option) -> str:
    if len(option.choices) > MANY_CHOICES:
        return ""  # a page of their own lists them
    if option.choices:
        return ", ".join(f"`{choice}`" for choice in option.choices)
    ends = [None if end is None else show_number(end) for end in (option.minimum, option.maximum)]
    if all(ends):
        return f"{ends[0]} to {ends[1]}"
    return f"from {ends[0]}" if ends[0] else f"up to {ends[1]}" if ends[1] else ""


def _show_values(option: Option) -> str:
    default, values = _show_default(option), _show_range(option)
    return f"{default} ({values})" if default and values else default or values


def dungeon_rules_table() -> str:
    """Write the table of the rules a dungeon may be played by, with the defaults of files and of the VGLC."""
    from solvent.dungeon.model import Rules
    from solvent.dungeon.notation.ruling import describe_rules
    from solvent.dungeon.notation.vglc.meaning import CORPUS_RULES

    usual, corpus = describe_rules(Rules()), describe_rules(CORPUS_RULES)
    rows = [
        [f"`{rule.name}`", usual[rule.name], corpus[rule.name], _explain_rule(rule)]
        for rule in options_of("dungeon", "rule")
    ]
    return table(["rule", "default", "VGLC", "meaning"], rows)


def dungeon_points_table() -> str:
    """Write the table of the kinds of points of interest."""
    from solvent.dungeon.interest import ALL_KINDS

    return table(["kind", "points"], [[f"`{kind}`", meaning] for kind, meaning in ALL_KINDS.items()])


def _explain_rule(rule: Option) -> str:
    return f"{rule.help}: {_show_range(rule)}" if rule.choices else str(rule.help)


def questions_table(domain: str) -> str:
    """Write the table of a domain's questions."""
    from solvent.registry import get_domain

    questions = get_domain(domain).questions.items()
    rows = [[f"`{name}`", question.text, str(question.passing_verdict)] for name, question in questions]
    return table(["question", "asks", "PASS"], rows)


def formats_table(domain: str) -> str:
    """Write the table of a domain's formats."""
    from solvent.registry import get_domain

    formats = get_domain(domain).formats
    return table(["format", "what it is"], [[f"`{name}`", str(text)] for name, text in formats.items()])


SHARED = {
    "--json": "Print one JSON object and nothing else.",
    "--as": "Read the file as this domain instead of detecting it.",
    "--rule": "Play by another rule than the file says; may be repeated.",
    "--mapping": "Read the file by this mapping of a project's names.",
    "--config": "Use this configuration, wherever it is.",
    "--no-config": "Use no configuration.",
    "--seconds": "Stop after this time; the answer is UNKNOWN.",
    "--nodes": "Stop after this much search; repeats exactly on every machine.",
    "--megabytes": "Stop when memory has grown by this much.",
}
"""Options that mean the same wherever they are, so that the tables of the commands need not repeat them."""


def shared_table() -> str:
    """Write the table of the options that several commands share."""
    return table(["option", "meaning"], [[f"`{name}`", text] for name, text in SHARED.items()])


def command_table(name: str) -> str:
    """Write the table of a command's options, as its help has them."""
    import click

    from solvent.cli.group import commands

    command = commands.get_command(click.Context(commands), name)
    assert command is not None, name
    context = click.Context(command, info_name=name)
    rows, shared = [], []
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is None or not isinstance(parameter, click.Option):
            continue
        if parameter.opts[0] in SHARED:
            shared.append(f"`{parameter.opts[0]}`")
        else:
            spelled, text = record
            spelled = spelled.replace("|", " or ")  # GitHub and the site disagree on how to write a bar in a code cell
            rows.append([f"`{spelled}`", " ".join(text.split()).replace("<", "&lt;")])
    also = "Shared: " + ", ".join(shared) + "." if shared else ""
    return "\n\n".join(part for part in (table(["option", "meaning"], rows) if rows else "", also) if part)


def exits_table() -> str:
    """Write the table of exit codes, each with what stands under it in the code."""
    from solvent.cli import exits

    body = ast.parse(inspect.getsource(exits)).body
    rows = []
    for constant, text in itertools.pairwise(body):
        if isinstance(constant, ast.Assign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            assert isinstance(constant.targets[0], ast.Name)
            rows.append([str(getattr(exits, constant.targets[0].id)), " ".join(str(text.value.value).split())])
    rows.append(["1", "A bug, with a traceback."])
    return table(["code", "meaning"], rows)


def server_limits_table() -> str:
    """Write the table of what `solvent serve` allows."""
    from solvent.web.settings import Settings

    settings = Settings(jobs=0)
    rows = [
        [
            "time for a question",
            f"{settings.seconds:g} s if the request does not say, at most {settings.most_seconds:g} s",
        ],
        ["reading, a move, a picture", f"{settings.quick_seconds:g} s"],
        ["memory", f"a worker that grows by more than {settings.megabytes:,g} MB is ended"],
        [
            "questions at once",
            f"as many as there are cores, at least 4; `--jobs`; {settings.waiting} more may wait",
        ],
        ["a request", f"{settings.body_bytes >> 20} MB, and {settings.body_seconds:g} s to arrive"],
        ["connections", f"{settings.connections:,}, or as many as the system has files for"],
    ]
    return table(["what", "how much"], rows)


def grades_table() -> str:
    """Write the table of Star Battle's grades."""
    from solvent.starbattle.hints.grading import GRADE_LIMITS

    lowest = [1, *(most + 1 for most, _ in GRADE_LIMITS)]
    return table(
        ["number", "word"],
        [[f"{least} to {most}", word] for least, (most, word) in zip(lowest, GRADE_LIMITS, strict=False)],
    )


def valency_limits_table() -> str:
    """Write the table of how large a task may be."""
    from solvent.valency import model
    from solvent.valency.validation import cluster

    rows = {
        "orbitals of a layer": model.MAX_ORBITALS,
        "layers": model.MAX_LAYERS,
        "modules, counting rotations": model.MAX_MODULES,
        "nodes": model.MAX_NODES,
        "edges of a graph": cluster.MAX_EDGES,
    }
    return table(["what", "at most"], [[what, f"{number:,}"] for what, number in rows.items()])


def torture_table(name: str) -> str:
    """Write a table of what campaigns tried: `campaigns`, `forms` of certificates, or `limits`."""
    from torture import table as tables

    results = json.loads((PROJECT / "torture" / "results.json").read_text(encoding="utf-8"))
    write = {"campaigns": tables.campaigns_table, "forms": tables.forms_table, "limits": tables.past_limits_table}[name]
    return table(*write(results))


def torture_run() -> str:
    """Say how long the campaigns ran."""
    results = json.loads((PROJECT / "torture" / "results.json").read_text(encoding="utf-8"))
    return f"{show_number(results['minutes'])} minutes"


def scale_table(name: str) -> str:
    """Write a table of what very many instances take: `runs`, `reading`, `cluster` or `billion`."""
    from benchmarks import scale_table as tables

    write = {
        "runs": tables.runs_table,
        "reading": tables.reading_table,
        "cluster": tables.cluster_table,
        "billion": tables.billion_table,
    }[name]
    return table(*write(_scale_results()))


def scale_measured() -> str:
    """Say where and when very many instances were measured."""
    from benchmarks.scale_table import describe_measurement

    return describe_measurement(_scale_results())


def _scale_results() -> dict[str, Any]:
    results: dict[str, Any] = json.loads((PROJECT / "benchmarks" / "scale.json").read_text(encoding="utf-8"))
    return results


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


TABLES: dict[str, Callable[..., str]] = {
    "solve-options": options_table("solve"),
    "hint-options": options_table("hint"),
    "generate-options": options_table("generate"),
    "audit-options": options_table("audit"),
    "default": show_default,
    "dungeon-points": dungeon_points_table,
    "dungeon-rules": dungeon_rules_table,
    "questions": questions_table,
    "formats": formats_table,
    "command": command_table,
    "shared-options": shared_table,
    "exit-codes": exits_table,
    "server-limits": server_limits_table,
    "scale": scale_table,
    "scale-measured": scale_measured,
    "starbattle-grades": grades_table,
    "starbattle-hints": starbattle_hints,
    "torture": torture_table,
    "torture-run": torture_run,
    "valency-limits": valency_limits_table,
}
"""What a page may ask for that is a table, and what writes it."""


def stale_pages(project: Path = PROJECT) -> dict[Path, str]:
    """Return the pages that are out of date, with what they should say."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted((project / "docs").rglob("*.md"))}
    return {page: filled for page, text in pages.items() if (filled := fill(text)) != text}


def main(arguments: Sequence[str]) -> int:
    """Write the pages anew, or check them."""
    stale = stale_pages()
    for page, text in stale.items():
        print(page.relative_to(PROJECT))  # noqa: T201
        if "--check" not in arguments:
            page.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
