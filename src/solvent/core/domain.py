"""What a domain is: the protocol that plugs a puzzle or game into Solvent.

A domain is one object with the methods of `Domain`. The parts `Hinting`, `StepByStep`, `Grading`, `Generating`,
`Auditing`, `SolutionFiles`, `Exporting`, `FileReading`, `Ruled`, `Remarking`, `Telling`, `Explaining` and `Profiling`
are optional: a domain leaves out what it does not have, and the command says so. Nothing outside a domain's folder
names it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from solvent.core.answer import Answer, Certificate, Finding, Verdict
from solvent.core.budget import Budget
from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.core.events import Listener, ignore

if TYPE_CHECKING:
    import os

    from solvent.core.audit import AuditScope as AuditScope
    from solvent.core.examples import Example as Example
    from solvent.core.explanation import Explanation as Explanation
    from solvent.core.hints import Grade as Grade
    from solvent.core.hints import Hint as Hint
    from solvent.core.pruning import InvalidityTest

_HOMES = {
    "AuditScope": "audit",
    "Example": "examples",
    "Explanation": "explanation",
    "Grade": "hints",
    "Hint": "hints",
}
"""Classes that can be imported from here as well; solving needs none of them, so they are made when they are named."""

if not TYPE_CHECKING:  # a type checker that saw this would believe in any name

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(f"solvent.core.{_HOMES[name]}"), name)


class Problem(Protocol):
    """One instance of a domain: immutable data whose `repr` pastes back and whose `str` draws it."""

    domain: ClassVar[str]
    """The name of the domain it belongs to."""


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
    """Whether its value may be the name of a file, which whoever takes requests from others must not pass on."""

    def accept(self, value: object) -> Any:
        """Return the value in the option's type, or raise BadOption saying what was expected."""
        if value is None and self.default is None:
            return None
        if isinstance(value, str):
            value = self._read(value)
        wanted: tuple[type, ...] = (int, float) if self.type is float else (self.type,)
        if not isinstance(value, wanted) or (isinstance(value, bool) and self.type is not bool):
            raise BadOption(f"{self.name}: expected {_in_words(self.type)}, found {show_value(value)}")
        if self.choices and value not in self.choices:
            raise unknown_name(self.name, value, self.choices)
        if isinstance(value, int | float):
            if value != value or value in (float("inf"), float("-inf")):
                raise BadOption(f"{self.name}: expected a number that can be counted with, found {show_value(value)}")
            if self.minimum is not None and value < self.minimum:
                raise BadOption(f"{self.name}: expected at least {self.minimum:g}, found {show_value(value)}")
            if self.maximum is not None and value > self.maximum:
                raise BadOption(f"{self.name}: expected at most {self.maximum:g}, found {show_value(value)}")
        return value

    def _read(self, text: str) -> object:
        """Return a text as the option's type, or the text itself if it is none; the caller then refuses it."""
        if self.type is bool:
            return {"true": True, "false": False}.get(text.lower(), text)
        try:
            return self.type(text)
        except ValueError:
            return text


def _in_words(kind: type) -> str:
    return {int: "a whole number", float: "a number", str: "text", bool: "true or false"}[kind]


def resolve_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in defaults and check each given value; an unknown name raises BadOption."""
    if not given:
        return {option.name: option.default for option in options}
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise unknown_name("option", name, known or ["none"])
    return {name: option.accept(given.get(name, option.default)) for name, option in known.items()}


@dataclass(frozen=True, slots=True)
class Request:
    """Hold one question to a solver."""

    question: str
    budget: Budget = field(default_factory=Budget)
    proof: bool = True
    """False lets a solver skip a certificate that costs a search of its own; see `verdicts_without_proof`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Settled values of the domain's `solve_options`."""
    listen: Listener = ignore
    path: bool = False
    """True asks hints for every step to the end, each with all it proves, instead of the smallest next step."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Hold what to draw beside the instance itself."""

    certificate: Certificate | None = None
    """Draw the solution it holds as well."""
    move: str | None = None
    """Mark one move, in the notation of the domain."""
    highlights: Mapping[str, Any] | None = None
    """What a hint points at: the `highlights` of its data."""
    view: str | None = None
    """Which picture, where the domain has a table `views` of several; None for the first."""
    bare: bool = False
    """Leave out headings and keys: a small picture in a list has no room for words."""

    @classmethod
    def of_hint(cls, hint: Hint) -> Drawing:
        """Draw what a hint points at, or its move if it points at nothing."""
        highlights = hint.data.get("highlights")
        return cls(highlights=highlights) if highlights else cls(move=hint.move)


@runtime_checkable
class Domain(Protocol):
    """Plug a puzzle or game into Solvent. Implementations import heavy things only inside these methods."""

    name: str
    """One lower-case word; the folder has the same name."""
    title: str
    """One line for people."""
    questions: Mapping[str, str]
    """Each question's name and what it asks. The first is the default."""
    formats: Mapping[str, str]
    """Each text format's name and a description. The first is what `format` writes by default."""
    solve_options: Sequence[Option]

    def sniff(self, text: str) -> bool:
        """Tell cheaply whether the text looks like an instance of this domain. Must not raise."""

    def parse(self, text: str) -> Any:
        """Read an instance in any of the formats, or raise ParseError. What it accepts never crashes later."""

    def format(self, problem: Any, format: str) -> str:
        """Write an instance so that `parse` gives an equal one back.

        The first format holds every instance. Another one may raise BadOption, saying what it cannot hold.
        """

    def solve(self, problem: Any, request: Request) -> Finding:
        """Search for an answer. The finding is a claim until `check` has accepted its certificate."""

    def check(self, problem: Any, certificate: Certificate) -> list[str]:
        """Return every violation found in the certificate's body; an empty list accepts it.

        Shares no code with `solve`. The certificate's question, verdict and form say what it claims.
        """

    def draw_svg(self, problem: Any, drawing: Drawing) -> str:
        """Draw the instance as a self-contained SVG picture."""

    def draw_text(self, problem: Any, drawing: Drawing, *, colour: bool) -> str:
        """Draw the instance for a terminal, at most 80 columns wide where its size allows."""

    def examples(self) -> Sequence[Example]:
        """Return the bundled instances."""


@runtime_checkable
class FileReading(Protocol):
    """The part of a domain with formats that spread over several files."""

    def parse_file(self, text: str, path: str | os.PathLike[str]) -> Any:
        """Read an instance like `parse`, looking beside the file for what the text alone does not say."""


@runtime_checkable
class Ruled(Protocol):
    """The part of a domain whose instances say by which rules they are played, so that others can be tried."""

    rule_options: Sequence[Option]

    def with_rules(self, problem: Any, rules: Mapping[str, Any]) -> Any:
        """Return the instance under other rules; those that are not given, or None, stay as they are."""


@runtime_checkable
class Remarking(Protocol):
    """The part of a domain whose formats leave things open, so that reading has to assume them.

    A domain may also have `remarks_matter`: True makes the command say that there are some, even to those who did not
    ask for them.
    """

    def remarks(self, problem: Any) -> Sequence[str]:
        """Return what was assumed, one sentence each."""


@runtime_checkable
class Telling(Protocol):
    """The part of a domain that can say in words what a certificate holds."""

    def tell(self, problem: Any, certificate: Certificate) -> Sequence[str]:
        """Return lines for people about an accepted certificate."""


@runtime_checkable
class Explaining(Protocol):
    """The part of a domain that explains an instance as a whole: what leads to what, what is wrong, what would help."""

    def explain(self, problem: Any, request: Request) -> Explanation:
        """Explain an instance within the budget."""


@runtime_checkable
class Profiling(Protocol):
    """The part of a domain that can show where a search spent its effort.

    Its `solve_options` have a `profile`, which makes the search keep count.
    """

    def profile(self, problem: Any, answer: Answer) -> Mapping[str, str]:
        """Return files that show it, by the ending of their names, such as `heat.svg`."""


@runtime_checkable
class Hinting(Protocol):
    """The part of a domain that helps a player along.

    A domain may also have `hint_options`, where they differ from its `solve_options`, and `claims`: what the
    certificate of a hint may state beside the answers to the questions, by name.
    """

    def hints(self, problem: Any, request: Request) -> Iterator[Hint]:
        """Yield the next steps from here, or the one hint that says why there is none."""


@runtime_checkable
class StepByStep(Protocol):
    """The part of a domain whose hints have a certificate each, about the instance as it stands at that step."""

    def after(self, problem: Any, certificate: Certificate) -> Any:
        """Return the instance once the step of an accepted certificate is taken; itself if that is not a step.

        Shares no code with `hints`.
        """


@runtime_checkable
class Grading(Protocol):
    """The part of a domain that says how hard an instance is."""

    def grade(self, path: Sequence[Hint]) -> Grade | None:
        """Grade an instance by its path, all hints from its start; None if the path does not reach the end."""


def hint_options(domain: Domain) -> Sequence[Option]:
    """Return the options that hints of a domain take."""
    options: Sequence[Option] = getattr(domain, "hint_options", domain.solve_options)
    return options


def verdicts_without_proof(domain: Domain, question: str) -> Collection[Verdict]:
    """Return the verdicts that `proof=False` may leave without a certificate: those that rest on an exhaustive search.

    That is NO, unless the domain has a table `unproved` that says otherwise for the question.
    """
    table: Mapping[str, Collection[Verdict]] = getattr(domain, "unproved", {})
    return table.get(question, (Verdict.NO,))


@runtime_checkable
class Generating(Protocol):
    """The part of a domain that makes new instances.

    A domain may also have `generates`, the question to which every instance it makes has the answer YES, and a method
    `promises(options)` that returns the answers to further questions, which depend on what was wished for. Whoever asks
    for an instance then has all of that proved and checked before it is handed out.

    A method `attempts(options)` returns one more question, or None: what is handed out has the answer YES to that as
    well, but the generator does not promise it. Another answer means that nothing of the wished kind was found.

    `generate_source` names the option that says what to make an instance from, which a command takes as an argument.
    """

    generate_options: Sequence[Option]

    def generate(self, options: Mapping[str, Any], seed: int, *, listen: Listener = ignore) -> Any:
        """Make an instance, or raise GenerationFailed; the same options and seed give the same on any machine."""


@runtime_checkable
class SolutionFiles(Protocol):
    """The part of a domain that has solutions as text, the way players write them down."""

    def read_solution(self, problem: Any, text: str) -> Certificate:
        """Read a solution, or raise ParseError. The certificate is a claim until `check` has accepted it."""

    def write_solution(self, problem: Any, certificate: Certificate) -> str:
        """Write the plan of a YES so that `read_solution` gives it back; raises BadOption if there is none in it."""


@runtime_checkable
class Exporting(Protocol):
    """The part of a domain that writes what an answer holds as files for other programs.

    A domain may also have `export_needs`: for the ending of a file, the solve options without which an answer lacks
    what stands in it.
    """

    exports: Mapping[str, str]
    """Each kind of file by the ending of its name, without the dot, and what it holds."""

    def export(self, problem: Any, answer: Answer, ending: str) -> bytes:
        """Write what a YES holds as a file of this kind, or raise BadOption saying why it cannot be one."""


def export_needs(domain: Domain, ending: str) -> Mapping[str, Any]:
    """Return the solve options without which an answer lacks what a file of this kind holds."""
    table: Mapping[str, Mapping[str, Any]] = getattr(domain, "export_needs", {})
    return table.get(ending, {})


@runtime_checkable
class Auditing(Protocol):
    """The part of a domain that puts invalidity tests to an exhaustive trial."""

    def invalidity_tests(self) -> Mapping[str, InvalidityTest[Any]]:
        """Return the domain's tests by name, sound or not."""

    def audit(self, test: InvalidityTest[Any], options: Mapping[str, Any], listen: Listener) -> Iterator[AuditScope]:
        """Run the test on every solvable instance within small bounds, scope by scope."""

    audit_options: Sequence[Option]
