"""Read a configuration, and say of each value what it is, where it stands, and what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solvent.core.errors import BadOption, ConfigurationError, show_value
from solvent.core.path_patterns import matches

if TYPE_CHECKING:
    from solvent.core.domain import Domain
    from solvent.core.options import Option

MAPPINGS = "mappings"
RULES = "rules"
TABLE_IN_SHARED_FILE = ("tool", "solvent")
LARGEST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Configuration:
    """Hold what a file says, with paths as they are seen from the current folder."""

    file: str
    """The file as people call it, from the current folder."""
    folder: str
    """Where it lies; paths and patterns in it start from there."""
    values: Mapping[str, Any]
    """What it says, as TOML values."""
    text: str
    table: tuple[str, ...] = ()
    """The table that all of it stands in."""

    def names(self) -> list[str]:
        """Return the keys at the top that are no tables, spelled with dashes."""
        return [dashed(name) for name, value in self.values.items() if not isinstance(value, dict)]

    def tables(self) -> list[str]:
        """Return the names of the tables for domains."""
        return [name for name, value in self.values.items() if isinstance(value, dict) and name != MAPPINGS]

    def line_of(self, *keys: str) -> int | None:
        """Return the line that a key stands on, from 1."""
        from solvent.configuration.lines import line_of

        return line_of(self.text, [*self.table, *self._spelled(keys)])

    def place_of(self, *keys: str) -> str:
        """Return file and line of a key, as editors and terminals open them."""
        line = self.line_of(*keys)
        return self.file if line is None else f"{self.file}:{line}"

    def error(self, message: str, *keys: str) -> ConfigurationError:
        """Make the error about a key."""
        line = self.line_of(*keys)
        return ConfigurationError(message, source=self.file, line=line)

    def get(self, name: str) -> Any:
        """Return the value of a key at the top, whether it is spelled with dashes or with underscores; None without."""
        return next((value for key, value in self.values.items() if dashed(key) == dashed(name)), None)

    def path(self, value: str) -> str:
        """Return a path of the file as it is seen from the current folder."""
        return relative(os.path.join(self.folder, value)) + ("/" if value.endswith("/") else "")

    def pattern(self, value: str) -> str:
        """Return a pattern of the file as it is seen from the current folder; one about names stays as it is."""
        return self.path(value) if "/" in value.rstrip("/") else value

    def require_known(self, known: Iterable[str]) -> None:
        """Raise ConfigurationError for a key that is neither one of these nor a table of a domain."""
        from solvent.registry import BUILTIN_DOMAINS, domain_names

        names = [*known, MAPPINGS]
        for name, value in self.values.items():
            if dashed(name) in names and (name == MAPPINGS or not isinstance(value, dict)):
                continue
            if name in BUILTIN_DOMAINS or name in domain_names():
                if isinstance(value, dict):
                    continue
                raise self.error(f"{name}: expected a table such as [{self._heading(name)}]", name)
            raise self._unknown("key", name, [*names, *domain_names()], name)
        if MAPPINGS in self.values:
            self.mapping_patterns()
        for name in self.tables():
            self.options(name)
            self.rules(name)

    def options(self, domain: str) -> dict[str, Any]:
        """Return the solver's options for a domain, or raise ConfigurationError."""
        table = {name: value for name, value in self._table(domain).items() if name != RULES}
        return self._accept(domain, table, (domain,), "solve") if table else {}

    def rules(self, domain: str) -> dict[str, Any]:
        """Return the rules to play a domain's instances by instead of those that they say, or raise an error."""
        table = self._table(domain).get(RULES, {})
        if not isinstance(table, dict):
            raise self.error(f"{RULES}: expected a table of rules, found {show_value(table)}", domain, RULES)
        return self._accept(domain, table, (domain, RULES), "rule") if table else {}

    def mapping_patterns(self) -> dict[str, str]:
        """Return which mapping is for which files, by pattern, or raise ConfigurationError."""
        table = self.values.get(MAPPINGS, {})
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise self.error(f'{MAPPINGS}: expected a table such as {{"levels/**/*.tmx" = "names.toml"}}', MAPPINGS)
        return dict(table)

    def mapping_for(self, path: str | os.PathLike[str]) -> str | None:
        """Return the mapping for a file: that of the first pattern that stands for it."""
        pattern = self.mapping_pattern_for(path)
        return None if pattern is None else self.path(self.mapping_patterns()[pattern])

    def mapping_pattern_for(self, path: str | os.PathLike[str]) -> str | None:
        """Return the first pattern of `mappings` that stands for a file."""
        return next((pattern for pattern in self.mapping_patterns() if matches(path, self.pattern(pattern))), None)

    def files(self) -> list[str]:
        """Return the file itself and the mappings it names."""
        return [self.file, *map(self.path, self.mapping_patterns().values())]

    def _accept(self, domain: str, table: Mapping[str, Any], keys: tuple[str, ...], kind: Any) -> dict[str, Any]:
        known = {option.name: option for option in _domain(domain).options(kind)}
        accepted = {}
        for name, value in table.items():
            option = known.get(name.replace("-", "_"))
            if option is None:
                names = list(known) if kind == "rule" else [*known, RULES]
                raise self._unknown(f"{domain} {'rule' if kind == 'rule' else 'option'}", name, names, *keys, name)
            accepted[option.name] = self._value(option, value, *keys, name)
        return accepted

    def _value(self, option: Option, value: Any, *keys: str) -> Any:
        try:
            return option.accept(str(value) if option.type is str and type(value) is int else value)
        except BadOption as error:
            raise self.error(str(error), *keys) from None

    def _unknown(self, kind: str, name: str, known: Sequence[str], *keys: str) -> ConfigurationError:
        return self.error(f"unknown {kind} {show_value(name)}; {likely(name, known)}", *keys)

    def _table(self, domain: str) -> Mapping[str, Any]:
        found = self.values.get(domain, {})
        return found if isinstance(found, dict) else {}

    def _heading(self, name: str) -> str:
        return ".".join([*self.table, name])

    def _spelled(self, keys: Sequence[str]) -> list[str]:
        """Return keys as the file spells them."""
        spelled = []
        table: Any = self.values
        for key in keys:
            name = (
                next((each for each in table if dashed(each) == dashed(key)), key) if isinstance(table, dict) else key
            )
            table = table.get(name) if isinstance(table, dict) else None
            spelled.append(name)
        return spelled


def load(path: str | os.PathLike[str]) -> Configuration:
    """Read a configuration file, or raise ConfigurationError: of `pyproject.toml` its table, of others all of it."""
    import tomllib

    name = relative(path)
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_BYTES + 1)
        if len(data) > LARGEST_BYTES:
            raise ConfigurationError(f"expected at most {LARGEST_BYTES >> 20} MB", source=name)
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        values: Any = tomllib.loads(text)
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror or error}", source=name) from None
    except ConfigurationError:
        raise
    except ValueError as error:
        raise ConfigurationError(f"expected TOML: {error}", source=name) from None
    table: tuple[str, ...] = ()
    if os.path.basename(name) == "pyproject.toml":
        table = TABLE_IN_SHARED_FILE
        for key in table:
            values = values.get(key, {}) if isinstance(values, dict) else {}
    if not isinstance(values, dict):
        raise ConfigurationError(f"expected a table [{'.'.join(table)}]", source=name)
    return Configuration(name, os.path.dirname(os.path.abspath(path)), values, text, table)


def likely(name: str, known: Sequence[str]) -> str:
    """Say which name was likely meant, or which there are."""
    import difflib

    alike = difflib.get_close_matches(dashed(name), {dashed(each): each for each in known}, n=1)
    return f"did you mean {alike[0]!r}?" if alike else f"there are: {', '.join(known)}"


def dashed(name: str) -> str:
    """Spell a key as the options of the command are spelled."""
    return name.replace("_", "-")


def relative(path: str | os.PathLike[str]) -> str:
    """Return a path from the current folder, unless that is on another drive."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return os.path.abspath(path)


def _domain(name: str) -> Domain[Any]:
    from solvent.registry import get_domain

    return get_domain(name)
