from __future__ import annotations

from pathlib import Path

import pytest

from solvent.configuration import Configuration, load
from solvent.core.errors import ConfigurationError

KEYS = ("paths", "ask", "seconds", "fail-on")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str, name: str = "solvent.toml") -> Configuration:
    Path(name).write_text(text, encoding="utf-8")
    configuration = load(name)
    configuration.require_known(KEYS)
    return configuration


def test_what_it_says_is_read() -> None:
    configuration = read(
        'seconds = 5\n[dungeon]\nweight = 2\n[dungeon.rules]\npush = "never"\n[mappings]\n"*.tmx" = "names.toml"\n'
    )
    assert configuration.get("seconds") == 5
    assert configuration.options("dungeon") == {"weight": 2}
    assert configuration.rules("dungeon") == {"push": "never"}
    assert configuration.mapping_for("levels/deep/a.tmx") == "names.toml"
    assert configuration.mapping_for("levels/a.txt") is None
    assert configuration.place_of("dungeon", "rules", "push") == "solvent.toml:5"
    assert configuration.options("starbattle") == {}


def test_of_pyproject_only_the_table_counts() -> None:
    configuration = read("[project]\nname = 'x'\n\n[tool.solvent]\nfail_on = ['fail']\n", "pyproject.toml")
    assert configuration.get("fail-on") == ["fail"]
    assert configuration.place_of("fail-on") == "pyproject.toml:5"


def test_paths_start_where_the_file_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "levels" / "drafts").mkdir(parents=True)
    (tmp_path / "solvent.toml").write_text('[mappings]\n"levels/**/*.tmx" = "game/names.toml"\n')
    monkeypatch.chdir(tmp_path / "levels")
    configuration = load("../solvent.toml")
    assert configuration.path("levels/") == "./"
    assert configuration.pattern("levels/drafts/**") == "drafts/**"
    assert configuration.pattern("*.bak") == "*.bak"
    assert configuration.mapping_for("drafts/a.tmx") == "../game/names.toml"
    assert configuration.files() == ["../solvent.toml", "../game/names.toml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("secnds = 5\n", "solvent.toml, line 1: unknown key 'secnds'; did you mean 'seconds'?"),
        ("\n[dungon]\n", "solvent.toml, line 2: unknown key 'dungon'; did you mean 'dungeon'?"),
        ("zzz = 1\n", "solvent.toml, line 1: unknown key 'zzz'; there are: paths, ask"),
        ("dungeon = 5\n", "solvent.toml, line 1: dungeon: expected a table such as [dungeon]"),
        ("[seconds]\n", "solvent.toml, line 1: unknown key 'seconds'"),
        ("[dungeon]\nwieght = 5\n", "solvent.toml, line 2: unknown dungeon option 'wieght'; did you mean 'weight'?"),
        ("[dungeon]\nweight = 'x'\n", "solvent.toml, line 2: weight: expected a number, found 'x'"),
        ("[dungeon]\nweight = 0.5\n", "solvent.toml, line 2: weight: expected at least 1"),
        ("[dungeon.rules]\npsh = 'x'\n", "solvent.toml, line 2: unknown dungeon rule 'psh'; did you mean 'push'?"),
        ("[dungeon]\nrules = 1\n", "solvent.toml, line 2: rules: expected a table of rules"),
        ("[mappings]\na = 1\n", "solvent.toml, line 1: mappings: expected a table such as"),
        ("a = \n", "solvent.toml: expected TOML: "),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(text)
    assert str(caught.value).startswith(message)


def test_a_file_that_is_not_there_says_so() -> None:
    with pytest.raises(ConfigurationError, match=r"missing\.toml: cannot be read: No such file"):
        load("missing.toml")
