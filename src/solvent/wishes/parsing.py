"""Read wishes such as `dungeon:solvable`, and refuse those that can never hold before any work is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent import asking
from solvent.core.answer import Verdict
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, unknown_name
from solvent.core.options import resolve_options
from solvent.registry import domain_names, get_domain


class Wish(Struct, frozen=True):
    """Hold what a level must be: the answer that a question of a domain must have."""

    domain: str
    question: str
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.domain}:{self.question} {self.verdict}"


def read_wishes(require: str | Iterable[str] | None, forbid: str | Iterable[str] | None) -> list[Wish]:
    """Read what must hold and what must not, each written `domain:question`; raises BadOption for what cannot be."""
    wishes: dict[tuple[str, str], Wish] = {}
    for given, verdict in ((require, Verdict.YES), (forbid, Verdict.NO)):
        for text in [given] if isinstance(given, str) else given or ():
            wish = _read_wish(text, verdict)
            known = wishes.setdefault((wish.domain, wish.question), wish)
            if known.verdict is not verdict:
                raise BadOption(f"{text} cannot be both required and forbidden")
    domains = list(dict.fromkeys(wish.domain for wish in wishes.values()))
    if len(domains) > 1:
        raise BadOption(f"expected questions of one domain, found {' and '.join(domains)}: a level is read as one")
    return list(wishes.values())


def _read_wish(text: str, verdict: Verdict) -> Wish:
    name, colon, question = text.strip().partition(":")
    if not colon or not name or not question:
        raise BadOption(f"expected domain:question, such as {_sample()}, found {text!r}")
    if name not in domain_names():
        raise unknown_name("domain", name, domain_names())
    domain = get_domain(name)
    if question not in domain.questions:
        raise unknown_name(f"{name} question", question, domain.questions)
    return Wish(name, question, verdict)


def _sample() -> str:
    name = domain_names()[0]
    return f"{name}:{get_domain(name).first_question}"


def readable_kinds(source: Domain[object], judge: Domain[object]) -> list[str]:
    """Return the endings of files that one domain writes and the other reads; formats of its own come last."""
    kinds = () if source.exports is None or judge.judge is None else source.exports.kinds
    found = [kind for kind in kinds if judge.judge is not None and kind in judge.judge.reads]
    return [*found, *([""] if source.name == judge.name else [])]


def require_readable(source: Domain[object], wishes: Sequence[Wish], kind: str | None) -> str:
    """Return the kind of file to write, "" for an instance's own format; raises BadOption if no judge reads it."""
    judge = get_domain(wishes[0].domain)
    kinds = readable_kinds(source, judge)
    if not kinds:
        asked = f"{judge.name}:{wishes[0].question}"
        raise BadOption(f"{judge.name} reads no file that {source.name} writes, so {asked} cannot be asked of one")
    if kind is None:
        return kinds[0]
    if kind not in kinds:
        named = ", ".join(f".{each}" for each in kinds if each) or "its own formats"
        raise BadOption(f"{judge.name} cannot read .{kind} files that {source.name} writes; it reads {named}")
    return kind


def require_keepable(source: Domain[Any], wishes: Sequence[Wish], options: Mapping[str, Any], kind: str) -> None:
    """Raise BadOption where a generator with these options makes nothing that keeps the wishes, whatever the seed."""
    generator = source.generator
    if generator is None:
        raise BadOption(f"{source.name} has no generator")
    many = [option.name for option in generator.options if option.of_files and options.get(option.name) is not None]
    if many:
        name = many[0].replace("_", "-")
        raise BadOption(f"--{name} makes many files; --require, --forbid and --terrain make one level")
    expected = asking.expectations(generator, resolve_options(generator.options, options))
    if kind and not any(one.verdict is Verdict.YES for one in expected):
        raise BadOption(f"a .{kind} file shows an answer, and with these options nothing is asked")
    known = {one.question: one.verdict for one in expected}
    for wish in wishes:
        if wish.domain == source.name and known.get(wish.question, wish.verdict) is not wish.verdict:
            asked = f"{wish.domain}:{wish.question}"
            raise BadOption(
                f"{asked} is {known[wish.question]} in all that is made with these options, not {wish.verdict}"
            )
