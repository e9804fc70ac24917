"""Find the invalidity test a user names: a domain's own by its name, or the user's as MODULE:OBJECT."""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from solvent.core.domain import Audit, Domain
from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.core.pruning import InvalidityTest, as_test, describe_raised


def find_test(
    name: str, domain_name: str | None, folder: str | None = None
) -> tuple[Domain[Any], Audit[Any], InvalidityTest[Any]]:
    """Return the test and the domain to try it in, or raise BadOption saying which there are.

    MODULE:OBJECT is looked for among what is installed and then, if one is given, in a folder.
    """
    domains = _auditing_domains(domain_name)
    if ":" in name:
        test = load_test(name, folder)
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


def load_test(place: str, folder: str | None = None) -> InvalidityTest[Any]:
    """Import MODULE:OBJECT as an invalidity test, or raise BadOption, also for what its own code raises.

    A folder comes behind all else on the path, for the module and for what that imports: nothing in it takes the place
    of what is installed. Without one, the current folder is not looked in, since anything may lie there.
    """
    module_name, _, object_name = place.partition(":")
    if not module_name or not object_name:
        raise BadOption(f"expected MODULE:OBJECT, found {show_value(place)}")
    found: Any = _import(module_name, folder)
    for part in object_name.split("."):
        if not hasattr(found, part):
            raise BadOption(f"{module_name} has no {object_name!r}")
        found = getattr(found, part)
    return as_test(found, place)


def _import(name: str, folder: str | None) -> ModuleType:
    if folder is not None:
        folder = os.path.abspath(folder)
        if not os.path.isdir(folder):
            raise BadOption(f"--path: there is no folder {folder}")
        if folder not in sys.path:
            sys.path.append(folder)
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):  # something the user's module imports
            raise BadOption(f"{name} cannot be imported: {describe_raised(error)}") from error
        advice = ""
        if folder is None:
            here = " (there is one here: --path .)" if _place_of(name, os.getcwd()) else ""
            advice = f"; --path FOLDER says where else to look{here}"
        raise BadOption(f"no module named {error.name!r} is installed{advice}") from None
    except (Exception, SystemExit) as error:
        raise BadOption(f"{name} cannot be imported: {describe_raised(error)}") from error
    if folder is not None:
        own, used = _place_of(name, folder), _place_of(name, None)
        if own is not None and own != used:
            raise BadOption(f"{name} is that of {used}, which comes before {own}; give yours another name")
    return found


def _place_of(name: str, folder: str | None) -> str | None:
    """Return where a module, or the package it is in, would come from in a folder, or did; None if it is not there."""
    top = name.partition(".")[0]
    spec = sys.modules[top].__spec__ if folder is None else PathFinder.find_spec(top, [folder])
    if spec is None:
        return None
    return spec.origin or next(iter(spec.submodule_search_locations or ()), None)
