"""Which domains there are: the built-in ones and those that installed packages add.

A package adds one with an entry point in the group `solvent.domains`, whose value is a module with a `DOMAIN`.
"""

from __future__ import annotations

import copyreg
import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any

from solvent.core.domain import Domain
from solvent.core.errors import NotRecognised, unknown_name
from solvent.core.file_kinds import end_of_text, is_cut_short

BUILTIN_DOMAINS = ("dungeon", "harmony", "starbattle", "valency")
ENTRY_POINT_GROUP = "solvent.domains"

POLL_SECONDS = 1.0

_loaded: dict[str, Domain[Any]] = {}
"""Built-in domains that were asked for before."""
_looked: tuple[float, object, dict[str, str]] | None = None
"""When and where installed packages were last looked through, and what they add."""


def domain_names() -> list[str]:
    """Return the name of every domain, built-in ones first."""
    return [*BUILTIN_DOMAINS, *(name for name in _added_modules() if name not in BUILTIN_DOMAINS)]


def get_domain(name: str) -> Domain[Any]:
    """Return the domain with this name, or raise BadOption listing the ones there are."""
    if name in _loaded:
        return _loaded[name]
    domain: Domain[Any] = importlib.import_module(module_of_domain(name)).DOMAIN
    if name in BUILTIN_DOMAINS:  # what others add may be another the next time
        _loaded[name] = domain
    return domain


def module_of_domain(name: str) -> str:
    """Return the module that describes the domain with this name, or raise BadOption listing the ones there are."""
    if name in BUILTIN_DOMAINS:
        return f"solvent.{name}"
    added = _added_modules()
    if name not in added:
        raise unknown_name("domain", name, domain_names())
    return added[name]


copyreg.pickle(Domain, lambda domain: (get_domain, (domain.name,)))  # what travels between processes is its name


def all_domains() -> Iterator[Domain[Any]]:
    """Yield every domain."""
    for name in BUILTIN_DOMAINS:
        yield get_domain(name)
    for name in _added_modules():  # looked for only when it comes to that
        if name not in BUILTIN_DOMAINS:
            yield get_domain(name)


def domain_of(problem: Any) -> Domain[Any]:
    """Return the domain a problem belongs to."""
    name = getattr(type(problem), "domain", None)
    if not isinstance(name, str):
        raise TypeError(f"expected a problem that solvent.load returned, found {type(problem).__name__}")
    return get_domain(name)


def detect(text: str) -> Domain[Any]:
    """Return the first domain that recognises the text, or raise NotRecognised."""
    for domain in all_domains():
        if domain.sniff(text):
            return domain
    if is_cut_short(text):
        line, column = end_of_text(text)
        raise NotRecognised("JSON that is whole, but the file ends too early", line=line, column=column)
    advice = [said for domain in all_domains() if domain.near_miss is not None and (said := domain.near_miss(text))]
    shown = f" ({'; '.join(advice)})" if advice else ""
    raise NotRecognised(f"an instance of one of: {', '.join(domain_names())}{shown}", text[:40])


def _added_modules() -> dict[str, str]:
    """Return the modules that installed packages add, by domain name.

    Looking takes milliseconds, so a reader of thousands of files looks once a second; what is installed meanwhile is
    found a moment later.
    """
    global _looked
    from importlib import metadata  # slow to import, and only needed here

    now = time.monotonic()
    place = (tuple(sys.path), metadata.entry_points)
    if _looked is None or _looked[1] != place or now - _looked[0] > POLL_SECONDS:
        found = {point.name: point.value for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}
        _looked = (now, place, found)
    return _looked[2]
