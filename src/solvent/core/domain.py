"""What a domain is: one typed description, `Domain`, with a slot for everything a puzzle or game brings to Solvent.

The first slots are required. The others are empty by default, and the command and the page then say that the domain
has no such thing. A slot with several parts is a small record of its own: `Hints`, `Generator`, `Exports` and so on.
Nothing outside a domain's folder names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from msgspec import Struct

from solvent.core.answer import Answer, Certificate, Finding, Verdict
from solvent.core.budget import Budget, Meter
from solvent.core.events import Listener, ignore
from solvent.core.judging import Judge, Remaking, Terrain
from solvent.core.options import Option as Option

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from solvent.core.examples import Example
    from solvent.core.explanation import Explanation
    from solvent.core.hints import Grade, Hint
    from solvent.core.location import Location
    from solvent.core.outside_proof import OutsideProof
    from solvent.core.pruning import InvalidityTest
    from solvent.core.trial import AuditScope, Trial

OptionKind = Literal["solve", "hint", "generate", "rule", "audit"]
WORKBENCH = "workbench"
ENTRY_POINT = "workbench.js"
"""What the browser imports when an instance of the domain is opened; the page knows no domain by name."""
EDITOR = "editor.js"
"""Beside it, where a domain has one: what the browser imports when an instance is edited."""
SECOND_CHECKER = "second_checker.js"
"""Beside it, where a domain has one: a checker of certificates in JavaScript, not made from the one in Python."""
P = TypeVar("P")
"""The class of a domain's instances: immutable data with the name of its `domain`; `repr` pastes back, `str` draws."""


class Question(Struct, frozen=True):
    """Describe a question that a domain answers."""

    text: str
    """What it asks, in one sentence."""
    passing_verdict: Verdict = Verdict.YES
    """What the designer of an instance hopes for: PASS. The opposite is FAIL."""
    verdicts_without_proof: tuple[Verdict, ...] = (Verdict.NO,)
    """The verdicts that `proof=False` may leave without a certificate: those that rest on an exhaustive search."""


class Request(Struct, frozen=True):
    """Hold one question to a solver."""

    question: str
    budget: Budget = Budget()
    proof: bool = True
    """False lets a solver skip a certificate that costs a search of its own; see `Question.verdicts_without_proof`."""
    options: Mapping[str, Any] = {}
    """Resolved values of the domain's `solve_options`."""
    listen: Listener = ignore
    path: bool = False
    """True asks hints for every step to the end, each with all it proves, instead of the smallest next step."""
    tests: tuple[InvalidityTest[Any], ...] = ()
    """Invalidity tests of the user, for the search to prune with; each has been on trial. See `Audit.joins_search`."""
    watch: bool = False
    """True asks for events of the kind WATCH: what the search looks at, a few times a second."""


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
    colour: bool = False
    """Colour the text for a terminal; SVG is always in colour."""
    bare: bool = False
    """Leave out headings and keys: a picture in a list, or one with words beside it, has no room for more."""
    brief: bool = False
    """Keep a text short: an answer or a hint follows. A board that takes many lines may be summed up instead."""

    @classmethod
    def of_hint(cls, hint: Hint) -> Drawing:
        """Draw what a hint points at, or its move if it points at nothing."""
        highlights = hint.data.get("highlights")
        return cls(highlights=highlights) if highlights else cls(move=hint.move)


class Rules(Struct, Generic[P], frozen=True, kw_only=True):
    """Let instances be played by other rules than those they name."""

    options: Sequence[Option]
    apply: Callable[[P, Mapping[str, Any]], P]
    """Return the instance under other rules; those that are not given, or None, stay as they are."""


class Hints(Struct, Generic[P], frozen=True, kw_only=True):
    """Help a player along."""

    find: Callable[[P, Request], Iterator[Hint]]
    """Yield the next steps from here, or the one hint that says why there is none."""
    options: Sequence[Option] = ()
    after: Callable[[P, Certificate], P] | None = None
    """Return the instance once the step of an accepted certificate is taken; itself if that is not a step.

    Where it is given, each hint that is a step has a certificate, about the instance as it stands at that step. It
    shares no code with `find`.
    """
    grade: Callable[[Sequence[Hint]], Grade | None] | None = None
    """Grade an instance by all hints from its start; None if they do not reach the end."""
    claims: Mapping[str, str] = {}
    """What the certificate of a hint may state beside the answers to the questions, by name."""


class MadeFile(Struct, frozen=True):
    """Hold one of several files that a generator makes."""

    name: str
    """Its name in the folder that they are written to."""
    data: bytes


class Generator(Struct, Generic[P], frozen=True, kw_only=True):
    """Make new instances."""

    make: Callable[[Mapping[str, Any], int, Listener, Meter], P]
    """Make an instance from options and a seed, or raise GenerationFailed; the same on any machine.

    The meter ends the work, by LimitReached, and never changes what is made.
    """
    options: Sequence[Option]
    promises: Callable[[Mapping[str, Any]], Mapping[str, Verdict]] = lambda _options: {}
    """Return what holds of everything made with these options, by question; it is proved before it is handed out."""
    attempts: Callable[[Mapping[str, Any]], str | None] = lambda _options: None
    """Return one more question whose answer must be YES but is not promised; any other answer means: none found."""
    source: str | None = None
    """The option that says what to make an instance from, which the command takes as an argument."""
    files: Callable[[Mapping[str, Any], int, Listener, Meter], Iterator[MadeFile] | None] | None = None
    """Make something too large for one instance, file by file, where the options ask for that; None where they do not.

    Each file holds what a checker accepted. Raises GenerationFailed if there is nothing of the kind.
    """
    remaking: Remaking[P] | None = None
    """How to make an instance again without what somebody rules out; where there is none, the next seed is tried."""
    terrain: Terrain[P] | None = None
    """How to dress the ground of levels that other domains make."""
    book: Callable[[Sequence[tuple[P, Sequence[Answer]]], str], bytes] | None = None
    """Lay out instances, each with the answers that were proved of it, as a PDF to print on a4 or letter paper."""
    daily: Sequence[Mapping[str, Any]] = ()
    """Options for a puzzle of the day, from Monday's, the easiest, to Sunday's; empty if there is none of the kind."""


class SolutionFiles(Struct, Generic[P], frozen=True, kw_only=True):
    """Read and write solutions as text, the way players write them down."""

    read: Callable[[P, str], Certificate]
    """Read a solution, or raise ParseError. The certificate is a claim until `check` has accepted it."""
    write: Callable[[P, Certificate], str]
    """Write the plan of a YES so that `read` gives it back; raises BadOption if there is none in it."""


class Exports(Struct, Generic[P], frozen=True, kw_only=True):
    """Write what an answer holds as files for other programs."""

    kinds: Mapping[str, str]
    """Each kind of file by the ending of its name, without the dot, and what it holds."""
    write: Callable[[P, Answer, str], bytes]
    """Write what a YES holds as a file of this kind, or raise BadOption saying why it cannot be one."""
    needs: Mapping[str, Mapping[str, Any]] = {}
    """For the ending of a file, the solve options without which an answer lacks what stands in it."""


class MappingRow(Struct, frozen=True, kw_only=True):
    """Hold one name of a mapping, for a table to choose its meaning in."""

    key: tuple[str, ...]
    """Where it stands in the mapping, such as `classes`, `Door`, `is`."""
    where: str
    """What kind of name it is, in words: `class of objects`."""
    meaning: str
    choices: Sequence[str] = ()
    """What it may mean; empty where anything can be written."""
    note: str = ""
    """How often it was met, and samples."""
    undecided: bool = False


class MappingDraft(Struct, frozen=True):
    """Hold a mapping as it should stand in its file: every name found, those that are still undecided on top."""

    text: str
    names: int
    """How many names it has."""
    undecided: Sequence[str]
    """Those that somebody has to decide, in words."""
    added: int = 0
    """How many were not in the mapping before."""
    rows: Sequence[MappingRow] = ()
    """Its names, the undecided ones first."""
    missing: Sequence[str] = ()
    """What the instance needs and no name stands for yet, such as `start`."""
    levels: Sequence[str] = ()
    """The levels of a file that has several."""


class Mappings(Struct, Generic[P], frozen=True, kw_only=True):
    """Read files of other programs by a mapping, a small file that says what a project's own names mean."""

    file_name: str
    """What a mapping is called that lies beside a file and is used without being named."""
    read: Callable[[str, Path | None, Path], P]
    """Read an instance from a text and its path by the mapping in another file, or raise ParseError."""
    can_map: Callable[[str], bool]
    """Tell cheaply whether a text is in a format whose names a mapping can say. Must not raise."""
    draft: Callable[[Sequence[tuple[str, Path | None]], str, str], MappingDraft]
    """Write a mapping from the names in some texts; keeps what a mapping, given as text and name, says already."""
    decide: Callable[[str, Sequence[tuple[Sequence[str], str]], Sequence[Mapping[str, Any]]], str] | None = None
    """Return the text of a mapping with other meanings, by key, and with things put on tiles; or raise BadOption."""


class Audit(Struct, Generic[P], frozen=True, kw_only=True):
    """Put invalidity tests to an exhaustive trial."""

    tests: Callable[[], Mapping[str, InvalidityTest[P]]]
    """Return the domain's tests by name, sound or not."""
    run: Callable[[Trial[P], Mapping[str, Any]], Iterator[AuditScope]]
    """Run a test on every solvable instance within small bounds, scope by scope."""
    options: Sequence[Option] = ()
    joins_search: bool = False
    """Whether `solve` prunes with the tests of a request. No verdict may rest on them: a NO needs a certificate, or a
    search that did without them."""


class Template(Struct, frozen=True, kw_only=True):
    """Hold an instance to begin a drawing from: small, plain, and of no interest by itself."""

    name: str
    title: str
    """A few words, such as `6×6, 1 star`."""
    text: str
    svg: str = ""
    """A picture of it where its text cannot say what it looks like, such as a board with nothing on it yet."""


class ProofStep(Struct, frozen=True, kw_only=True):
    """Hold one step of a proof."""

    text: str
    """What it says and why, in one or two sentences."""
    marks: Mapping[str, Any] = {}
    """What it uses and what follows, and where, as JSON values for the domain's own page."""


class Entry(Struct, frozen=True, kw_only=True):
    """Hold what a list of instances says of one of them."""

    name: str
    """What to choose it by."""
    about: str
    """What it is, in a few words."""
    needs: Sequence[str] = ()
    """The files without which it cannot be read, by name."""


class Entries(Struct, Generic[P], frozen=True, kw_only=True):
    """Read files that list several instances, each with files of its own."""

    find: Callable[[str], Sequence[Entry]]
    """Return what a text lists; nothing where it is no list. Raises ParseError for a list that cannot be read."""
    read: Callable[[str, Path, str], P]
    """Read the instance with this name from a text and its path, looking beside it; raises ParseError."""


class Page(Struct, Generic[P], frozen=True, kw_only=True):
    """Show instances piece by piece in the browser, and play them there."""

    package: str
    """The package with the folder `workbench`, whose `workbench.js` the browser loads."""
    data: Callable[[P], Mapping[str, Any]]
    """Return what stands where, as JSON values, for the browser to draw."""
    play: Callable[[P, Mapping[str, Any]], P]
    """Return the instance after something a player does, or raise BadOption in a player's words.

    What is allowed is decided here, by the rules of the domain, never in the browser.
    """
    edit: Callable[[P, Mapping[str, Any]], P] | None = None
    """Return the instance after something its designer does to it, or raise BadOption in a designer's words."""
    templates: Callable[[], Sequence[Template]] = tuple
    """Return what to begin a new instance from, the plainest first."""
    marks: Callable[[P, Certificate], Mapping[str, Any]] | None = None
    """Return what an accepted certificate is about and where, beyond what the certificate itself names."""
    proof_steps: Callable[[P, Certificate, Meter], Iterator[ProofStep]] | None = None
    """Take an accepted certificate apart into steps that can be looked at one by one.

    Raises BadOption, saying why, where there is nothing to step through. It shares no code with `solve`.
    """
    part: Callable[[P, Mapping[str, Any], Meter], Mapping[str, Any]] | None = None
    """Return a part of what an instance goes on to without end, as JSON values, or raise BadOption.

    The action says which part. Whatever is returned was accepted by the domain's checker.
    """
    open_bytes: Callable[[str, bytes], P] | None = None
    """Read a file that is not text, such as a picture, by its name and what is in it; raises ParseError."""
    entries: Entries[P] | None = None
    """How to open one of several instances that a file lists."""
    shows_solutions: bool = False
    """Whether the gallery shows examples solved."""


def workbench_folder(page: Page[Any]) -> Path:
    """Return the folder that a domain's page is served from."""
    import importlib.util
    from pathlib import Path

    package = importlib.util.find_spec(page.package)
    for place in (package.submodule_search_locations or ()) if package is not None else ():
        if (Path(place) / WORKBENCH / ENTRY_POINT).is_file():
            return Path(place) / WORKBENCH
    raise FileNotFoundError(f"{page.package} has no {WORKBENCH}/{ENTRY_POINT}")


class ReportColumns(Struct, frozen=True):
    """Say which figures of a domain a table of many answers shows. Names are those of an answer's stats."""

    unit: str = ""
    """What the size of an instance counts, such as `cells`; empty if instances have no size."""
    expanded: Sequence[str] = ("expanded", "nodes")
    """What the search counts as its work: the first of these that an answer has."""
    length: Sequence[str] = ("plan_length",)
    """How long the solution is: the first of these that an answer has."""
    diagnostics: Sequence[str] = ()
    """Further counts worth a column, most telling first."""


def first_count(stats: Mapping[str, Any], names: Sequence[str]) -> int | None:
    """Return the first of these counts that there is."""
    for name in names:
        value = stats.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


class Domain(Struct, Generic[P], frozen=True, kw_only=True, eq=False):
    """Describe a puzzle or game. What the slots name is imported when it is called, not before."""

    name: str
    """One lower-case word; the folder has the same name."""
    title: str
    """One line for people."""
    questions: Mapping[str, Question]
    """By name. The first is the default."""
    formats: Mapping[str, str]
    """Each text format's name and a description. The first is what `format` writes by default."""
    sniff: Callable[[str], bool]
    """Tell cheaply whether a text looks like an instance of this domain. Must not raise."""
    parse: Callable[[str], P]
    """Read an instance in any of the formats, or raise ParseError. What it accepts never crashes later."""
    format: Callable[[P, str], str]
    """Write an instance in a format so that `parse` gives an equal one back.

    The first format holds every instance. Another one may raise BadOption, saying what it cannot hold.
    """
    solve: Callable[[P, Request], Finding]
    """Search for an answer. The finding is a claim until `check` has accepted its certificate."""
    check: Callable[[P, Certificate, Meter], list[str]]
    """Return every violation found in the certificate's body; an empty list accepts it.

    Shares no code with `solve`. The certificate's question, verdict and form say what it claims. The meter says when
    to give up: a loop whose length the instance or the certificate decides has a `meter.checkpoint()` in it.
    """
    draw_svg: Callable[[P, Drawing], str]
    """Draw the instance as a self-contained SVG picture."""
    draw_text: Callable[[P, Drawing], str]
    """Draw the instance for a terminal, at most 80 columns wide where its size allows."""
    examples: Callable[[], Sequence[Example]]
    """Return the bundled instances."""

    solve_options: Sequence[Option] = ()
    parse_file: Callable[[str, str | os.PathLike[str]], P] | None = None
    """Read an instance like `parse`, looking beside the file for what the text alone does not say."""
    addresses: Sequence[str] = ()
    """The sites whose addresses hold a whole instance that `parse` reads: hosts, with a folder where one is needed."""
    near_miss: Callable[[str], str] | None = None
    """Say what would make a text that no domain recognises one of this; an empty text where it is nothing like it."""
    mappings: Mappings[P] | None = None
    rules: Rules[P] | None = None
    remarks: Callable[[P], Sequence[str]] = lambda _problem: ()
    """Return what reading the instance had to assume, one sentence each."""
    remarks_matter: bool = False
    """Whether the command writes remarks out without being asked for them."""
    describe: Callable[[P, Certificate], Sequence[str]] | None = None
    """Return lines for people about what an accepted certificate holds."""
    locate: Callable[[P, Answer], Sequence[Location]] = lambda _problem, _answer: ()
    """Return where in the instance's file stands what an answer is about, the most telling place first.

    Of a level that can be lost, that is where the player loses; of one that cannot be finished, what stays closed.
    """
    asked_on_save: Sequence[str] = ()
    """The questions that a level editor asks each time an instance is saved; the first question where none is named."""
    explain: Callable[[P, Request], Explanation] | None = None
    """Explain an instance as a whole: what leads to what, what is wrong, what would help."""
    profile: Callable[[P, Answer], Mapping[str, str]] | None = None
    """Return files that show where a search spent its effort, by the ending of their names, such as `heat.svg`.

    The `solve_options` have a `profile`, which makes the search keep count.
    """
    views: Mapping[str, str] = {}
    """The pictures there are, where there are several; the first is the default."""
    hints: Hints[P] | None = None
    generator: Generator[P] | None = None
    solutions: SolutionFiles[P] | None = None
    exports: Exports[P] | None = None
    outside_proofs: Callable[[P, Certificate, Meter], Iterator[OutsideProof]] | None = None
    """Yield what an accepted certificate holds for checkers that others wrote: formulas with proofs, plans, statements.

    Raises BadOption, saying why, before the first if there is nothing. It shares no code with `solve`: the formula is
    the one that `check` builds.
    """
    judge: Judge[P] | None = None
    """How to judge levels that generators of other domains write as files."""
    audit: Audit[P] | None = None
    page: Page[P] | None = None
    size: Callable[[P], int] | None = None
    """Return how large an instance is, in the unit of `report_columns`."""
    report_columns: ReportColumns = ReportColumns()
    """What to compare between many answers."""

    @property
    def first_question(self) -> str:
        """Return the question that is asked where none is named."""
        return next(iter(self.questions))

    def options(self, kind: OptionKind) -> Sequence[Option]:
        """Return the options of one kind; none where the domain has no such part."""
        if kind == "solve":
            return self.solve_options
        part = {"hint": self.hints, "generate": self.generator, "rule": self.rules, "audit": self.audit}[kind]
        return () if part is None else part.options
