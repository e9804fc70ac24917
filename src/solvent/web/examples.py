"""The bundled instances and a description of each domain, made once: a page asks for them all the time."""

from __future__ import annotations

import functools

from solvent.core.domain import (
    Domain,
    Explaining,
    Exporting,
    Generating,
    Grading,
    Hinting,
    Option,
    Profiling,
    Ruled,
    hint_options,
)
from solvent.core.errors import show_value
from solvent.core.examples import Example
from solvent.core.workbench import Playing, workbench_folder
from solvent.registry import all_domains
from solvent.web import schemas
from solvent.web.errors import Refusal


@functools.cache
def bundled_examples() -> dict[tuple[str, str], Example]:
    """Return every bundled instance, by domain and name."""
    return {(domain.name, example.name): example for domain in all_domains() for example in domain.examples()}


def find_example(domain: str, name: str) -> Example:
    """Return a bundled instance, or raise Refusal if there is none of that name."""
    try:
        return bundled_examples()[domain, name]
    except KeyError:
        raise Refusal("missing", f"there is no example {show_value(name)} of {show_value(domain)}") from None


def show_example(domain: str, example: Example, *, with_text: bool) -> schemas.ExampleShown:
    """Describe a bundled instance."""
    return schemas.from_record(schemas.ExampleShown, example, domain=domain, text=example.text if with_text else None)


@functools.cache
def show_domains() -> list[schemas.DomainShown]:
    """Describe every domain."""
    return [_show_domain(domain) for domain in all_domains()]


def _show_domain(domain: Domain) -> schemas.DomainShown:
    abilities = {
        "hint": isinstance(domain, Hinting),
        "explain": isinstance(domain, Explaining),
        "generate": isinstance(domain, Generating),
        "grade": isinstance(domain, Grading),
        "play": isinstance(domain, Playing),
        "rules": isinstance(domain, Ruled),
        "profile": isinstance(domain, Profiling),
    }
    return schemas.DomainShown(
        name=domain.name,
        title=domain.title,
        questions=dict(domain.questions),
        formats=dict(domain.formats),
        views=dict(getattr(domain, "views", {})),
        exports=dict(domain.exports) if isinstance(domain, Exporting) else {},
        can=[name for name, able in abilities.items() if able],  # type: ignore[misc]  # the literals above
        solve_options=[_show_option(option) for option in domain.solve_options],
        hint_options=[_show_option(option) for option in hint_options(domain)] if isinstance(domain, Hinting) else [],
        generate_options=[_show_option(option) for option in getattr(domain, "generate_options", ())],
        rule_options=[_show_option(option) for option in getattr(domain, "rule_options", ())],
        generate_source=getattr(domain, "generate_source", None),
        workbench=workbench_folder(domain) is not None,
    )


def _show_option(option: Option) -> schemas.OptionShown:
    return schemas.from_record(schemas.OptionShown, option, type=option.type.__name__)
