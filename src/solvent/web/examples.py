"""The bundled instances and a description of each domain, made once: a page asks for them all the time."""

from __future__ import annotations

import functools
from typing import Any

from solvent.core.domain import EDITOR, Domain, Option, Template, workbench_folder
from solvent.core.errors import show_value
from solvent.core.examples import Example
from solvent.registry import all_domains, get_domain
from solvent.web import schemas
from solvent.web.errors import Refusal
from solvent.web.second_checker import second_checkers
from solvent.wishes.parsing import readable_kinds


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


def find_template(domain: str, name: str) -> Template:
    """Return what an instance can be begun from, or raise Refusal if there is nothing of that name."""
    page = get_domain(domain).page if any(domain == each.name for each in all_domains()) else None
    for template in () if page is None else page.templates():
        if template.name == name:
            return template
    raise Refusal("missing", f"there is no template {show_value(name)} of {show_value(domain)}")


def show_templates(domain: str) -> list[schemas.TemplateShown]:
    """Return what to begin an instance of a domain from."""
    page = get_domain(domain).page
    return [] if page is None else [schemas.from_record(schemas.TemplateShown, each) for each in page.templates()]


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
        "edit": domain.page is not None and domain.page.edit is not None,
        "steps": domain.page is not None and domain.page.proof_steps is not None,
        "part": domain.page is not None and domain.page.part is not None,
        "rules": domain.rules is not None,
        "profile": domain.profile is not None,
        "open": domain.page is not None and domain.page.open_bytes is not None,
    }
    return schemas.DomainShown(
        name=domain.name,
        title=domain.title,
        questions={name: question.text for name, question in domain.questions.items()},
        passing={name: question.passing_verdict for name, question in domain.questions.items()},
        asked_on_save=list(domain.asked_on_save) or [domain.first_question],
        formats=dict(domain.formats),
        views=dict(domain.views),
        exports={} if domain.exports is None else dict(domain.exports.kinds),
        can=[name for name, able in abilities.items() if able],  # type: ignore[misc]  # the literals above
        solve_options=[_show_option(option) for option in domain.solve_options],
        hint_options=list(map(_show_option, domain.options("hint"))),
        generate_options=[
            _show_option(one) for one in domain.options("generate") if not (one.of_files or one.about_file)
        ],
        rule_options=list(map(_show_option, domain.options("rule"))),
        generate_source=None if generator is None else generator.source,
        wishes=_wishes(domain),
        daily=[] if generator is None else [dict(options) for options in generator.daily],
        workbench=domain.page is not None,
        editor=domain.page is not None and (workbench_folder(domain.page) / EDITOR).is_file(),
        second_checker=domain.name in second_checkers(),
    )


def _wishes(domain: Domain[Any]) -> list[str]:
    """Return the questions of other domains that read what this one makes."""
    if domain.generator is None:
        return []
    judges = [judge for judge in all_domains() if judge is not domain and readable_kinds(domain, judge)]
    return [f"{judge.name}:{question}" for judge in judges for question in judge.questions]


def _show_option(option: Option) -> schemas.OptionShown:
    return schemas.from_record(
        schemas.OptionShown, option, type=option.type.__name__, help=option.page_help or option.help
    )
