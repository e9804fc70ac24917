"""The exceptions of Solvent.

    Exception
    ├── ValueError
    │   └── SolventError                something the caller gave cannot be used
    │       ├── ParseError              text or JSON that does not follow its format (exit code 30)
    │       │   ├── NotRecognised       no domain knows this text (exit code 30)
    │       │   └── UndecidedNames      names that may decide the answer, and nothing says what they mean (exit code 30)
    │       ├── UnsoundTest             a user's invalidity test that fires on a solvable instance (exit code 30)
    │       ├── BrokenTest              a user's invalidity test that raises, or answers no question (exit code 30)
    │       ├── BadOption               an option, question, domain or format name that does not exist (exit code 2)
    │       ├── GenerationFailed        no instance of that kind was found (exit code 20)
    │       ├── ConfigurationError      a configuration file that cannot be used (exit code 30)
    │       ├── ValidationFailed        instances that did not pass, where all of them must
    │       ├── StoreError              a store of results that cannot be used (exit code 30)
    │       ├── ClusterError            a cluster that cannot be used (exit code 30)
    │       └── CertificateRejected     the checker does not accept the certificate (exit code 31)
    ├── LimitReached                    a hint or an explanation was cut short by a limit (exit code 20)
    │   └── NotChecked                  a check was: the certificate is neither accepted nor rejected (exit code 32)
    └── RuntimeError
        └── UnsoundAnswer               a solver's answer did not survive its own checker: a bug in Solvent

Each message says what was expected, shows the value, and says where it stood.
For a question, running out of time, nodes or memory is never an exception: it is the verdict UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvent.core.answer import Reason

LONGEST_SHOWN_VALUE = 60
MAX_ITEMS_SHOWN = LONGEST_SHOWN_VALUE // 3 + 1
"""An item takes three characters at least, so this many fill a line, and one more shows that there are more."""


class SolventError(ValueError):
    """Say that something the caller gave cannot be used."""


def show_value(value: object) -> str:
    """Quote a value for an error message, shortened so that one line stays one line."""
    try:
        shown = repr(_beginning(value))
    except ValueError:  # Python writes no numbers of thousands of digits
        shown = "a number of thousands of digits"
    if len(shown) > LONGEST_SHOWN_VALUE:
        shown = shown[: LONGEST_SHOWN_VALUE - 1] + "…"
    return shown


def _beginning(value: object, depth: int = 3) -> object:
    """Return as much of a value as can be shown: writing all of a huge one out would take long."""
    kind = type(value)
    if kind in (str, bytes):
        return value[:LONGEST_SHOWN_VALUE]  # type: ignore[index]
    if depth and kind in (list, tuple):
        return kind(_beginning(item, depth - 1) for item in value[:MAX_ITEMS_SHOWN])  # type: ignore[index]
    if depth and kind is dict:
        items = islice(value.items(), MAX_ITEMS_SHOWN)  # type: ignore[attr-defined]
        return {key: _beginning(item, depth - 1) for key, item in items}
    return value if depth else kind


_NOTHING = object()


class ParseError(SolventError):
    """Say that a text does not follow its format: what was expected, what stood there, and where."""

    def __init__(
        self,
        expected: str,
        value: object = _NOTHING,
        *,
        line: int | None = None,
        column: int | None = None,
        path: str | None = None,
        source: str | None = None,
    ) -> None:
        self.expected = expected
        self.value = None if value is _NOTHING else value
        self.line = line
        self.column = column
        self.path = path
        self.source = source
        self._found = "" if value is _NOTHING else f", found {show_value(value)}"
        super().__init__(expected, value, line, column, path, source)

    def __str__(self) -> str:
        place = [self.source] if self.source else []
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        if self.path is not None:
            place.append(f"at {self.path}")
        prefix = ", ".join(place) + ": " if place else ""
        return f"{prefix}expected {self.expected}{self._found}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error cross to another process with everything it says."""
        return type(self), (self.expected,), self.__dict__

    def in_source(self, source: str) -> ParseError:
        """Name the file the text came from, unless it is named already; returns the error itself."""
        if self.source is None:
            self.source = source
        return self


class UnsoundTest(SolventError):
    """Say that an invalidity test of a user fires on an instance that can be solved, and show it."""

    def __init__(self, name: str, scope: str, counterexample: str) -> None:
        self.name = name
        self.scope = scope
        """Among which instances it was found, in words."""
        self.counterexample = counterexample
        """The instance with its solution, ready to print."""
        super().__init__(name, scope, counterexample)

    @property
    def heading(self) -> str:
        """Return what is wrong, in one line."""
        return f"{self.name} is not sound, so the search does not use it: it fires on this solvable instance"

    def __str__(self) -> str:
        return f"{self.heading} ({self.scope}):\n\n{self.counterexample}"


class BrokenTest(SolventError):
    """Say that an invalidity test of a user raised something instead of answering, and show on which instance."""

    def __init__(self, name: str, problem: str, instance: str) -> None:
        self.name = name
        self.problem = problem
        """What went wrong, and where in the user's code."""
        self.instance = instance
        """The instance it was asked about, ready to print."""
        super().__init__(name, problem, instance)

    @property
    def heading(self) -> str:
        """Return what is wrong, in one line."""
        return f"{self.name} is broken: {self.problem}"

    def __str__(self) -> str:
        return f"{self.heading}. It was asked about:\n\n{self.instance}"


class NotRecognised(ParseError):
    """Say that no domain knows this text."""


class UndecidedNames(ParseError):
    """Say which names in a file may decide the answer while nothing says what they mean, all of them at once."""

    def __init__(self, names: Sequence[str], command: str, *, mapping: str = "", expected: str = "") -> None:
        self.is_text_alone = False
        """Whether the text came without its folder, in which a mapping may lie."""
        self.names = tuple(names)
        self.command = command
        """What to type to get a mapping, in which they can be decided."""
        self.mapping = mapping
        """The mapping that was read and does not have them; empty if there was none."""
        super().__init__(expected or "a meaning for each name that may decide the answer")

    @property
    def heading(self) -> str:
        """Return what is wrong, without the names."""
        return super().__str__()

    @property
    def advice(self) -> str:
        """Return what to do about it."""
        if self.mapping:
            return f"Decide in {self.mapping}; '{self.command}' adds what is new to it."
        advice = f"'{self.command}' writes a mapping in which you decide."
        if self.is_text_alone:
            advice += " This text came without its folder, so no mapping beside it was read: open the file from disk."
        return advice

    def __str__(self) -> str:
        return f"{self.heading}. Undecided: {'; '.join(self.names)}. {self.advice}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error cross to another process with everything it says."""
        return type(self), (self.names, self.command), self.__dict__


MAX_ALIKE, MAX_LISTED = 3, 12
"""How many names like a mistyped one are suggested, and how many there may be to list them all beside that."""


class BadOption(SolventError):
    """Say that an option, question, domain or format does not exist or is out of its range."""


def unknown_name(kind: str, value: object, known: Iterable[str]) -> BadOption:
    """Make the error for a name that is not in a list of known ones."""
    import difflib

    names = list(known)
    alike = difflib.get_close_matches(str(value), names, n=MAX_ALIKE, cutoff=0.7)
    meant = f"did you mean {' or '.join(map(repr, alike))}? " if alike else ""
    listed = f"there are: {', '.join(names)}" if not alike or len(names) <= MAX_LISTED else ""
    return BadOption(f"unknown {kind} {show_value(value)}; {meant}{listed}".rstrip())


class GenerationFailed(SolventError):
    """Say that a generator tried as often as it may and found nothing of the kind."""


class ConfigurationError(SolventError):
    """Say that a configuration file cannot be used: what is wrong, in which file, on which line."""

    def __init__(self, message: str, *, source: str = "", line: int | None = None) -> None:
        self.message = message
        self.source = source
        self.line = line
        super().__init__(message, source, line)

    def __str__(self) -> str:
        place = self.source + ("" if self.line is None else f", line {self.line}")
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error cross to another process with everything it says."""
        return type(self), (self.message,), self.__dict__


class ValidationFailed(SolventError):
    """Say that not all of many instances passed, where they must."""

    def __init__(self, message: str, failed: Sequence[str]) -> None:
        self.failed = tuple(failed)
        """What there was, in the words of `--fail-on`, such as `fail` or `unknown`."""
        super().__init__(message, self.failed)

    def __str__(self) -> str:
        return str(self.args[0])


class StoreError(SolventError):
    """Say that a store of results cannot be opened, read or written."""


class ClusterError(SolventError):
    """Say that a cluster cannot be reached, or has no worker that can do the work."""


class CertificateRejected(SolventError):
    """Say that the checker does not accept a certificate, with every violation it found."""

    def __init__(self, violations: Sequence[str]) -> None:
        self.violations = tuple(violations)
        super().__init__(*self.violations)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.violations,)

    def __str__(self) -> str:
        if len(self.violations) == 1:
            return f"certificate rejected: {self.violations[0]}"
        listed = "".join(f"\n  - {violation}" for violation in self.violations)
        return f"certificate rejected, {len(self.violations)} violations:{listed}"


class LimitReached(Exception):
    """Say that work had to stop for a limit or because it was cancelled. A question turns it into UNKNOWN.

    Nothing is wrong with what the caller gave, so it is no ValueError, which much code takes for a malformed part.
    """

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason)


class NotChecked(LimitReached):
    """Say that a check had to stop: the certificate is neither accepted nor rejected."""

    def __str__(self) -> str:
        return f"not checked: {self.reason}"


class UnsoundAnswer(RuntimeError):
    """Say that a solver claimed what its checker rejects. A bug in Solvent, never a verdict."""
