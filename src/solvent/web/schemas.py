"""What requests and replies hold: the library's own records as JSON, with what a page needs beside.

Each class is one JSON object, and the description of the API is made from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from solvent.core.answer import Verdict
from solvent.core.examples import ExampleGrade
from solvent.core.hints import Grade
from solvent.core.location import Location

Text = Annotated[str, Meta(description="An instance as text, in any format of its domain that one text can hold.")]
Seconds = Annotated[float, Meta(ge=0, description="Wall-clock seconds; the server has an upper limit of its own.")]
Nodes = Annotated[int, Meta(ge=0, description="Units of search work, which do not depend on the machine.")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Scalar = bool | int | float | str | None
Certificate = dict[str, Any]


Reply = TypeVar("Reply", bound=Struct)


def from_record(kind: type[Reply], record: object, /, **more: Any) -> Reply:
    """Return a reply with the fields that a record of the library has too; `more` are the others."""
    shared = {name: getattr(record, name) for name in kind.__struct_fields__ if name not in more}
    return kind(**shared, **more)


class Request(Struct, forbid_unknown_fields=True, kw_only=True):
    """What all requests have in common: nothing but that unknown fields are refused."""


class Instance(Request, kw_only=True):
    """An instance: every request about one holds it whole, since the server keeps nothing."""

    text: Text
    domain: str | None = None
    """Which domain it is of; detected from the text if it is left out."""
    rules: dict[str, Scalar] = {}
    """Rules to play by instead of the instance's own, where its domain has rules to choose from."""
    name: Annotated[str, Meta(max_length=200)] = ""
    """What to call the file in the commands that are shown; nothing is ever opened by this name."""


Files = Annotated[
    dict[Annotated[str, Meta(max_length=200)], str],
    Meta(max_length=64, description="Other files that the text names, such as tile sets, by name, as texts."),
]


class Load(Instance, kw_only=True):
    """Read an instance."""

    mapping: str | None = None
    """The text of a mapping that says what a project's own names mean."""
    files: Files = {}


class Decision(Request, kw_only=True):
    """What one name of a mapping means."""

    key: list[str]
    """Where it stands in the mapping."""
    meaning: Annotated[str, Meta(max_length=200)]


class PlacedHere(Request, kw_only=True):
    """A thing that the project has no object for, put on a tile."""

    thing: Literal["start", "goal"]
    row: Annotated[int, Meta(ge=0, le=100_000)]
    column: Annotated[int, Meta(ge=0, le=100_000)]
    level: Annotated[str, Meta(max_length=200)] | None = None


class MapNames(Instance, kw_only=True):
    """Draft a mapping for a map of a level editor, or change one."""

    mapping: str = ""
    """The text of the mapping so far."""
    files: Files = {}
    decisions: list[Decision] = []
    places: list[PlacedHere] = []


class Open(Request, kw_only=True):
    """Open a file of any kind: a text in one of the formats, or something else that a domain can read."""

    name: Annotated[str, Meta(max_length=200)] = ""
    """What the file is called; nothing is ever opened by this name."""
    data: bytes
    """What is in it, in Base64."""
    domain: str | None = None
    """Which domain it is of; detected if it is left out."""
    files: Annotated[
        dict[Annotated[str, Meta(max_length=200)], bytes],
        Meta(max_length=200, description="Other files that it names, such as pictures, by name, in Base64."),
    ] = {}
    entry: Annotated[str, Meta(max_length=200)] | None = None
    """Which instance of a file that lists several."""


class FindEntries(Request, kw_only=True):
    """Find out what a file lists."""

    text: Text
    domain: str | None = None
    """Which domain it is of; detected if it is left out."""


class Play(Instance, kw_only=True):
    """Do something in an instance, as its domain's own page does."""

    action: dict[str, Any]


class Edit(Instance, kw_only=True):
    """Change an instance, as the editor of its domain does."""

    action: dict[str, Any]


class Search(Instance, kw_only=True):
    """What requests have in common that may take long."""

    seconds: Seconds | None = None
    nodes: Nodes | None = None
    options: dict[str, Scalar] = {}


class Ask(Search, kw_only=True):
    """Answer a question."""

    question: str | None = None
    """The domain's first question if it is left out."""
    proof: bool = True
    """False may leave out the certificate of what rests on an exhaustive search."""
    watch: bool = False
    """Send what the search looks at as events named `watch`, where the domain shows that."""


class Check(Instance, kw_only=True):
    """Verify a certificate."""

    certificate: Certificate


class Steps(Search, kw_only=True):
    """Take a certificate apart into steps."""

    certificate: Certificate
    count: Annotated[int, Meta(ge=1, le=10_000)] = 2000
    """How many steps at most."""


class Part(Search, kw_only=True):
    """Make a part of what an instance goes on to without end."""

    action: dict[str, Any]


class Hints(Search, kw_only=True):
    """Help a player along."""

    path: bool = False
    """True for larger steps, all the way to the end."""
    count: Annotated[int, Meta(ge=1, le=2000)] = 1
    """How many steps at most."""


class Explain(Search, kw_only=True):
    """Say what leads to what, what is wrong, and what would fix it."""


class Generate(Request, kw_only=True):
    """Make a new instance."""

    domain: str
    seed: Seed = 0
    seconds: Seconds | None = None
    options: dict[str, Scalar] = {}
    """An option that could name a file takes only the names of the domain's examples here."""
    require: list[str] = []
    """Questions that must be answered YES, as `domain:question`; what comes back is then the level as that domain
    reads it."""
    forbid: list[str] = []
    """The same for NO."""


class Draw(Instance, kw_only=True):
    """Draw an instance, with what it is given."""

    certificate: Certificate | None = None
    """Draw the solution it holds as well, if the checker accepts it."""
    move: str | None = None
    highlights: dict[str, Any] | None = None
    """What a hint points at, as its data has it."""
    view: str | None = None


class Format(Instance, kw_only=True):
    """Write an instance in another format."""

    format: str | None = None


class Export(Instance, kw_only=True):
    """Write what a YES holds as a file for another program."""

    certificate: Certificate
    stats: dict[str, Any] = {}
    """The stats of the answer that had this certificate; some files show more with them."""
    ending: str


class SendStore(Request, kw_only=True):
    """Show a store of results that is not on the server's machine, or was not named when it was started."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    data: bytes
    """The file, in base64."""


STATUS = {
    "request": 400,
    "token": 401,
    "forbidden": 403,
    "missing": 404,
    "method": 405,
    "too_slow": 408,
    "too_large": 413,
    "instance": 422,
    "option": 422,
    "generation": 422,
    "certificate": 422,
    "store": 422,
    "limit": 422,
    "killed": 422,
    "stopped": 499,
    "bug": 500,
    "busy": 503,
}
"""The status of each kind of failure. 499 is never seen: the client that stopped the work has gone."""


class Where(Struct, kw_only=True, omit_defaults=True):
    """Where in a text something is not as expected."""

    line: int | None = None
    column: int | None = None
    path: str | None = None
    """The JSON path."""


class Failure(Struct, kw_only=True):
    """Why there is no reply of the kind that was asked for."""

    kind: Annotated[str, Meta(extra_json_schema={"enum": list(STATUS)})]
    message: str
    """For people: what was expected, what there was, and where."""
    where: Where | None = None
    value: str | None = None
    """What stood there."""


class Failed(Struct, kw_only=True):
    """A reply that is a failure."""

    error: Failure


class Loaded(Struct, kw_only=True):
    """An instance that was read."""

    domain: str
    text: str
    """The same instance in the domain's first format, which holds everything."""
    rules: dict[str, Scalar] = {}
    """The rules that were asked for; the text does not need them any more."""
    remarks: list[str] = []
    """What reading it had to assume."""
    size: int | None = None
    unit: str = ""
    page: dict[str, Any] | None = None
    """What stands where, for a page to draw; null where a domain has only pictures."""


class Answered(Struct, kw_only=True):
    """An answer, as `solvent solve --json` prints it, with what people see of it."""

    domain: str
    question: str
    verdict: Literal["YES", "NO", "UNKNOWN"]
    status: Literal["PASS", "FAIL", "UNKNOWN"]
    """PASS for the verdict that designers hope for, FAIL for the opposite."""
    certified: bool
    """Whether a checker accepted the certificate."""
    reason: str | None
    certificate: Certificate | None
    stats: dict[str, Any]
    seconds: float
    remarks: list[str] = []
    """What reading the instance had to assume."""
    locations: list[Location] = []
    """Where in its text stands what a FAIL is about, the most telling place first."""
    line: str
    """The answer in one line."""
    description: list[str] = []
    """What the certificate holds, in words."""
    files: dict[str, str] = {}
    """Further files about the search, by the ending of their names, where they were asked for."""
    marks: dict[str, Any] = {}
    """What the answer is about and where, for the domain's own page."""
    command: str
    """The same by command."""
    python: str
    """The same in Python."""


class StoreTaken(Struct, kw_only=True):
    """A store that was taken: `/api/runs` lists it from now on."""

    id: str


class Checked(Struct, kw_only=True):
    """What the checker says of a certificate."""

    accepted: bool
    violations: list[str]


class MappedName(Struct, kw_only=True):
    """One name of a mapping."""

    key: list[str]
    where: str
    """What kind of name it is."""
    meaning: str
    choices: list[str]
    """What it may mean; empty where anything can be written."""
    note: str
    """How often it was met, and samples."""
    undecided: bool


class EntryShown(Struct, kw_only=True):
    """One of several instances that a file lists."""

    name: str
    """What `open` calls its `entry`."""
    about: str
    needs: list[str]
    """The files that have to come with it, by name."""


class EntriesGiven(Struct, kw_only=True):
    """What a file lists."""

    entries: list[EntryShown]
    """Nothing for a file that is no list."""


class Mapped(Struct, kw_only=True):
    """A mapping for a map, as text and as a table."""

    text: str
    file_name: str
    """What a mapping is called that lies beside a map and is used without being named."""
    names: list[MappedName] = []
    missing: list[str] = []
    """What no name stands for yet: `start`, `goal`, `walls`."""
    levels: list[str] = []
    problem: str | None = None
    """Why the map cannot be opened by this mapping yet."""
    needs: list[str] = []
    """Files that the map names and that were not sent with it."""


class StepShown(Struct, kw_only=True):
    """One step of a proof."""

    text: str
    marks: Mapping[str, Any]
    """What it uses and what follows, for the domain's own page."""


class StepsGiven(Struct, kw_only=True):
    """A proof, step by step."""

    steps: list[StepShown]
    complete: bool
    """Whether these are all there are."""


class PartGiven(Struct, kw_only=True):
    """A part of what an instance goes on to without end."""

    part: dict[str, Any]


class Hinted(Struct, kw_only=True):
    """One step, or the reason why there is none."""

    caption: str
    move: str | None
    narrative: str
    where: str
    technique: str
    proof: str
    lost: bool
    reason: str | None
    certificate: Certificate | None
    data: dict[str, Any]
    after: str | None
    """The instance once this step is taken, as text; null where there is no step."""


class HintsGiven(Struct, kw_only=True):
    """Some steps."""

    hints: list[Hinted]
    grade: Grade | None
    """With a path that reaches the end, where the domain grades; null otherwise."""
    grade_line: str
    """The same in one line; empty without a grade."""
    command: str
    python: str


class Section(Struct, kw_only=True):
    """A heading with its lines."""

    heading: str
    lines: list[str]


class Explained(Struct, kw_only=True):
    """An explanation."""

    sections: list[Section]
    data: dict[str, Any]
    certificates: int
    """On how many accepted certificates it rests."""
    marks: dict[str, Any] = {}
    """As with answers: what it is about and where, for the domain's own page."""
    svg: str | None
    command: str
    python: str


class Generated(Loaded, kw_only=True):
    """An instance that was made, with what was proved of it."""

    answers: list[Answered]
    command: str
    python: str
    tried: int = 1
    """How many levels were looked at until every wish held."""
    excluded: int = 0
    """How many causes of failure were ruled out on the way."""


class Drawn(Struct, kw_only=True):
    """A picture."""

    svg: str
    dark: dict[str, str] = {}
    """What each of its colours becomes on a dark ground."""


class Formatted(Struct, kw_only=True):
    """An instance in a format."""

    text: str
    format: str


class OptionShown(Struct, kw_only=True):
    """One setting of a solver, a generator or the like."""

    name: str
    default: Scalar
    help: str
    type: Literal["int", "float", "str", "bool"]
    minimum: float | None
    maximum: float | None
    choices: list[str]
    opens_file: bool
    """Whether a command would take the name of a file here; requests may not, but for names of what is bundled."""


class DomainShown(Struct, kw_only=True):
    """A domain: what it is asked, what it can do and with which options."""

    name: str
    title: str
    questions: dict[str, str]
    passing: dict[str, Verdict]
    """The verdict that designers hope for, by question."""
    asked_on_save: list[str]
    """The questions that an editor asks after each change."""
    formats: dict[str, str]
    views: dict[str, str]
    exports: dict[str, str]
    can: list[
        Literal["hint", "explain", "generate", "grade", "play", "edit", "steps", "part", "rules", "profile", "open"]
    ]
    solve_options: list[OptionShown]
    hint_options: list[OptionShown]
    generate_options: list[OptionShown]
    rule_options: list[OptionShown]
    generate_source: str | None
    wishes: list[str]
    """What may be required of a level that it makes, or forbidden, as `domain:question`."""
    daily: list[dict[str, Scalar]]
    """Options of the puzzle of the day, from Monday's to Sunday's; empty where there is none."""
    workbench: bool
    """Whether the domain has a page of its own."""
    editor: bool
    """Whether the page can edit its instances."""
    second_checker: bool
    """Whether the page can check its certificates by itself."""


class SampleShown(Struct, kw_only=True):
    """A bundled instance as a file in some format."""

    format: str
    text: str


class PictureWanted(Struct, kw_only=True, forbid_unknown_fields=True):
    """How a picture is wanted."""

    dark: bool = False
    """Painted for a dark ground."""


class TemplateShown(Struct, kw_only=True):
    """An instance to begin a drawing from."""

    name: str
    title: str
    text: str


class ExampleShown(Struct, kw_only=True):
    """A bundled instance."""

    domain: str
    name: str
    title: str
    expected: Mapping[str, Verdict]
    grade: ExampleGrade | None = None
    """How hard it is for a person, where that is known."""
    text: str | None = None
    """Left out where several are listed."""


class About(Struct, kw_only=True):
    """What this server is and allows."""

    version: str
    domains: list[DomainShown]
    seconds: float
    most_seconds: float
    body_bytes: int
    files: bool
    """Whether there are files of the user's own to open."""
    runs: bool
    """Whether there are stores to look at."""


class Progress(Struct, kw_only=True):
    """How a piece of work gets on."""

    kind: Literal["waiting", "stage", "progress"]
    message: str
    nodes: int = 0
