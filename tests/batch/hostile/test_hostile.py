from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from batch.hostile import install
from solvent.core.errors import BadOption, ParseError, UnsoundAnswer
from solvent.registry import detect, domain_names


def test_it_is_known_here_until_the_test_is_over(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        install(tmp_path, monkeypatch)
        assert "hostile" in domain_names()
        assert detect("HOSTILE yes\n").name == "hostile"
    assert "hostile" not in domain_names()


def test_another_process_knows_it(tmp_path: Path) -> None:
    env = install(tmp_path)
    script = "import solvent; print(solvent.ask(solvent.parse('HOSTILE no'), 'unique').verdict)"
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "NO\n"


@pytest.mark.parametrize(
    "text", ["HOSTILE yes", "HOSTILE no #7", "HOSTILE slow 0.01", "HOSTILE spin 3 #a", "HOSTILE large 9"]
)
def test_the_peaceful_ones_answer(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    problem = solvent.parse(text)
    assert str(problem) == text
    assert solvent.ask(problem).certified


def test_lies_and_bugs_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(UnsoundAnswer, match="expected the word 'lie'"):
        solvent.ask(solvent.parse("HOSTILE lie"))
    with pytest.raises(KeyError, match="on purpose"):
        solvent.ask(solvent.parse("HOSTILE bug"))
    with pytest.raises(KeyError, match="on purpose"):
        solvent.ask(solvent.parse("HOSTILE check-bug"))
    with pytest.raises(KeyError, match="on purpose"):
        solvent.parse("HOSTILE read-bug")
    with pytest.raises(ParseError, match="a behaviour"):
        solvent.parse("HOSTILE dance")
    with pytest.raises(BadOption, match="unknown option"):
        solvent.ask(solvent.parse("HOSTILE yes"), pace=3)


def test_a_soft_one_keeps_to_its_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    assert str(solvent.ask(solvent.parse("HOSTILE soft"), nodes=5).reason) == "out of nodes (limit 5)"
