"""`solvent config`: what is in force, and where it comes from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from solvent.cli import exits
from solvent.cli.answers import empty_table
from solvent.cli.configured import (
    GIVEN,
    PATHS,
    configurable,
    configured_rules_by_domain,
    current_configuration,
    with_configured,
)
from solvent.cli.domain_options import resolve_for_any
from solvent.cli.output import say, say_json, show
from solvent.cli.parameters import json_option
from solvent.cli.validate import command as validate_command
from solvent.cli.validate.options import ValidateCommand
from solvent.core.path_patterns import matches_any

if TYPE_CHECKING:
    from solvent.configuration import Configuration
    from solvent.core.domain import Domain

COMMAND_LINE = "command line"
DEFAULT = "default"
_IN_BRACKETS = re.compile(r"\[([^\]]+)\]")
"""How a help text says what happens without an option."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Hold one thing that is in force, and where it comes from."""

    key: str
    value: Any
    origin: str
    """`command line`, `default`, or a file and line."""


@click.command(
    "config",
    cls=ValidateCommand,
    kind="solve",
    epilog="Exit codes: 0 done, 2 usage, 30 a configuration or FILE that cannot be used.",
)
@click.argument("file", metavar="[FILE]", required=False)
@json_option
@click.pass_context
def command(context: click.Context, /, file: str | None, as_json: bool, **given: Any) -> int:
    """Show what 'solvent validate' would go by here, and where each setting comes from.

    With FILE, show what applies to that file: its questions, its mapping, its rules. The options are those of validate,
    to see what a command line would change.
    """
    configuration = current_configuration()
    settings = [*_settings(context, configuration), *_domain_settings(configuration, given["domain"], given["rules"])]
    about = None if file is None else _about_file(file, given, configuration)
    if as_json:
        say_json(
            {
                "configuration": None if configuration is None else configuration.file,
                "settings": [asdict(setting) for setting in settings],
                **({} if about is None else {"file": file, "applies": [asdict(setting) for setting in about]}),
            }
        )
        return exits.DONE
    if configuration is None:
        say("Configuration: none. solvent.toml, or [tool.solvent] in pyproject.toml, would be one.")
    else:
        say(f"Configuration: {configuration.file}")
    say()
    if about is None:
        _say_settings([each for each in settings if each.origin != DEFAULT], "Set")
        _say_settings([each for each in settings if each.origin == DEFAULT], "Default")
    else:
        _say_settings(about, str(file))
    return exits.DONE


# Everything that may be configured can be given here as well, to see what it would change.
command.params += [
    parameter
    for parameter in validate_command.params
    if isinstance(parameter, click.Option) and not {"--json", "--watch"} & set(parameter.opts)
]


def _settings(context: click.Context, configuration: Configuration | None) -> Iterator[Setting]:
    for key, parameter in configurable().items():
        name = parameter.name or ""
        if isinstance(parameter, click.Argument):
            paths = None if configuration is None else (context.default_map or {}).get(name)
            origin = configuration.place_of(key) if configuration is not None and paths is not None else DEFAULT
            yield Setting(key, paths, origin)
            continue
        value = context.params.get(name) if parameter.expose_value else _unexposed(context, name)
        yield Setting(key, _plain(value), _origin(context, configuration, key, name))


def _unexposed(context: click.Context, name: str) -> Any:
    """Return the value of an option that is kept elsewhere."""
    given: Mapping[str, Any] = context.meta.get(GIVEN, {})
    return given.get(name, (context.default_map or {}).get(name))


def _origin(context: click.Context, configuration: Configuration | None, key: str, name: str) -> str:
    source = context.get_parameter_source(name)
    if source is click.core.ParameterSource.COMMANDLINE:
        return COMMAND_LINE
    if configuration is not None and source is click.core.ParameterSource.DEFAULT_MAP:
        return configuration.place_of(key)
    return DEFAULT


def _domain_settings(
    configuration: Configuration | None, domain: str | None, rules: Mapping[str, str]
) -> Iterator[Setting]:
    """Yield the options and rules of domains that are set."""
    from solvent.batch.settings import resolve_options
    from solvent.registry import get_domain

    given, _ = resolve_for_any(None if domain is None else get_domain(domain))
    on_command_line = resolve_options(given)
    for name, options in with_configured(on_command_line).items():
        for option, value in options.items():
            if option in on_command_line.get(name, {}):
                yield Setting(f"{name}.{option}", value, COMMAND_LINE)
            elif configuration is not None:
                yield Setting(f"{name}.{option}", value, configuration.place_of(name, option))
    for rule, value in rules.items():
        yield Setting(f"rule {rule}", value, COMMAND_LINE)
    if configuration is None:
        return
    for name, chosen in configured_rules_by_domain().items():
        for rule, value in chosen.items():
            if rule not in rules:
                yield Setting(f"{name}.rules.{rule}", value, configuration.place_of(name, "rules", rule))
    for pattern, mapping in configuration.mapping_patterns().items():
        yield Setting(f"mappings {pattern}", configuration.path(mapping), configuration.place_of("mappings", pattern))


def _about_file(file: str, given: Mapping[str, Any], configuration: Configuration | None) -> list[Setting]:
    """Return what applies to one file."""
    from solvent.batch.settings import Settings, resolve_questions
    from solvent.cli.input import read_bytes
    from solvent.core.errors import NotRecognised
    from solvent.reading import LARGEST_FILE_BYTES
    from solvent.registry import detect, get_domain

    text = read_bytes(file, most=LARGEST_FILE_BYTES).decode("utf-8-sig", errors="replace")
    origins = {setting.key: setting.origin for setting in _settings(click.get_current_context(), configuration)}
    facts = list(_places(file, given, configuration, origins))
    try:
        owner = detect(text) if given["domain"] is None else get_domain(given["domain"])
    except NotRecognised:
        return [*facts, Setting("domain", None, "no domain recognises it")]
    facts.append(Setting("domain", owner.name, "detected" if given["domain"] is None else COMMAND_LINE))
    asked = Settings(resolve_questions(",".join(given["asked"]) or None)).questions_for(owner)
    facts.append(Setting("ask", list(asked), origins["ask"]))
    mapping = _mapping(file, text, owner, configuration)
    if mapping is not None:
        facts.append(mapping)
    of_owner = f"{owner.name}."
    applicable = {option.name for option in owner.options("rule")}
    for setting in _domain_settings(configuration, owner.name, given["rules"]):
        if setting.key.startswith(of_owner):
            facts.append(Setting(setting.key.removeprefix(of_owner), setting.value, setting.origin))
        elif setting.key.startswith("rule ") and setting.key.removeprefix("rule ") in applicable:
            facts.append(setting)
    return facts


def _places(
    file: str, given: Mapping[str, Any], configuration: Configuration | None, origins: Mapping[str, str]
) -> Iterator[Setting]:
    """Yield whether the configured paths reach a file."""
    paths = (click.get_current_context().default_map or {}).get(PATHS)
    excluding = next((pattern for pattern in given["exclude"] if matches_any(file, [pattern])), None)
    if excluding is not None:
        yield Setting("validated", f"no: excluded by {excluding}", origins["exclude"])
    elif paths is not None and configuration is not None:
        inside = matches_any(os.path.abspath(file), [os.path.abspath(path) for path in paths])
        yield Setting("validated", "yes" if inside else "no: not in paths", configuration.place_of(PATHS))


def _mapping(file: str, text: str, owner: Domain[Any], configuration: Configuration | None) -> Setting | None:
    if configuration is not None:
        pattern = configuration.mapping_pattern_for(file)
        if pattern is not None:
            return Setting("mapping", configuration.mapping_for(file), configuration.place_of("mappings", pattern))
    if owner.mappings is None or not owner.mappings.can_map(text):
        return None
    beside = os.path.join(os.path.dirname(file), owner.mappings.file_name)
    return Setting("mapping", beside, "beside the file") if os.path.isfile(beside) else None


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def _say_settings(settings: Sequence[Setting], heading: str) -> None:
    if not settings:
        return
    usual = {key: found[1] for key, each in configurable().items() if (found := _IN_BRACKETS.search(_help(each)))}
    table = empty_table(padding=(0, 1, 0, 0))
    table.add_column(heading, overflow="fold")
    table.add_column("value", overflow="fold")
    table.add_column("from", overflow="fold")
    for setting in settings:
        value = _shown(setting.value) or usual.get(setting.key, "")
        table.add_row(setting.key, value or "-", setting.origin)
    show(table)
    say()


def _help(parameter: click.Parameter) -> str:
    return (isinstance(parameter, click.Option) and parameter.help) or ""


def _shown(value: Any) -> str:
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
