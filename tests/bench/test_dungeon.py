"""The dungeon benchmark: that its PDDL says what the rules say, that answers are compared, that nothing is hidden."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import dungeon, dungeon_levels, dungeon_peers, dungeon_table, table
from benchmarks.__main__ import main
from benchmarks.dungeon import OURS, PROVED, LevelRun, Section
from benchmarks.dungeon_levels import LevelClass, make_hub, only_expressible
from benchmarks.dungeon_pddl import NotExpressible, place_of, write_pddl
from benchmarks.dungeon_peers import OVER, PEERS, Contender, Ended, Outcome, judge
from click.testing import CliRunner
from rich.console import Console

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from solvent.core.answer import Verdict
from solvent.core.errors import UnsoundAnswer
from solvent.dungeon.model import Rules

needs_planner = pytest.mark.skipif(
    not dungeon_peers.is_installed(), reason="up-fast-downward is not installed; the extra is `bench`"
)
Atom = tuple[str, ...]
EXPRESSIBLE = {name: known for name, known in KNOWN.items() if dungeon_levels.is_expressible(known.dungeon)}


# A planner that fits on a page: it reads only what it is given, and tries everything.


def read_lists(text: str) -> list:
    """Read nested lists of words."""
    stack: list[list] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0][0]


def fill_in(atom: list, names: dict[str, str]) -> Atom:
    return tuple(names.get(word, word) for word in atom)


def bindings(conditions: list, facts: dict[str, list[Atom]], names: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield every way to give names to variables such that the conditions are among the facts."""
    if not conditions:
        yield names
        return
    first, *others = conditions
    for fact in facts.get(first[0], []):
        more = dict(names)
        if all(more.setdefault(word, name) == name for word, name in zip(first[1:], fact[1:], strict=True)):
            yield from bindings(others, facts, more)


def plan_length(domain_text: str, problem_text: str) -> int | None:
    """Return how many actions a shortest plan has."""
    domain, problem = read_lists(domain_text), read_lists(problem_text)
    parts = {part[0]: part[1:] for part in problem[2:]}
    start = frozenset(map(tuple, parts[":init"]))
    goal = tuple(parts[":goal"][0])
    schemas = [part for part in domain if part[0] == ":action"]
    effects = [effect for schema in schemas for effect in schema[7][1:]]
    changing = {(effect[1] if effect[0] == "not" else effect)[0] for effect in effects}
    lasting: dict[str, list[Atom]] = {}
    for fact in start:
        if fact[0] not in changing:
            lasting.setdefault(fact[0], []).append(fact)
    actions = []
    for schema in schemas:
        conditions = schema[5][1:]
        fixed = [condition for condition in conditions if condition[0] not in changing]
        for names in bindings(fixed, lasting, {}):
            before = {fill_in(one, names) for one in conditions if one[0] in changing}
            gone = {fill_in(one[1], names) for one in schema[7][1:] if one[0] == "not"}
            there = {fill_in(one, names) for one in schema[7][1:] if one[0] != "not"}
            actions.append((before, gone, there))
    first = frozenset(fact for fact in start if fact[0] in changing or fact[0] == "at")
    seen, layer, length = {first}, [first], 0
    while layer:
        if any(goal in state for state in layer):
            return length
        after = {(state - gone) | there for state in layer for before, gone, there in actions if before <= state}
        layer = [state for state in after if state not in seen]
        seen.update(layer)
        length += 1
    return None


@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_a_shortest_plan_in_pddl_is_a_shortest_plan(name: str) -> None:
    assert plan_length(*write_pddl(EXPRESSIBLE[name].dungeon)) == EXPRESSIBLE[name].plan


def test_random_dungeons_are_the_same_in_pddl() -> None:
    verdicts = set()
    for seed in range(60):
        level = random_dungeon(seed)
        if dungeon_levels.is_expressible(level):
            expected = random_truth(seed).plan
            assert plan_length(*write_pddl(level)) == expected, seed
            verdicts.add(expected is None)
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (dungeon_of("kk@L#/####G"), None),
        (dungeon_of("kk@LG", played="WEE"), 1),
        (dungeon_of("k@LLG"), None),
        (dungeon_of("@G", played="E"), 0),
        (dungeon_of("@oG", rules=Rules(push="never")), None),
        (dungeon_of("s@G"), 1),
    ],
    ids=["walled", "key taken and lock open", "one key for two locks", "won", "walls of blocks", "a plate for nothing"],
)
def test_positions_in_pddl(level, expected: int | None) -> None:
    assert plan_length(*write_pddl(level)) == expected


def test_what_pddl_has_no_words_for_is_left_out() -> None:
    levels = {name: KNOWN[name].dungeon for name in ("a lever", "a block pushed past", "stairs")}
    group = only_expressible(LevelClass("mixed", levels))
    assert (list(group.levels), group.left_out) == (["stairs"], 2)
    with pytest.raises(NotExpressible, match="barriers"):
        write_pddl(levels["a lever"])


def test_places_have_names() -> None:
    assert place_of("t1-20-3") == (1, 20, 3)
    assert place_of("goal") is None


@needs_planner
@pytest.mark.parametrize("name", ["key and lock", "the wrong lock", "a cracked wall", "one bomb a pickup", "stairs"])
def test_the_planner_agrees(name: str) -> None:
    known = KNOWN[name]
    for peer in PEERS:
        outcome = peer.read(known.dungeon, peer.attempt(peer.prepare(known.dungeon), 60.0))
        assert outcome.wrong is None
        assert outcome.verdict is (Verdict.NO if known.plan is None else Verdict.YES)
        if known.plan is not None:
            assert outcome.length is not None
            assert outcome.length == known.plan if outcome.shortest else outcome.length >= known.plan


@needs_planner
def test_the_planner_is_stopped_at_the_limit() -> None:
    level = KNOWN["key and lock"].dungeon
    outcome = PEERS[0].read(level, PEERS[0].attempt(write_pddl(level), 0.001))
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, OVER)


def test_the_command_answers_like_the_library() -> None:
    for name in ("key and lock", "a lock and no key"):
        level = KNOWN[name].dungeon
        command = dungeon_peers.AS_COMMAND
        outcome = command.read(level, command.attempt(command.prepare(level), 300.0))
        answer = solvent.ask(level)
        assert (outcome.verdict, outcome.length) == (answer.verdict, answer.stats.get("plan_length"))
        assert outcome.certified


KEY_AND_LOCK = KNOWN["key and lock"].dungeon
"""k@LG: the key is west of the start, the lock east of it."""


def test_exit_codes_of_the_planner() -> None:
    steps = (("move", "t0-0-1", "t0-0-0"), ("move", "t0-0-0", "t0-0-1"))
    plan = (*steps, ("move", "t0-0-1", "t0-0-2"), ("move", "t0-0-2", "goal"))
    good = judge(KEY_AND_LOCK, Ended(0, "Search time: 0.25s\nExpanded 7 state(s).", plan), shortest=True)
    assert (good.verdict, good.length, good.shortest, good.wrong) == (Verdict.YES, 4, True, None)
    assert (good.own_seconds, good.stats["expanded"]) == (0.25, 7)
    assert judge(KEY_AND_LOCK, Ended(0, "", plan[2:]), shortest=True).wrong == "its plan cannot be played"
    assert judge(KEY_AND_LOCK, Ended(0, "", plan[:2]), shortest=True).wrong == "its plan cannot be played"
    verdicts = [judge(KEY_AND_LOCK, Ended(code, ""), shortest=True).verdict for code in (10, 11, 12, 22, 23, None)]
    assert verdicts == [Verdict.NO] * 2 + [Verdict.UNKNOWN] * 4
    with pytest.raises(RuntimeError, match="exit code 31: bad input"):
        judge(KEY_AND_LOCK, Ended(31, "bad input"), shortest=True)


def test_plans_are_read_without_remarks() -> None:
    assert dungeon_peers.read_plan("(move a b)\n(move b c x)\n; cost = 2\n") == (
        ("move", "a", "b"),
        ("move", "b", "c", "x"),
    )


def test_hubs_have_more_locks_than_keys() -> None:
    bare, refilled = make_hub(3, 5), make_hub(3, 5, refill=True)
    assert (len(bare.pickups), len(bare.gates), len(refilled.pickups)) == (3, 5, 5)
    assert solvent.ask(bare, "losable").verdict is Verdict.YES
    assert solvent.ask(refilled, "losable").verdict is Verdict.NO


def stub(name: str, *outcomes: Outcome, question: str = "solvable") -> Contender:
    """Return a contender that says these in turn, and the last one for ever."""
    left = list(outcomes)
    return Contender(
        name,
        lambda _dungeon, _seconds: left.pop(0) if len(left) > 1 else left[0],
        lambda _dungeon, outcome: outcome,
        question,
    )


YES = Outcome(Verdict.YES, length=4, shortest=True)
LONGER = Outcome(Verdict.YES, length=6)
NO = Outcome(Verdict.NO)
GAVE_UP = Outcome(Verdict.UNKNOWN, reason=OVER)
GROUP = LevelClass("class", {"one": KEY_AND_LOCK, "two": KEY_AND_LOCK}, left_out=1)


def section_of(*contenders: Contender) -> Section:
    return Section("peers", "A section", contenders, OURS, lambda: [GROUP])


def run_stubs(section: Section, seconds: float = 1000.0) -> list[LevelRun]:
    return [run for _, runs in dungeon.run_class(section, GROUP, seconds) for run in runs]


def test_a_comparison_writes_everything(tmp_path: Path) -> None:
    blind = replace(YES, own_seconds=0.5)
    section = section_of(stub(OURS, YES), stub(PROVED, YES), stub("FD blind", blind), stub("FD lama-first", LONGER))
    results = dungeon.report([(section, [GROUP])], run_stubs(section), 60.0)
    written = json.loads(table.write_json("dungeon", results, tmp_path / "out.json").read_text())

    assert {"machine", "commit", "peers", "limit_seconds"} <= written.keys()
    (shown,) = written["sections"]
    assert shown["classes"] == [{"name": "class", "instances": 2, "left_out": 1}]
    assert [row["not_shortest"] for row in shown["summary"]] == [0, 0, 0, 2]
    assert [row["peer"] for row in shown["comparison"]] == ["FD blind", "FD lama-first"]
    assert [row["plan_length"] for row in shown["comparison"]] == [1.0, 1.5]
    assert shown["comparison"][0]["search_alone"] > 0
    assert shown["comparison"][1]["search_alone"] is None
    assert len(written["runs"]) == 8
    assert all(run["repeats"] >= dungeon.REPEATS.fewest for run in written["runs"])
    assert written["wrong"] == []


def test_a_run_over_the_limit_is_a_bound() -> None:
    section = section_of(stub(OURS, YES), stub(PROVED, YES), stub("FD blind", GAVE_UP))
    (row,) = dungeon.compare(section, "class", run_stubs(section))
    assert row["typical"]["high"] is None
    assert row["least_proved"]["low"] > 1000
    late = run_stubs(section_of(stub(OURS, YES)), seconds=0.0)
    assert all(run.verdict is Verdict.UNKNOWN and run.reason == OVER for run in late)


@pytest.mark.parametrize(
    "other",
    [NO, Outcome(Verdict.YES, length=5, shortest=True), Outcome(Verdict.YES, length=3), replace(YES, wrong="no plan")],
)
def test_answers_that_cannot_be_right_are_told(other: Outcome) -> None:
    lines = dungeon.find_wrong(run_stubs(section_of(stub(OURS, YES), stub("other", other))))
    assert len(lines) == 2
    assert all(line.startswith("class, ") and "other" in line for line in lines)


def test_answers_that_may_differ() -> None:
    lost = stub("losable", Outcome(Verdict.YES, length=1, shortest=True), question="losable")
    section = section_of(stub(OURS, YES), stub("longer", LONGER), stub("over", GAVE_UP), lost)
    assert dungeon.find_wrong(run_stubs(section)) == []


def test_a_verdict_that_changes_is_told() -> None:
    assert dungeon.find_wrong(run_stubs(section_of(stub(OURS, YES, NO, YES))))


def test_an_answer_that_the_checker_refused_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args, **_options):
        raise UnsoundAnswer("refused")

    monkeypatch.setattr(solvent, "ask", refuse)
    runs = run_stubs(section_of(dungeon.ask_solvent(OURS)))
    assert all(run.verdict is Verdict.UNKNOWN and run.wrong == "refused" for run in runs)
    assert len(dungeon.find_wrong(runs)) == 2


def test_without_parts_the_lengths_stay_the_same() -> None:
    level = make_hub(3, 6)
    runs = [dungeon.run_one("parts", "hub", "3/6", level, contender, 1000.0) for contender in dungeon.taking_apart()]
    assert dungeon.find_wrong(runs) == []
    assert len({run.length for run in runs}) == 1
    assert all(run.shortest for run in runs)
    nodes = {run.contender: run.nodes for run in runs}
    assert nodes["none of them"] > nodes[dungeon.ALL_PARTS]


@pytest.mark.slow
def test_the_quick_benchmark_without_peers_and_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dungeon, "REPEATS", replace(dungeon.REPEATS, most=1))
    out = tmp_path / "out.json"
    words = ["dungeon", "--quick", "--no-peers", "--seconds", "1000", "--folder", str(tmp_path), "--json", str(out)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "No public dungeons" in result.output
    assert "All answers and lengths agree." in result.output
    written = json.loads(out.read_text())
    assert [section["name"] for section in written["sections"]] == list(dungeon.NAMES)
    assert all(run["verdict"] != "UNKNOWN" for run in written["runs"])
    assert {run["contender"] for run in written["runs"]}.isdisjoint(peer.name for peer in PEERS)


def test_sections_are_chosen_by_name(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    words = ["dungeon", "--quick", "--no-peers", "--folder", str(tmp_path), "--json", str(out), "--sections"]
    assert CliRunner().invoke(main, [*words, "hub"]).exit_code == 0
    assert [section["name"] for section in json.loads(out.read_text())["sections"]] == ["hub"]
    assert CliRunner().invoke(main, [*words, "hub,all"]).exit_code == 2


def test_wrong_answers_end_with_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = section_of(stub(OURS, YES), stub("other", NO))
    monkeypatch.setattr(dungeon, "all_sections", lambda *_args, **_options: ([section], {"odd": "not a map"}))
    result = CliRunner().invoke(main, ["dungeon", "--no-peers", "--json", str(tmp_path / "out.json")])
    assert result.exit_code == 1
    assert "WRONG: class, one, solvable: solvent YES (4, shortest), other NO" in result.output
    assert "Could not read odd" in result.output


def test_public_dungeons_are_measured_by_two_sets_of_rules(corpora: Path) -> None:
    folder = corpora / "vglc-zelda" / "Processed"
    if not folder.is_dir():
        pytest.skip(f"no public dungeons in {folder}")
    groups, unread = dungeon_levels.load_public(folder, ["tloz3_2"])
    assert unread == {}
    assert [group.name for group in groups] == [dungeon_levels.PUBLIC, dungeon_levels.STRICT]
    assert [group.levels["tloz3_2"].rules.soft for group in groups] == ["open", "clear"]
    assert all(dungeon_levels.is_expressible(group.levels["tloz3_2"]) for group in groups)


def test_tables_fit_100_columns() -> None:
    def takes_time(contender: Contender) -> Contender:
        return replace(contender, attempt=lambda *words: time.sleep(0.001) or contender.attempt(*words))

    busy = {"expanded": 123456789, "situations": 12345678}
    contenders = [
        stub(OURS, replace(YES, stats=busy)),
        stub(PROVED, YES),
        stub("as a command", YES),
        stub("FD blind", replace(GAVE_UP, stats=busy)),
        stub("FD lama-first", replace(LONGER, own_seconds=123.4, stats=busy)),
    ]
    group = replace(GROUP, name=dungeon_levels.STRICT)
    for count in (2, 5):  # without and with what only peers have
        section = section_of(*map(takes_time, contenders[:count]))
        runs = [run for _, more in dungeon.run_class(section, group, 1000.0) for run in more]
        results = dungeon.report([(section, [group])], runs, 1000.0)
        console = Console(width=table.WIDTH)
        with console.capture() as capture:
            dungeon_table.show_dungeon(console, results)
        shown = capture.get()
        assert "…" not in shown
        assert (">1000000" in shown) == (count == 5)
        assert max(map(len, shown.splitlines())) <= 100
