"""The pytest plugin: levels as parameters of a test, or each level file as tests of its own.

pytest loads this module wherever Solvent is installed, so it imports nothing until a project uses it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from solvent.configuration import Configuration
    from solvent.testing import Level

MARKER = "solvent_levels"
LEVELS, ASK, UNKNOWN = "solvent_levels", "solvent_ask", "solvent_unknown"
"""The settings in pytest's own configuration."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings."""
    parser.addini(LEVELS, "Folders and patterns of level files, each of which is a test.", type="args", default=[])
    parser.addini(ASK, "Questions to ask about each level file, such as solvable,losable.", default="")
    parser.addini(UNKNOWN, "What an UNKNOWN about a level file does: fail or skip.", default="fail")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(*paths, ask=None): run the test for each level in the paths and each question,"
        " as its arguments `level` and `question`",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a marked test each level and question."""
    for mark in metafunc.definition.iter_markers(MARKER):
        wanted = [name for name in ("level", "question") if name in metafunc.fixturenames]
        if "level" not in wanted or not mark.args:
            raise pytest.UsageError(f"{metafunc.definition.nodeid}: {MARKER} needs paths, and a test with `level`")
        cases = _cases(metafunc.config, mark.args, mark.kwargs.get("ask"), distinct="question" in wanted)
        values = [case if len(wanted) == 2 else case[0] for case, _ in cases]
        metafunc.parametrize(wanted if len(wanted) == 2 else "level", values, ids=[name for _, name in cases])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Make a level file of the configured folders a collection of tests."""
    paths = parent.config.getini(LEVELS)
    if not paths or file_path.suffix == ".py":
        return None
    from solvent.core.path_patterns import matches

    root = str(parent.config.rootpath)
    fitting = [path for path in paths if matches(file_path, os.path.join(root, path))]
    if not fitting:
        return None
    configuration = _configuration(parent.config)
    named = any(sign in path for path in fitting for sign in "*?[") or str(file_path) in _joined(root, fitting)
    if _excluded(configuration, str(file_path)) or not (named or _domain_of(str(file_path)) is not None):
        return None
    return LevelFile.from_parent(parent, path=file_path)


class LevelFile(pytest.File):
    """A level file: a test for each question."""

    def collect(self) -> Iterator[LevelItem]:
        """Yield a test for each question that the level's domain has."""
        level = _level(_configuration(self.config), str(self.path), self.config)
        asked = self.config.getini(ASK) or None
        for question in _questions(level, asked, _configuration(self.config)) or [""]:
            yield LevelItem.from_parent(self, name=question or "readable", question=question)


class LevelItem(pytest.Item):
    """One question about one level."""

    def __init__(self, *, question: str, **given: Any) -> None:
        super().__init__(**given)
        self.question = question

    def runtest(self) -> None:
        """Ask, and fail unless the verdict passes."""
        from solvent.testing import assert_passes

        level = _level(_configuration(self.config), str(self.path), self.config)
        assert_passes(level, self.question or None, unknown=self.config.getini(UNKNOWN))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the message alone: the traceback would be Solvent's own."""
        from solvent.core.errors import SolventError
        from solvent.testing import LevelFailed

        if isinstance(excinfo.value, LevelFailed | SolventError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the level and the question."""
        return self.path, None, f"{_shown(str(self.path), self.config)}: {self.name}"


def _cases(
    config: pytest.Config, paths: Sequence[str], ask: Any, *, distinct: bool
) -> list[tuple[tuple[Level, str], str]]:
    """Return a level, a question and a name for each test."""
    from solvent.batch.sources.find import find_sources
    from solvent.core.errors import SolventError

    configuration = _configuration(config)
    exclude = _exclude(configuration)
    try:
        sources = list(find_sources(_joined(str(config.rootpath), paths), exclude=exclude))
    except SolventError as error:
        raise pytest.UsageError(f"{MARKER}: {error}") from None
    cases = []
    for source in sources:
        if source.path is None or (not source.named and _domain_of(source.path) is None):
            continue
        level = _level(configuration, source.path, config)
        questions = _questions(level, ask, configuration) or [""]
        for question in questions if distinct else questions[:1]:
            name = str(level)
            cases.append(((level, question or None), f"{name}-{question}" if distinct and question else name))
    if not cases:
        raise pytest.UsageError(f"{MARKER}: there are no levels in {', '.join(map(str, paths))}")
    return cases  # type: ignore[return-value]


def _configuration(config: pytest.Config) -> Configuration | None:
    """Return the configuration of the project that pytest runs in, read once."""
    known = config.stash.get(_CONFIGURATION, False)
    if known is not False:
        return known  # type: ignore[return-value]
    from solvent.configuration import find_file, load

    path = find_file(config.rootpath)
    found = None if path is None else load(path)
    config.stash[_CONFIGURATION] = found
    return found


_CONFIGURATION: pytest.StashKey[Any] = pytest.StashKey()


def _level(configuration: Configuration | None, path: str, config: pytest.Config) -> Level:
    from solvent.testing import Level

    shown = _shown(path, config)
    path = os.path.abspath(path)
    if configuration is None:
        return Level(path, shown)
    domain, mapping = _domain_of(path), configuration.mapping_for(path)
    limits = {name: configuration.get(name) for name in ("seconds", "nodes", "megabytes")}
    return Level(
        path,
        shown,
        mapping=None if mapping is None else os.path.abspath(mapping),
        rules={} if domain is None else configuration.rules(domain.name),
        options={} if domain is None else configuration.options(domain.name),
        limits={name: limit for name, limit in limits.items() if limit is not None and limit != float("inf")},
    )


def _questions(level: Level, ask: Any, configuration: Configuration | None) -> list[str]:
    """Return what to ask about a level; nothing if no domain knows it, or its domain none of the questions."""
    from solvent.core.errors import unknown_name
    from solvent.registry import all_domains

    domain = _domain_of(level.path)
    if ask is None and configuration is not None:
        ask = configuration.get("ask")
    names = [name.strip() for name in ask.split(",")] if isinstance(ask, str) else list(ask or [])
    known = [question for each in all_domains() for question in each.questions] if names else []
    for name in names:
        if name not in (*known, "all"):
            raise pytest.UsageError(str(unknown_name("question", name, dict.fromkeys([*known, "all"]))))
    if domain is None:
        return []
    if not names:
        return [domain.first_question]
    return [question for question in domain.questions if question in names or "all" in names]


def _domain_of(path: str) -> Any:
    """Return the domain that recognises a file; None if there is none."""
    from solvent.core.errors import NotRecognised
    from solvent.reading import LARGEST_FILE_BYTES
    from solvent.registry import detect

    try:
        with open(path, "rb") as file:
            return detect(file.read(LARGEST_FILE_BYTES).decode("utf-8-sig"))
    except (NotRecognised, OSError, UnicodeDecodeError):
        return None


def _exclude(configuration: Configuration | None) -> list[str]:
    given = None if configuration is None else configuration.get("exclude")
    patterns = [given] if isinstance(given, str) else given or []
    return [] if configuration is None else [configuration.pattern(pattern) for pattern in patterns]


def _excluded(configuration: Configuration | None, path: str) -> bool:
    from solvent.core.path_patterns import matches_any

    return matches_any(path, _exclude(configuration))


def _joined(root: str, paths: Sequence[Any]) -> list[str]:
    return [os.path.join(root, os.fspath(path)) for path in paths]


def _shown(path: str, config: pytest.Config) -> str:
    """Return a path as people call it: from the folder that pytest was started in, if it is below it."""
    below = os.path.relpath(path, config.invocation_params.dir)
    return path if below.startswith("..") else below.replace(os.sep, "/")
