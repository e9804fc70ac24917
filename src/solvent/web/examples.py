"""The bundled instances and a description of each domain, made once: a page asks for them all the time."""

from __future__ import annotations

import functools
from typing import Any

from solvent.core.domain import Domain, Option
from solvent.core.errors import show_value
from solvent.core.examples import Example
from solvent.registry import all_domains
from solvent.web import schemas
from solvent.web.errors import Refusal
from solvent.web.second_checker import second_checkers


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


def _show_domain(domain: Domain[Any]) -> schemas.DomainShown:
    generator = domain.generator
    abilities = {
        "hint": domain.hints is not None,
        "explain": domain.explain is not None,
        "generate": generator is not None,
        "grade": domain.hints is not None and domain.hints.grade is not None,
        "play": domain.page is not None,
        "rules": domain.rules is not None,
        "profile": domain.profile is not None,
    }
    return schemas.DomainShown(
        name=domain.name,
        title=domain.title,
        questions={name: question.text for name, question in domain.questions.items()},
        formats=dict(domain.formats),
        views=dict(domain.views),
        exports={} if domain.exports is None else dict(domain.exports.kinds),
        can=[name for name, able in abilities.items() if able],  # type: ignore[misc]  # the literals above
        solve_options=[_show_option(option) for option in domain.solve_options],
        hint_options=list(map(_show_option, domain.options("hint"))),
        generate_options=list(map(_show_option, domain.options("generate"))),
        rule_options=list(map(_show_option, domain.options("rule"))),
        generate_source=None if generator is None else generator.source,
        workbench=domain.page is not None,
        second_checker=domain.name in second_checkers(),
    )


def _show_option(option: Option) -> schemas.OptionShown:
    return schemas.from_record(schemas.OptionShown, option, type=option.type.__name__)
