"""Commands that take what they are not given from a project's configuration.

What the configuration says of an option is its default, so the command line always goes first. The keys are the
options of `solvent validate`, whichever there are, without the dashes in front.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from solvent.cli.parameters import MAPPING
from solvent.cli.rule_options import spell_rules
from solvent.core.errors import show_value

if TYPE_CHECKING:
    from solvent.configuration import Configuration
    from solvent.core.domain import Domain

CONFIGURATION = "solvent.configuration"
"""Where the context of a command keeps the configuration that is in force."""
GIVEN = "solvent.given"
"""Where it keeps the parsed words of the command line, also of options that no function takes."""
LIMITS = ("seconds", "nodes", "megabytes")
"""What a configuration says about every search."""
PATHS = "paths"
PATTERNS = ("exclude",)
NAMES_A_FILE = ("FILE", "[FILE]", "FOLDER", "[FOLDER]")
"""How the help calls the value of an option that is a path, which in a configuration starts from its folder."""
NOT_CONFIGURED = frozenset({"config", "no-config", "help", "json", "quiet", "rule", "watch", "as"})
"""Options that are about one call of the command. Rules stand in the table of their domain."""


class ConfiguredCommand(click.Command):
    """A command that looks for a configuration before it looks at its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take from the configuration what the command line does not say."""
        args = self.with_rules(ctx, args)
        if not ctx.resilient_parsing and any(parameter.name == "no_config" for parameter in self.params):
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            if not set(ctx.help_option_names) & set(args):
                self._configure(ctx, given)
        return super().parse_args(ctx, args)

    def with_rules(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the words with rules that are spelled as options put behind `--rule`."""
        return spell_rules(self, ctx, args, frozenset())

    def configured_defaults(self, configuration: Configuration, given: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return what the configuration says of the command's own parameters, by their names."""
        return {}

    def _configure(self, ctx: click.Context, given: Mapping[str, Any]) -> None:
        from solvent.configuration import find_file, load

        ctx.meta[GIVEN] = given
        named = given.get("config")
        if named is not None and given.get("no_config"):
            raise click.UsageError("--config and --no-config say the opposite; leave one out", ctx)
        path = None if given.get("no_config") else named or find_file()
        if path is None:
            return
        configuration = load(path)
        require_valid(configuration)
        ctx.meta[CONFIGURATION] = configuration
        ctx.default_map = self.configured_defaults(configuration, given)


def current_configuration() -> Configuration | None:
    """Return the configuration of the command that is running."""
    context = click.get_current_context(silent=True)
    found: Configuration | None = None if context is None else context.meta.get(CONFIGURATION)
    return found


def configured_limits(configuration: Configuration) -> dict[str, Any]:
    """Return what the configuration says about every search."""
    limits = {parameter.name: parameter for parameter in configurable().values() if parameter.name in LIMITS}
    values = {name: read_value(configuration, limits[name]) for name in LIMITS if configuration.get(name) is not None}
    return {name: value for name, value in values.items() if value != float("inf")}


def configured_rules(domain: str) -> dict[str, Any]:
    """Return the rules that the configuration of the running command has for a domain."""
    configuration = current_configuration()
    return {} if configuration is None else configuration.rules(domain)


def configured_options(domain: str) -> dict[str, Any]:
    """Return the solver's options that the configuration of the running command has for a domain."""
    configuration = current_configuration()
    return {} if configuration is None else configuration.options(domain)


def configured_rules_by_domain() -> dict[str, dict[str, Any]]:
    """Return the rules that the configuration of the running command has, by domain."""
    configuration = current_configuration()
    if configuration is None:
        return {}
    by_domain = {name: configuration.rules(name) for name in configuration.tables()}
    return {name: rules for name, rules in by_domain.items() if rules}


def with_configured(options: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Add to options by domain those that the configuration of the running command has."""
    configuration = current_configuration()
    names = dict.fromkeys([*options, *(() if configuration is None else configuration.tables())])
    merged = {name: {**configured_options(name), **options.get(name, {})} for name in names}
    return {name: chosen for name, chosen in merged.items() if chosen}


def configured_mapping(path: str) -> str | None:
    """Return the mapping that the configuration of the running command has for a file."""
    configuration = current_configuration()
    return None if configuration is None else configuration.mapping_for(path)


def configurable() -> dict[str, click.Parameter]:
    """Return every parameter of `solvent validate` that a configuration may set, by its key."""
    from solvent.cli.validate import command

    return dict(_keys(command))


def _keys(command: click.Command) -> Iterator[tuple[str, click.Parameter]]:
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            yield parameter.name or "", parameter
            continue
        key = max(parameter.opts, key=len).removeprefix("--")
        if key not in NOT_CONFIGURED:
            yield key, parameter


def require_valid(configuration: Configuration) -> None:
    """Raise ConfigurationError for anything in the file that is unknown or of the wrong kind."""
    known = configurable()
    configuration.require_known(known)
    for key in configuration.names():
        read_value(configuration, known[key])


def read_value(configuration: Configuration, parameter: click.Parameter) -> Any:
    """Return a parameter's value from a configuration as the command line would have it, or raise an error."""
    key = key_of(parameter)
    value = configuration.get(key)
    found = _plain_value(configuration, parameter, key, value)
    context = click.Context(click.Command("validate"))  # of its own: a callback may keep what it is given
    try:
        cast = parameter.type_cast_value(context, found)
        if parameter.callback is not None:
            parameter.callback(context, parameter, cast)
    except click.BadParameter as error:
        raise configuration.error(f"{key}: {error.message}", key) from None
    return found


def key_of(parameter: click.Parameter) -> str:
    """Return the key of a parameter in a configuration."""
    if isinstance(parameter, click.Argument):
        return parameter.name or ""
    return max(parameter.opts, key=len).removeprefix("--")


def _plain_value(configuration: Configuration, parameter: click.Parameter, key: str, value: Any) -> Any:
    """Check the kind of a value, and turn paths of the file into paths from here."""

    def refuse(expected: str) -> Exception:
        return configuration.error(f"{key}: expected {expected}, found {show_value(value)}", key)

    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise refuse("true or false")
        return value
    if parameter.multiple or parameter.nargs == -1:
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise refuse("a list of texts")
        if key == PATHS:
            return [configuration.path(each) for each in values]
        return [configuration.pattern(each) for each in values] if key in PATTERNS else values
    if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
        whole = isinstance(parameter.type, click.types.IntParamType)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise refuse("a whole number" if whole else "a number")
        return value
    if value is True and (parameter.metavar or "").startswith("["):  # an option that may stand alone
        return ""
    if not isinstance(value, str):
        raise refuse("text")
    return configuration.path(value) if parameter.metavar in NAMES_A_FILE and value not in ("", "-") else value


def note_configuration(owner: Domain[Any], file: str, rules: Mapping[str, str]) -> None:
    """Say on standard error what the configuration decided about reading and asking, if anything."""
    configuration = current_configuration()
    if configuration is None:
        return
    from solvent.cli.output import note

    context = click.get_current_context()
    used = []
    for name in context.default_map or {}:
        if context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT_MAP:
            used.append(f"{name} {(context.default_map or {})[name]}")
    used += [f"rule {name}={value}" for name, value in configuration.rules(owner.name).items() if name not in rules]
    if getattr(context.command, "kind", None) == "solve":
        used += [f"{name} {value}" for name, value in configuration.options(owner.name).items()]
    mapping = configuration.mapping_for(file) if os.path.exists(file) else None
    if mapping is not None and not context.meta.get(MAPPING):
        used.append(f"mapping {mapping}")
    if used:
        note(f"solvent: {configuration.file} sets {', '.join(used)}")
