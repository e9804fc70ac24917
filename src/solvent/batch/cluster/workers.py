"""Who is on a cluster, and who may take part: only a worker whose Solvent is the same as here.

An answer is kept under the version of the solver that gave it, so one from another version would be kept under a wrong
name. The versions of a worker are compared with ours; one that differs is refused, with both in the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from solvent.drawing.phrases import plural

MAX_NAMED = 5
"""How many workers a notice names before it only counts the others."""


@dataclass(frozen=True, slots=True)
class Report:
    """Hold what a worker reported about itself, or why it could not."""

    versions: Mapping[str, str] | None
    """The version of each domain's solver there; None if it could not tell."""
    problem: str = ""
    """Why it could not tell."""


class ClusterWorkers:
    """Keep who is there, what each reported, and what is asked of all."""

    def __init__(self, required: Mapping[str, str]) -> None:
        self._required = dict(required)
        self._threads: dict[str, int] = {}
        self._reports: dict[str, Report] = {}
        self._refused: dict[str, str] = {}
        """Who may not take part, and why. Kept, not worked out each time: it is asked for with every job."""
        self._names: dict[str, str] = {}
        self._told: set[str] = set()
        self.width = 0
        """How many instances those who may take part can work on at once."""

    def update(self, threads: Mapping[str, int]) -> list[str]:
        """Take over who is there now, by address with its number of threads; return who left since the last time."""
        gone = [address for address in self._threads if address not in threads]
        left = [self.name(address) for address in gone]
        for address in gone:
            for known in (self._reports, self._refused, self._names):
                known.pop(address, None)
            self._told.discard(address)
        self._threads = dict(threads)
        self._count()
        return left

    def note(self, address: str, report: Report) -> None:
        """Keep what a worker reported; one that has left meanwhile is forgotten."""
        if address in self._threads:
            self._reports[address] = report
            self._judge(address)
            self._count()

    def require(self, versions: Mapping[str, str]) -> bool:
        """Ask these versions of everybody from now on; return whether that is anything new."""
        new = {domain: version for domain, version in versions.items() if self._required.get(domain) != version}
        if new:
            self._required.update(new)
            for address in self._reports:
                self._judge(address)
            self._count()
        return bool(new)

    def call(self, address: str, name: str) -> None:
        """Keep what people call a worker."""
        if address in self._threads:
            self._names[address] = name

    @property
    def unheard(self) -> list[str]:
        """Return those who have not reported yet."""
        return [address for address in self._threads if address not in self._reports]

    @property
    def good(self) -> list[str]:
        """Return those who may take part."""
        return [address for address in self._reports if address not in self._refused]

    @property
    def refused(self) -> list[str]:
        """Return those who may not."""
        return list(self._refused)

    @property
    def nameless(self) -> list[str]:
        """Return those whose names are not known yet."""
        return [address for address in self._threads if address not in self._names]

    def is_anyone_here(self, addresses: Iterable[str]) -> bool:
        """Tell whether one of these has not left."""
        return any(address in self._threads for address in addresses)

    def name(self, address: str) -> str:
        """Return what to call a worker in a message."""
        name = self._names.get(address, address)
        return address if name == address else f"{name} ({address})"

    def objections(self) -> list[str]:
        """Say why workers are refused, those that were not spoken of before."""
        by_reason: dict[str, list[str]] = {}
        for address, reason in self._refused.items():
            if address not in self._told:
                by_reason.setdefault(reason, []).append(self.name(address))
        self._told.update(self._refused)
        return [f"{describe(names)} refused: {reason}" for reason, names in by_reason.items()]

    def _judge(self, address: str) -> None:
        report = self._reports[address]
        self._refused.pop(address, None)
        reason = report.problem if report.versions is None else difference(self._required, report.versions)
        if reason is not None:
            self._refused[address] = reason

    def _count(self) -> None:
        self.width = sum(self._threads[address] for address in self.good)


def difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str | None:
    """Say how the solvers of a worker differ from ours; None if they do not."""
    missing = [domain for domain in ours if domain not in theirs]
    if missing:
        return f"it has no domain {', '.join(missing)}, which is installed here"
    other = [domain for domain in ours if theirs[domain] != ours[domain]]
    if not other:
        return None
    where = "" if len(other) == len(ours) else f" for {', '.join(other)}"
    return f"it has Solvent {theirs[other[0]]}, here it is {ours[other[0]]}{where}"


def describe(names: Sequence[str]) -> str:
    """Write workers in a row, the first few of many."""
    more = len(names) - MAX_NAMED
    listed = ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{plural(len(names), 'worker')} {listed}"
