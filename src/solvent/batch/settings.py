"""What a run asks and what each question may cost; and the key under which an answer is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, unknown_name
from solvent.core.memory import machine_megabytes
from solvent.registry import all_domains

if TYPE_CHECKING:
    from solvent.batch.progress import Progress
    from solvent.wishes.parsing import Wish

Again = Literal["none", "unknown", "all"]
"""Which answers that the store has are asked for again."""
AGAIN: tuple[Again, ...] = get_args(Again)

DEFAULT_SECONDS = 60.0
"""So that a run ends, whatever is in the folder."""
KILL_AFTER_WITHOUT_SECONDS = 600.0
"""The hard limit where only nodes are limited."""
SHARE_OF_MEMORY = 0.8
"""How much of the machine all workers together may hold."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold what one question may cost: softly, so that the solver says UNKNOWN, and hard, so that its worker dies."""

    seconds: float | None = DEFAULT_SECONDS
    nodes: int | None = None
    megabytes: float | None = None
    kill_after: float | None = None
    """Seconds after which the worker is ended; None for twice the soft limit and ten seconds."""
    kill_above: float | None = None
    """Megabytes the worker may grow by; None for its share of most of the machine's memory."""

    def __post_init__(self) -> None:
        self.budget()  # refuses what makes no sense
        for name, limit in (("kill after", self.kill_after), ("kill above", self.kill_above)):
            if limit is not None and not limit > 0:
                raise BadOption(f"{name}: expected a number above 0, found {limit!r}")

    def budget(self) -> Budget:
        """Return the soft limits."""
        return Budget(seconds=self.seconds, nodes=self.nodes, megabytes=self.megabytes)

    def hard_seconds(self) -> float:
        """Return after how many seconds a worker that still runs is ended."""
        if self.kill_after is not None:
            return self.kill_after
        return KILL_AFTER_WITHOUT_SECONDS if self.seconds is None else 2 * self.seconds + 10

    def hard_megabytes(self, workers: int) -> float:
        """Return by how much one of so many workers on a machine may grow before it is ended."""
        if self.kill_above is not None:
            return self.kill_above
        return SHARE_OF_MEMORY * machine_megabytes() / max(1, workers)


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold everything that decides what the answers of a run are, apart from the instances."""

    questions: tuple[str, ...] = ()
    """Names of questions; each is asked where the domain has it. Empty for the first question of each domain."""
    limits: Limits = field(default_factory=Limits)
    proof: bool = True
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Solve options by domain, as they were given; what is not given is the default."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Rules to play by instead of those an instance says, where its domain has rules to choose from."""
    rules_by_domain: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The same for one domain each, as a configuration says them; `rules` go first."""
    wishes: Sequence[Wish] = ()
    """What levels of one domain must be; see `made_levels`."""

    def questions_for(self, domain: Domain[Any]) -> tuple[str, ...]:
        """Return what to ask about instances of a domain; nothing if it has none of the questions named."""
        wished = [wish.question for wish in self.wishes if wish.domain == domain.name]
        if not self.questions and not wished:
            return () if self.wishes else (next(iter(domain.questions)),)
        named = (question for question in self.questions if question in domain.questions)
        return tuple(dict.fromkeys((*wished, *named)))

    def options_for(self, domain: str) -> Mapping[str, Any]:
        """Return the solve options given for a domain."""
        return self.options.get(domain, {})

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON values, to be kept with the run."""
        by_domain = {name: dict(rules) for name, rules in self.rules_by_domain.items() if rules}
        return {
            "questions": list(self.questions),
            **asdict(self.limits),
            "proof": self.proof,
            "options": {name: dict(options) for name, options in self.options.items()},
            "rules": dict(self.rules),
            **({"rules_by_domain": by_domain} if by_domain else {}),
            **({"wishes": [str(wish) for wish in self.wishes]} if self.wishes else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Hold how a run is done, which changes none of its answers."""

    store: str | os.PathLike[str] | None = None
    """Where answers are kept, and looked for first; None for a store that is gone after the run."""
    jobs: int | None = None
    """How many workers; None for one a core."""
    cluster: str | None = None
    """The address of a Dask scheduler whose workers solve; None for processes on this machine."""
    again: Again = "none"
    token: str = ""
    """Stands for the same command: a run with it that did not finish is continued."""
    command: str = ""
    """What the store notes as the command."""
    total: int | None = None
    """How many sources there are, if that is known."""
    listen: Callable[[Progress], None] | None = None
    """Called with the progress about ten times a second."""
    notice: Callable[[str], None] | None = None
    """Called with what a pool reports, in plain lines."""
    strict: bool = False
    """Whether `solvent.validate` raises ValidationFailed at its end if not everything passed."""

    def __post_init__(self) -> None:
        if self.again not in AGAIN:
            raise unknown_name("again", self.again, AGAIN)


def instance_hash(domain: str, text: str) -> str:
    """Return what an instance is known by: a hash of its domain and its text in the first format."""
    return hashlib.sha256(f"{domain}\n{text}".encode()).hexdigest()


def answer_key(settings: Settings, *, instance: str, domain: str, question: str, solver: str) -> str:
    """Return what an answer is known by: the same question to the same solver need not be solved again.

    The hard limits are not in it: they decide only when to give up on a solver that does not keep to the soft ones.
    """
    return key_maker(settings, domain=domain, question=question, solver=solver)(instance)


def key_maker(settings: Settings, *, domain: str, question: str, solver: str) -> Callable[[str], str]:
    """Return what gives the `answer_key` of each instance: all but its hash is the same for many of them."""
    import msgspec

    limits = settings.limits
    facts = [
        question,
        solver,
        None if limits.seconds is None else float(limits.seconds),  # 5 and 5.0 are the same limit
        limits.nodes,
        None if limits.megabytes is None else float(limits.megabytes),
        settings.proof,
        sorted(settings.options_for(domain).items()),
    ]
    rest = b"," + msgspec.json.encode(facts)[1:]
    return lambda instance: hashlib.sha256(b"[" + msgspec.json.encode(instance) + rest).hexdigest()


def resolve_questions(ask: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the questions named, `all` standing for every one; a name that no domain knows raises BadOption."""
    if ask is None:
        return ()
    names = [name.strip() for name in ask.split(",")] if isinstance(ask, str) else list(ask)
    known = list(dict.fromkeys(question for domain in all_domains() for question in domain.questions))
    if "all" in names:
        return tuple(known)
    for name in names:
        if name not in known:
            raise unknown_name("question", name, [*known, "all"])
    return tuple(dict.fromkeys(names))


def resolve_options(
    given: Mapping[str, Any], *, kind: Literal["solve", "rule"] = "solve", domains: Sequence[Domain[Any]] | None = None
) -> dict[str, dict[str, Any]]:
    """Return options by domain: each goes to every domain that has it and takes the value, or raise BadOption."""
    known = [
        (domain, option)
        for domain in (all_domains() if domains is None else domains)
        for option in domain.options(kind)
    ]
    resolved: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        having = [(domain, option) for domain, option in known if option.name == name]
        if not having:
            names = dict.fromkeys(option.name for _, option in known) or ["none"]
            raise unknown_name("rule" if kind == "rule" else "option", name, names)
        refusals = []
        for domain, option in having:
            try:
                resolved.setdefault(domain.name, {})[name] = option.accept(value)
            except BadOption as error:  # two domains may have an option of that name with values of their own
                refusals.append(error)
        if len(refusals) == len(having):
            raise refusals[0]
    return resolved
