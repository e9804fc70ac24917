"""The pytest plugin and the assertions, in sample projects."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from solvent import testing
from solvent.testing import LevelFailed, assert_passes, assert_solvable, assert_verdict

pytest_plugins = ["pytester"]

EXAMPLES = {example.name: example.text for example in solvent.examples("dungeon")}


@pytest.fixture
def levels(pytester: pytest.Pytester) -> Path:
    """Make a project with a level that passes, one that can be lost, and a file that is no level."""
    folder = pytester.mkdir("levels")
    for name in ("first_door", "the_wrong_door"):
        (folder / f"{name}.txt").write_text(EXAMPLES[name], encoding="utf-8")
    (folder / "notes.md").write_text("buy milk", encoding="utf-8")
    return folder


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *words)


def test_a_marked_test_runs_for_each_level_and_question(pytester: pytest.Pytester, levels: Path) -> None:
    pytester.makepyfile(
        """
        import pytest
        from solvent.testing import assert_passes

        @pytest.mark.solvent_levels("levels/", ask="solvable,losable")
        def test_level(level, question, monkeypatch, tmp_path):
            monkeypatch.chdir(tmp_path)
            assert_passes(level, question)
        """
    )
    result = run(pytester, "-v", "--strict-markers")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*test_level?levels/first_door.txt-solvable? PASSED*",
            "*test_level?levels/the_wrong_door.txt-losable? FAILED*",
            "*levels/the_wrong_door.txt: losable: YES, expected NO",
            "*open a lock*",
            "*The wrong door",
            "*To see more:       solvent explain levels/the_wrong_door.txt",
        ]
    )
    assert "src/solvent/testing.py" not in result.stdout.str()  # its own frames are hidden


def test_a_test_without_question_gets_each_level_once(pytester: pytest.Pytester, levels: Path) -> None:
    pytester.makepyfile(
        """
        import pytest
        from solvent.testing import assert_solvable

        @pytest.mark.solvent_levels("levels/*.txt")
        def test_level(level):
            assert assert_solvable(level, seconds=30).certificate is not None
        """
    )
    run(pytester).assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ('"nothing/"', "expected a file or folder, found nothing"),
        ('"empty/"', "there are no levels in empty/"),
        ('"levels/", ask="solvible"', "unknown question 'solvible'"),
        ("", "needs paths"),
    ],
)
def test_a_mark_that_finds_nothing_is_an_error(
    pytester: pytest.Pytester, levels: Path, mark: str, message: str
) -> None:
    pytester.mkdir("empty")
    pytester.makepyfile(f"import pytest\n@pytest.mark.solvent_levels({mark})\ndef test_level(level): pass\n")
    result = run(pytester)
    assert result.ret != 0
    assert message in result.stdout.str() + result.stderr.str()


def test_level_files_are_tests_where_pytest_is_told(pytester: pytest.Pytester, levels: Path) -> None:
    pytester.makeini("[pytest]\nsolvent_levels = levels\nsolvent_ask = solvable,losable\n")
    (levels / "broken.txt").write_text(EXAMPLES["first_door"].replace("start", "strat"), encoding="utf-8")
    result = run(pytester, "levels", "-v")
    text = result.stdout.str()
    assert "levels/the_wrong_door.txt::losable FAILED" in text
    assert "levels/first_door.txt::losable PASSED" in text
    assert "notes.md" not in text
    assert "the_wrong_door.txt: losable: YES, expected NO" in text
    assert "Traceback" not in text


def test_the_configuration_counts(pytester: pytest.Pytester, levels: Path) -> None:
    pytester.makeini("[pytest]\nsolvent_levels = levels\n")
    (pytester.path / "solvent.toml").write_text('ask = ["losable"]\nexclude = ["the_wrong_*"]\n')
    run(pytester, "levels", "-v").assert_outcomes(passed=1)
    (pytester.path / "solvent.toml").write_text('ask = ["losable"]\nnodes = 1\n')
    assert "UNKNOWN (" in run(pytester, "levels").stdout.str()


def test_files_that_were_not_named_are_left_alone(pytester: pytest.Pytester, levels: Path) -> None:
    assert run(pytester, "levels").ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.slow
def test_workers_side_by_side_collect_the_same(pytester: pytest.Pytester, levels: Path) -> None:
    pytester.makeini("[pytest]\nsolvent_levels = levels/*.txt\nsolvent_ask = solvable,losable\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "levels", "-n", "2")
    result.assert_outcomes(passed=3, failed=1)


@pytest.mark.slow
def test_pytest_starts_without_loading_what_it_does_not_need(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    code = (
        "import pytest, sys; pytest.main(['-q', '-p', 'no:cacheprovider']);"
        "print([name for name in sys.modules if name.startswith('solvent.')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True).stdout
    loaded = out.splitlines()[-1]
    assert "solvent.pytest_plugin" in loaded
    heavy = ("core", "registry", "testing", "configuration", "batch")
    assert not [part for part in heavy if f"solvent.{part}" in loaded]


def test_assertions_give_the_answer() -> None:
    level = solvent.parse(EXAMPLES["the_wrong_door"])
    assert assert_solvable(level).verdict is solvent.Verdict.YES
    assert assert_verdict(level, "losable", "YES").certified
    assert assert_passes(level).question == "solvable"
    with pytest.raises(LevelFailed, match="dungeon: losable: YES, expected NO"):
        assert_passes(level, "losable")
    with pytest.raises(solvent.BadOption, match="unknown dungeon question 'unique'"):
        assert_passes(level, "unique")


def test_unknown_fails_unless_it_may_be_skipped() -> None:
    import unittest

    level = solvent.parse(EXAMPLES["the_wrong_door"])
    with pytest.raises(LevelFailed, match=r"solvable: UNKNOWN \(.*\), expected YES"):
        assert_solvable(level, nodes=1, areas=False)
    with pytest.raises(unittest.SkipTest, match="UNKNOWN"):
        assert_solvable(level, nodes=1, areas=False, unknown="skip")
    with pytest.raises(solvent.BadOption, match='expected "fail" or "skip"'):
        assert_solvable(level, unknown="pass")  # type: ignore[arg-type]


def test_a_failure_shows_the_board_the_reason_and_the_commands(tmp_path: Path) -> None:
    file = tmp_path / "a level.txt"
    file.write_text(EXAMPLES["the_wrong_door"], encoding="utf-8")
    with pytest.raises(LevelFailed) as caught:
        assert_passes(file, "losable")
    message = str(caught.value)
    assert "open a lock" in message  # how it is lost
    assert f"solvent solve '{file}' --ask losable" in message
    assert "@" in message
    assert len(message.splitlines()) < testing.MAX_BOARD_LINES + 12


def test_a_broken_file_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("buy milk")
    with pytest.raises(solvent.ParseError, match="expected an instance of one of"):
        assert_solvable(file)
