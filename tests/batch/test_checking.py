"""Whatever a hand could change in a store is found by checking it, and an untouched store is accepted."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from batch.store.answered import keep_answers
from batch.store.making import edit, forge
from helpers.examples import examples_of, load_example
from solvent import registry
from solvent.batch.checking import Checked, check_store
from solvent.batch.records import Instance, Outcome, ReadAs, Reading, Source, Task, pack, unpack
from solvent.batch.settings import instance_hash
from solvent.batch.store import Store
from solvent.batch.store.evidence import StoredAnswer, answers
from solvent.core.errors import StoreError
from solvent.core.events import Event
from solvent.reading import format_problem
from solvent.registry import BUILTIN_DOMAINS, get_domain

EXAMPLES = (
    ("harmony", "first_swaps"),
    ("harmony", "dead_tile"),
    ("starbattle", "first_stars"),
    ("starbattle", "no_room"),
    ("starbattle", "two_ways"),
)
SETTLED = 11
"""One question about each Harmony board, three about each Star Battle."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a store with certificates of many forms, one UNKNOWN and one bug."""
    path = tmp_path_factory.mktemp("whole") / "validation.db"
    with Store.open(path) as store:
        run = keep_answers(store, ((f"{name}.txt", load_example(domain, name)) for domain, name in EXAMPLES))
        keep_answers(store, [("six.txt", load_example("harmony", "six_by_six"))], nodes=0, token="another")
        (last,) = (answer for answer in answers(store) if answer.verdict == "UNKNOWN")
        assert last.instance.hash is not None
        assert last.instance.domain is not None
        task = Task("bug", Instance(last.instance.hash, last.instance.domain, None, b""), "solvable", "bug", "1")
        store.add_outcome(run, task, Outcome("bug", "solvable", None, error="Traceback …"))
        store.commit()
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """Return a copy to spoil."""
    return Path(shutil.copy(whole, tmp_path / "validation.db"))


def check(path: Path, run: int | None = None) -> list[Checked]:
    with Store.open(path, read_only=True) as store:
        return list(check_store(store, run=run))


def stored(path: Path) -> list[StoredAnswer]:
    with Store.open(path, read_only=True) as store:
        return list(answers(store))


def rejected(path: Path) -> dict[int | None, str]:
    return {each.answer: "; ".join(each.violations) for each in check(path) if not each.accepted}


def settled(path: Path) -> list[StoredAnswer]:
    found = [answer for answer in stored(path) if answer.verdict in ("YES", "NO")]
    assert len(found) == SETTLED
    return found


def test_an_untouched_store_is_accepted(whole: Path) -> None:
    found = check(whole)
    assert [each.violations for each in found] == [()] * (SETTLED + 2)
    assert sum(each.has_certificate for each in found) == SETTLED
    assert {(each.domain, each.form) for each in found if each.has_certificate} == {
        ("harmony", "plan"),
        ("harmony", "invariant"),
        ("starbattle", "stars"),
        ("starbattle", "explained step"),
        ("starbattle", "only solution"),
        ("starbattle", "refutation"),
        ("starbattle", "two solutions"),
    }
    first = found[0]
    assert (first.name, first.question, first.verdict, first.form) == ("first_swaps.txt", "solvable", "YES", "plan")
    assert (first.answer, len(first.hash or "")) == (1, 64)


def test_the_answers_of_one_run(whole: Path) -> None:
    assert len(check(whole, run=1)) == SETTLED
    assert [each.verdict for each in check(whole, run=2)] == ["UNKNOWN"]
    with pytest.raises(StoreError, match="no run 3"):
        check(whole, run=3)


def test_how_far_it_is_told(whole: Path) -> None:
    heard: list[Event] = []
    with Store.open(whole, read_only=True) as store:
        list(check_store(store, listen=heard.append))
    assert f"checked 0 of {SETTLED + 2}" in [event.message for event in heard]


def require_rejected(whole: Path, path: Path, statement: str, value: Callable[[StoredAnswer], Any], words: str) -> None:
    """Change one thing about each settled answer in turn: that answer is rejected, in these words, and no other."""
    for answer in settled(whole):
        shutil.copy(whole, path)
        forge(path, statement, value(answer), answer.id)
        found = rejected(path)
        assert set(found) == {answer.id}, (answer.instance.name, answer.question)
        assert words in found[answer.id]


SET = "UPDATE answer SET {} = ? WHERE id = ?"


def test_a_verdict_that_was_flipped(whole: Path, path: Path) -> None:
    flipped = {"YES": "NO", "NO": "YES"}
    words = "its certificate is for the verdict "
    require_rejected(whole, path, SET.format("verdict"), lambda answer: flipped[str(answer.verdict)], words)


@pytest.mark.parametrize("verdict", ["UNKNOWN", None, "MAYBE", 7, ""])
def test_a_verdict_that_is_none(whole: Path, path: Path, verdict: object) -> None:
    require_rejected(whole, path, SET.format("verdict"), lambda _: verdict, "has a certificate")


def test_a_form_that_was_changed(whole: Path, path: Path) -> None:
    words = "its certificate is for the form "
    require_rejected(whole, path, SET.format("form"), lambda _: "handwriting", words)
    require_rejected(whole, path, SET.format("form"), lambda _: None, words)


def test_a_flag_that_was_changed(whole: Path, path: Path) -> None:
    words = "it says that it is not certified, but it has one stored"
    require_rejected(whole, path, SET.format("certified"), lambda _: 0, words)


def test_a_reason_that_was_put_in(whole: Path, path: Path) -> None:
    words = "but also says why there was no verdict"
    require_rejected(whole, path, SET.format("cause"), lambda _: "TIME", words)
    require_rejected(whole, path, SET.format("error"), lambda _: "Traceback", words)


def test_a_certificate_that_was_removed(whole: Path, path: Path) -> None:
    words = "it says that it is certified, but it has none stored"
    require_rejected(whole, path, SET.format("certificate"), lambda _: None, words)
    for answer in settled(whole):
        shutil.copy(whole, path)
        forge(path, "UPDATE answer SET certificate = NULL, certified = 0, form = NULL WHERE id = ?", answer.id)
        expected = f"it is {answer.verdict} without a certificate, although proof was asked for or is always given"
        assert rejected(path) == {answer.id: expected}


def test_certificates_that_were_swapped(whole: Path, path: Path) -> None:
    by_id = {answer.id: answer.certificate for answer in settled(whole)}
    others = {number: by_id[other] for number, other in zip(by_id, [*list(by_id)[1:], *by_id], strict=False)}
    require_rejected(whole, path, SET.format("certificate"), lambda answer: others[answer.id], "")


def _flip_bits(data: bytes) -> Iterator[bytes]:
    """Yield the data with one bit changed, at every byte."""
    for place in range(len(data)):
        yield data[:place] + bytes([data[place] ^ (1 << place % 8)]) + data[place + 1 :]


def test_a_certificate_with_a_wrong_bit_anywhere(whole: Path, path: Path) -> None:
    answer = settled(whole)[2]
    assert answer.certificate is not None
    damaged = list(_flip_bits(answer.certificate))
    for each in damaged:
        forge(path, SET.format("certificate"), each, answer.id)
        assert set(rejected(path)) == {answer.id}
    assert len(damaged) > 60


@pytest.mark.parametrize("rest", [b"", b"not zlib", pack(b""), pack(b"[]"), pack(b"{"), pack(b"{}"), "text"])
def test_what_is_no_certificate(whole: Path, path: Path, rest: object) -> None:
    require_rejected(whole, path, SET.format("certificate"), lambda _: rest, "")


def _with_another_number(value: Any) -> Iterator[Any]:
    """Yield JSON data with one of its whole numbers, or one digit in a text, one higher."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: changed} for changed in _with_another_number(inner))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in _with_another_number(inner))
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str) and len(value) < 10:
        for place, sign in enumerate(value):
            if sign.isdigit():
                yield f"{value[:place]}{(int(sign) + 1) % 10}{value[place + 1 :]}"


def test_a_certificate_with_another_number(whole: Path, path: Path) -> None:
    tried = 0
    for answer in settled(whole):
        assert answer.certificate is not None
        if answer.form in ("refutation", "only solution"):
            continue  # another proof of the same may be right as well; see the next test
        for changed in _with_another_number(json.loads(unpack(answer.certificate))):
            forge(path, SET.format("certificate"), pack(json.dumps(changed).encode()), answer.id)
            assert set(rejected(path)) == {answer.id}, (answer.instance.name, answer.question, changed)
            tried += 1
        forge(path, SET.format("certificate"), answer.certificate, answer.id)
    assert tried > 60


def test_a_proof_without_its_end(whole: Path, path: Path) -> None:
    tried = 0
    for answer in settled(whole):
        assert answer.certificate is not None
        certificate = json.loads(unpack(answer.certificate))
        if "cases" in certificate:
            shutil.copy(whole, path)
            del certificate["cases"][-1]
            forge(path, SET.format("certificate"), pack(json.dumps(certificate).encode()), answer.id)
            assert set(rejected(path)) == {answer.id}
            tried += 1
    assert tried == 3


def test_a_question_that_was_changed(whole: Path, path: Path) -> None:
    for answer in settled(whole):
        for other in ("unique", "solvable", "beautiful"):
            if other == answer.question:
                continue
            shutil.copy(whole, path)
            forge(path, SET.format("question"), other, answer.id)
            found = [each for each in check(path) if not each.accepted]
            assert {each.answer for each in found} == {answer.id}
            told = "; ".join(violation for each in found for violation in each.violations)
            assert f"the table of run 1 leads to an answer to the question '{other}'" in told
            assert f"its certificate is for the question '{answer.question}', but it says '{other}'" in told
            assert (f"{answer.instance.domain} has no question" in told) == (
                other not in get_domain(str(answer.instance.domain)).questions
            )


def test_a_text_that_was_edited(whole: Path, path: Path) -> None:
    for answer in settled(whole):
        assert answer.instance.packed is not None
        text = unpack(answer.instance.packed).decode()
        for changed in (text + "\n", text[:-4], text.replace("1", "2", 1), "", "nonsense", "\0"):
            if changed == text:
                continue
            shutil.copy(whole, path)
            forge(path, "UPDATE instance SET packed = ? WHERE hash = ?", pack(changed.encode()), answer.instance.hash)
            found = rejected(path)
            assert answer.id in found, changed
            assert "the hash of its instance is not that of the text" in found[answer.id]
            assert len(found) <= 3, "only the questions about this instance"


def test_a_text_and_its_hash_that_were_edited_together(whole: Path, path: Path) -> None:
    """Then the certificates are about another board than the one in the store."""
    board, other = settled(whole)[0], settled(whole)[1]
    assert other.instance.packed is not None
    text = unpack(other.instance.packed).decode()
    forge(path, "UPDATE instance SET hash = 'x' WHERE hash = ?", other.instance.hash)
    forge(
        path,
        "UPDATE instance SET packed = ?, hash = ? WHERE hash = ?",
        other.instance.packed,
        instance_hash("harmony", text),
        board.instance.hash,
    )
    assert board.id in rejected(path)


@pytest.mark.parametrize("packed", [b"", b"junk", pack(b"\xff\xfe"), "text"])
def test_a_text_that_was_damaged(whole: Path, path: Path, packed: object) -> None:
    answer = settled(whole)[0]
    forge(path, "UPDATE instance SET packed = ? WHERE hash = ?", packed, answer.instance.hash)
    assert "the text of its instance is damaged" in rejected(path)[answer.id]


def test_a_hash_that_was_edited(whole: Path, path: Path) -> None:
    answer = settled(whole)[2]
    forge(path, "UPDATE instance SET hash = ? WHERE hash = ?", "0" * 64, answer.instance.hash)
    found = rejected(path)
    assert len(found) == 3
    assert set(found.values()) == {"the hash of its instance is not that of the text: one of them was changed"}


def test_a_domain_that_was_edited(whole: Path, path: Path) -> None:
    answer = settled(whole)[0]
    forge(path, "UPDATE instance SET domain = 'starbattle' WHERE hash = ?", answer.instance.hash)
    assert "the hash of its instance is not that of the text" in rejected(path)[answer.id]
    forge(path, "UPDATE instance SET domain = 'checkers' WHERE hash = ?", answer.instance.hash)
    assert rejected(path)[answer.id].startswith("its instance cannot be read here: unknown domain 'checkers'")


def test_an_instance_that_was_removed(whole: Path, path: Path) -> None:
    answer = settled(whole)[0]
    forge(path, "DELETE FROM instance WHERE hash = ?", answer.instance.hash)
    found = [each for each in check(path) if each.answer == answer.id and not each.accepted]
    assert "its instance is missing" in [violation for each in found for violation in each.violations]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE run_answer SET answer = 2 WHERE answer = 1", "run 1 leads to an answer about another instance"),
        ("UPDATE run_answer SET answer = 4 WHERE answer = 3", "run 1 leads to an answer to the question"),
        ("UPDATE run_answer SET answer = 999 WHERE answer = 1", "run 1 leads to no answer"),
        (
            "UPDATE run_answer SET question = 'x' WHERE answer = 1",
            "run 1 leads to an answer to the question 'solvable'",
        ),
        ("UPDATE run_answer SET number = 7 WHERE answer = 1", "run 1 leads to an answer about another instance"),
        ("UPDATE run_answer SET run = 7 WHERE answer = 1", "the table of run 7 leads to an answer about another"),
        ("UPDATE item SET instance = 2 WHERE number = 0 AND run = 1", "leads to an answer about another instance"),
        (
            "UPDATE item SET instance = 99 WHERE number = 0 AND run = 1",
            "in the table of run 1: its instance is missing",
        ),
        ("UPDATE item SET run = 9 WHERE number = 0 AND run = 1", "in the table of run 9: there is no such run"),
        ("UPDATE item SET read_as = 'x' WHERE number = 0", "expected to be read as one of "),
        ("UPDATE item SET read_as = 'killed' WHERE number = 0", "it was read as killed, but has an instance"),
        ("UPDATE item SET remarks = '[' WHERE number = 0", "its remarks are damaged: "),
        ("UPDATE item SET remarks = '[1]' WHERE number = 0", "its remarks are damaged: expected a JSON list of texts"),
        ("UPDATE item SET seconds = 'long' WHERE number = 0", "the time of reading it is no number"),
        ("DELETE FROM item WHERE number = 0 AND run = 1", "it had 5 sources, but 4 are there"),
        ("UPDATE item SET number = 8 WHERE number = 4 AND run = 1", "the numbers 0 to 4, but they have 0 to 8"),
        ("DELETE FROM item", "it had 5 sources, but 0 are there"),
        ("DELETE FROM answer WHERE id = 1", "the table of run 1 leads to no answer"),
        ("DELETE FROM run_answer WHERE answer = 1", "it had 11 answers, but 10 are there"),
        ("DELETE FROM run_answer WHERE answer = 4", "1 of its sources in starbattle lack an answer to 'unique', which"),
        ("UPDATE run SET settings = '{' WHERE id = 1", "its settings are damaged: "),
        ("UPDATE run SET settings = '[]' WHERE id = 1", "its settings are damaged: expected a JSON object, found list"),
        ("UPDATE run SET machine = 99 WHERE id = 1", "its machine is missing"),
        ("UPDATE run SET state = 'x' WHERE id = 1", "expected the state running, finished or interrupted, found 'x'"),
        ("UPDATE run SET sources = NULL WHERE id = 1", "it had None sources, but 5 are there"),
        ("UPDATE run SET answers = 12 WHERE id = 1", "it had 12 answers, but 11 are there"),
        (
            "UPDATE answer SET superseded = 1 WHERE id = 1",
            "it says that a newer answer took its place, but there is none",
        ),
        (
            "UPDATE answer SET superseded = 2 WHERE id = 1",
            "it says that a newer answer took its place, but there is none",
        ),
        ("UPDATE answer SET stats = '{' WHERE id = 1", "its stats cannot be read: "),
        ("UPDATE answer SET budget = '7' WHERE id = 1", "its budget cannot be read: expected a JSON object, found int"),
    ],
)
def test_tables_that_were_edited(path: Path, statement: str, words: str) -> None:
    forge(path, statement)
    assert words in "\n".join(violation for each in check(path) for violation in each.violations)


def test_an_answer_that_went_missing_with_its_link(path: Path) -> None:
    forge(path, "DELETE FROM run_answer WHERE answer = 1")
    forge(path, "DELETE FROM answer WHERE id = 1")
    assert [(each.name, each.question, each.violations) for each in check(path) if not each.accepted] == [
        ("run 1", None, ("it had 11 answers, but 10 are there",)),
        (
            "run 1",
            None,
            ("1 of its sources in harmony lack an answer to 'solvable', which others have; one is first_swaps.txt",),
        ),
    ]
    assert all(each.accepted for each in check(path, run=2)), "the other run is whole"


def test_an_instance_that_nobody_asked_about(tmp_path: Path) -> None:
    """A run that goes on may lack sources and answers, but what it has is right."""
    path = tmp_path / "validation.db"
    with Store.open(path) as store:
        run = store.begin_run({}, token="t", command="c", solver="1", machine="m")
        text = format_problem(load_example("harmony", "first_swaps"))
        instance = Instance(instance_hash("harmony", text), "harmony", 6, pack(text.encode()))
        store.add_reading(run, Reading(Source(3, "a.txt"), ReadAs.INSTANCE, instance))
        store.commit()
    assert check(path) == check(path, run=1) == []
    edit(path, "UPDATE instance SET packed = ?", pack(text.encode() + b" "))
    for found in (check(path), check(path, run=1)):
        ((name, question, violations),) = ((each.name, each.question, each.violations) for each in found)
        assert (name, question) == ("a.txt", None)
        assert "the hash of its instance is not that of the text: one of them was changed" in violations


def test_an_unknown_that_was_made_a_verdict(whole: Path, path: Path) -> None:
    unknown = next(answer for answer in stored(whole) if answer.verdict == "UNKNOWN")
    for verdict in ("YES", "NO"):
        forge(path, SET.format("verdict"), verdict, unknown.id)
        assert f"it is {verdict} without a certificate" in rejected(path)[unknown.id]
    forge(path, SET.format("verdict"), "UNKNOWN", unknown.id)
    for cause in (None, "BOREDOM"):
        forge(path, SET.format("cause"), cause, unknown.id)
        assert rejected(path) == {unknown.id: f"it is UNKNOWN, but its cause is {cause!r}"}


def test_a_bug_without_its_traceback(whole: Path, path: Path) -> None:
    bug = next(answer for answer in stored(whole) if answer.verdict is None)
    forge(path, SET.format("error"), "", bug.id)
    assert rejected(path) == {bug.id: "it has neither a verdict nor an error that says why"}


def test_verdicts_that_nobody_wanted_proved(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    with Store.open(path) as store:
        names = ("near_miss", "first_swaps")
        keep_answers(store, [(name, load_example("harmony", name)) for name in names], proof=False)
    no, yes = stored(path)
    assert (no.verdict, no.certificate) == ("NO", None), "or this test shows nothing"
    assert rejected(path) == {}
    forge(path, SET.format("verdict"), "YES", no.id)
    assert "it is YES without a certificate" in rejected(path)[no.id], "a YES always has one"
    forge(path, SET.format("verdict"), "NO", no.id)
    for budget in ('{"proof":true}', "{}", "[]", "", "nonsense", '{"proof":0}'):
        forge(path, SET.format("budget"), budget, no.id)
        assert "it is NO without a certificate" in rejected(path)[no.id]
    forge(path, SET.format("budget"), '{"proof":false}', no.id)
    assert rejected(path) == {}
    for settings in ('{"proof":true}', "{}", "nonsense"):
        forge(path, "UPDATE run SET settings = ?", settings)
        assert "it is NO without a certificate" in rejected(path)[no.id], "the run asked for proof"
    assert yes.certificate is not None


def test_one_run_that_asked_for_proof_is_enough(tmp_path: Path) -> None:
    """A verdict that nobody had to prove passes for those who did not ask, not for a run that did."""
    path = tmp_path / "validation.db"
    with Store.open(path) as store:
        for token in ("one", "two"):
            keep_answers(store, [("near", load_example("harmony", "near_miss"))], proof=False, token=token)
    assert rejected(path) == {}
    forge(path, """UPDATE run SET settings = '{"proof":true}' WHERE token = 'one'""")
    assert "it is NO without a certificate" in rejected(path)[1]


def test_a_checker_with_a_bug_is_reported_and_the_rest_is_checked(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall_over(problem: object, certificate: object, meter: object) -> list[str]:
        raise KeyError("stars")

    broken = structs.replace(get_domain("starbattle"), check=fall_over)
    monkeypatch.setitem(registry._loaded, "starbattle", broken)
    found = rejected(whole)
    assert len(found) == 9
    assert set(found.values()) == {"the checker failed: KeyError: 'stars'"}


def test_a_damaged_file_is_told_as_such(path: Path) -> None:
    data = bytearray(path.read_bytes())
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'answer_by_key'").fetchone()
    connection.close()
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"validation\.db is damaged: "):
        check(path)


CHILD = """
import importlib.abc, sys

class Block(importlib.abc.MetaPathFinder):
    def find_spec(self, module, path=None, target=None):
        parts = module.split(".")
        if parts[0] == "pysat" or parts[0] == "solvent" and parts[2:] and any(
            part.partition("_")[0] in ("solver", "generator", "hints", "invalidity", "audit") for part in parts[2:]
        ):
            raise ImportError(f"{module} is blocked")
        return None

sys.meta_path.insert(0, Block())
from solvent.cli.start import main
code = main(["check", "--store", sys.argv[1]])
for name in sys.argv[2:]:
    try:
        __import__(f"solvent.{name}.solver")
        code = 99
    except ImportError:
        pass
sys.exit(code)
"""


def test_no_solver_is_imported(tmp_path: Path) -> None:
    """Answers of every domain are checked in a process that cannot import one."""
    path = tmp_path / "validation.db"
    with Store.open(path) as store:
        keep_answers(store, ((name, load_example(name, examples_of(name)[0].name)) for name in BUILTIN_DOMAINS))
    expected = len(stored(path))
    assert len({answer.instance.domain for answer in stored(path)}) == len(BUILTIN_DOMAINS)
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), *BUILTIN_DOMAINS],
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ),
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"accepted: {expected} of {expected} certificates\n"
