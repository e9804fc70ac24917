"""The settings of a solver or generator, described so that a command or a page can offer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solvent.core.errors import BadOption, show_value, unknown_name

_TYPES = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Option:
    """Describe one setting of a solver or generator, so that a command or page can offer it."""

    name: str
    """As a Python keyword; the command shows it with dashes."""
    default: int | float | str | bool | None
    help: str
    type: type = int
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    opens_file: bool = False
    """Whether its value may be the name of a file, which a server must not take from its clients."""
    of_files: bool = False
    """Whether it is about files of which a generator makes several, so that only a command with a folder offers it."""
    about_file: bool = False
    """Whether it only says how to read a file that another option names, so that a page without files leaves it out."""
    page_help: str | None = None
    """What a page says in place of `help`, where that speaks of files."""

    def accept(self, value: object) -> Any:
        """Return the value in the option's type, or raise BadOption saying what was expected."""
        if value is None and self.default is None:
            return None
        if isinstance(value, str):
            value = self._read(value)
        wanted: tuple[type, ...] = (int, float) if self.type is float else (self.type,)
        if not isinstance(value, wanted) or (isinstance(value, bool) and self.type is not bool):
            raise BadOption(f"{self.name}: expected {_TYPES[self.type]}, found {show_value(value)}")
        if self.choices and value not in self.choices:
            raise unknown_name(self.name, value, self.choices)
        if isinstance(value, int | float):
            if value != value or value in (float("inf"), float("-inf")):
                raise BadOption(f"{self.name}: expected a number that can be counted with, found {show_value(value)}")
            if self.minimum is not None and value < self.minimum:
                raise BadOption(f"{self.name}: expected at least {self.minimum:.15g}, found {show_value(value)}")
            if self.maximum is not None and value > self.maximum:
                raise BadOption(f"{self.name}: expected at most {self.maximum:.15g}, found {show_value(value)}")
        return value

    def _read(self, text: str) -> object:
        """Return a text as the option's type, or the text itself if it is none; the caller then refuses it."""
        if self.type is bool:
            return {"true": True, "false": False}.get(text.lower(), text)
        try:
            return self.type(text)
        except ValueError:
            return text


def resolve_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in defaults and check each given value; an unknown name raises BadOption."""
    if not given:
        return {option.name: option.default for option in options}
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise unknown_name("option", name, known or ["none"])
    return {name: option.accept(given.get(name, option.default)) for name, option in known.items()}
