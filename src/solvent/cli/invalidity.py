"""Find the invalidity test a user names: a domain's own by its name, or the user's as MODULE:OBJECT."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solvent.core.domain import Audit, Domain
from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.core.pruning import InvalidityTest


@dataclass(frozen=True)
class FunctionTest:
    """Use a plain function as an invalidity test."""

    name: str
    reason: str
    function: Callable[[Any], Any]

    def is_invalid(self, state: Any, /) -> bool:
        """Ask the function."""
        return bool(self.function(state))


def find_test(name: str, domain_name: str | None) -> tuple[Domain[Any], Audit[Any], InvalidityTest[Any]]:
    """Return the test and the domain to try it in, or raise BadOption saying which there are."""
    domains = _auditing_domains(domain_name)
    if ":" in name:
        test = load_test(name)
        if len(domains) > 1:
            raise BadOption(f"whose instances is {name} for? Say --as DOMAIN, one of: {', '.join(domains)}")
        return (*next(iter(domains.values())), test)
    found = [(*each, tests[name]) for each in domains.values() if name in (tests := each[1].tests())]
    if not found:
        known = [test for _, audit in domains.values() for test in audit.tests()]
        raise unknown_name("invalidity test", name, known)
    if len(found) > 1:
        raise BadOption(f"several domains have a test {name!r}; say --as DOMAIN, one of: {', '.join(domains)}")
    return found[0]


def _auditing_domains(domain_name: str | None) -> dict[str, tuple[Domain[Any], Audit[Any]]]:
    from solvent.registry import all_domains, get_domain

    if domain_name is not None:
        domain = get_domain(domain_name)
        if domain.audit is None:
            raise BadOption(f"{domain_name} has no invalidity tests to audit")
        return {domain_name: (domain, domain.audit)}
    found = {domain.name: (domain, domain.audit) for domain in all_domains() if domain.audit is not None}
    if not found:
        raise BadOption("no domain has invalidity tests to audit")
    return found


def load_test(place: str) -> InvalidityTest[Any]:
    """Import MODULE:OBJECT, from the current folder too, as an invalidity test; what its own code raises passes."""
    module_name, _, object_name = place.partition(":")
    if not module_name or not object_name:
        raise BadOption(f"expected MODULE:OBJECT, found {show_value(place)}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise  # something the user's module imports
        raise BadOption(f"no module named {error.name!r}, here or installed") from None
    for part in object_name.split("."):
        if not hasattr(found, part):
            raise BadOption(f"{module_name} has no {object_name!r}")
        found = getattr(found, part)
    return _as_test(found, place)


def _as_test(found: Any, place: str) -> InvalidityTest[Any]:
    if inspect.isclass(found):
        found = found()
    if callable(getattr(found, "is_invalid", None)):
        missing = [key for key in ("name", "reason") if not isinstance(getattr(found, key, None), str)]
        if missing:
            raise BadOption(f"{place}: expected an invalidity test with the text {' and '.join(missing)}")
        test: InvalidityTest[Any] = found
        return test
    if callable(found):
        reason = inspect.getdoc(found) or "no reason given; its docstring would stand here"
        return FunctionTest(getattr(found, "__name__", place), reason, found)
    raise BadOption(f"{place}: expected a function or an object with is_invalid(state), found {show_value(found)}")
