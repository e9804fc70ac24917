"""Options that belong to a domain, which is known only after the file was read.

A `DomainCommand` sets aside every long option it does not know, as `--name value` or `--name=value`. When the domain is
known, `given_options` checks their names against its list. Where a question can be asked with `--ask`, its name alone
is an option too, unless the command or the domain has another of that name; `resolve_question` takes it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from solvent.cli.configured import ConfiguredCommand, configured_limits
from solvent.cli.rule_options import spell_rules
from solvent.core.domain import Domain, Option, OptionKind
from solvent.core.errors import BadOption

if TYPE_CHECKING:
    from solvent.configuration import Configuration

_SET_ASIDE = "solvent.cli.domain_options"
_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


class DomainCommand(ConfiguredCommand):
    """A command that also takes the options of the domain it works on."""

    def __init__(self, *args: Any, kind: OptionKind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind: OptionKind = kind

    def with_rules(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the words with rules put behind `--rule`, except where a domain has an option of that name."""
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if all(word.partition("=")[0] in own for word in args if word.startswith("--")):
            return args
        taken = {dashed(option.name) for _, options in self.options_by_domain() for option in options}
        return spell_rules(self, ctx, args, frozenset(taken))

    def configured_defaults(self, configuration: Configuration, given: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return the limits that the configuration has for every search."""
        names = {parameter.name for parameter in self.params}
        return {name: limit for name, limit in configured_limits(configuration).items() if name in names}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the options of the domain aside and parse the rest as usual."""
        own, others = self._split(ctx, self.with_rules(ctx, args))
        ctx.meta[_SET_ASIDE] = others
        return super().parse_args(ctx, own)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the command's own options, then those of each domain."""
        super().format_options(ctx, formatter)
        for domain, options in self.options_by_domain():
            rows = option_rows(domain, options)
            flags = _useful_flags(self, domain, options)
            if flags:
                rows.append((", ".join(flags), "the same as " + ", ".join(f"--ask {name}" for name in flags.values())))
            if rows:
                with formatter.section(f"Options for {domain.name}"):
                    formatter.write_dl(rows)

    def options_by_domain(self) -> Iterator[tuple[Domain[Any], Sequence[Option]]]:
        """Yield each domain with its options of the kind that this command takes."""
        from solvent.registry import all_domains

        for domain in all_domains():
            yield domain, domain.options(self.kind)

    def _split(self, ctx: click.Context, args: Sequence[str]) -> tuple[list[str], list[tuple[str, str | None]]]:
        """Return the words of the command, and the options of the domain with their values; None for a bare flag."""
        takes_value = {
            name: not (parameter.is_flag or parameter.count)
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            for name in (*parameter.opts, *parameter.secondary_opts)
        }
        own: list[str] = []
        others: list[tuple[str, str | None]] = []
        words = deque(args)
        while words:
            word = words.popleft()
            name, equals, value = word.partition("=")
            if word == "--":
                return [*own, word, *words], others
            if not word.startswith("--") or name in takes_value:
                own.append(word)
                if takes_value.get(word, False) and words:
                    own.append(words.popleft())
            elif equals:
                others.append((name, value))
            elif self._stands_alone(ctx, name):
                others.append((name, None))
            elif words and not words[0].startswith("--"):
                others.append((name, words.popleft()))
            else:
                raise click.UsageError(f"option {name} needs a value", ctx)
        return own, others

    def _stands_alone(self, ctx: click.Context, spelled: str) -> bool:
        """Tell whether the option is true or false, which every domain that has it must agree on."""
        by_domain = list(self.options_by_domain())
        types = {
            option.type
            for _, options in by_domain
            for option in options
            if spelled == dashed(option.name) or (option.type is bool and spelled == dashed("no_" + option.name))
        }
        if any(spelled in _question_flags(self, domain, options) for domain, options in by_domain):
            types.add(bool)
        if not types:  # now, since it is not known whether the next word is its value or the FILE
            raise _unknown_option(ctx, spelled, by_domain)
        return types == {bool}


def resolve_question(domain: Domain[Any], asked: str | None) -> str | None:
    """Return the question to ask: the one given with `--ask`, or the one whose name the command set aside."""
    for name in _take_questions([domain], domain.solve_options):
        if asked not in (None, name):
            raise click.UsageError(
                f"{dashed(name)} and {asked} are two questions; ask one at a time", click.get_current_context()
            )
        asked = name
    if asked is not None and asked not in domain.questions:
        _refuse_question(domain, asked)
    return asked


def _refuse_question(domain: Domain[Any], asked: str) -> None:
    """Say what is wrong with a question that belongs to another domain, or with several; others are told later."""
    from solvent.registry import all_domains

    if "," in asked:
        raise click.UsageError(
            f"expected one question, found {asked!r}; 'solvent validate' asks several", click.get_current_context()
        )
    owners = [each.name for each in all_domains() if asked in each.questions]
    if owners:
        raise BadOption(
            f"{asked} is a question about {' and '.join(owners)}, and this is {domain.name}; "
            f"there are: {', '.join(domain.questions)}"
        )


def _take_questions(domains: Sequence[Domain[Any]], options: Sequence[Option]) -> list[str]:
    """Return the questions that were asked by name, and leave only the rest set aside."""
    context = click.get_current_context()
    flags = {flag: name for each in domains for flag, name in _question_flags(context.command, each, options).items()}
    asked: list[str] = []
    left: list[tuple[str, str | None]] = []
    for spelled, value in context.meta[_SET_ASIDE]:
        if spelled not in flags:
            left.append((spelled, value))
        elif value is not None:
            raise click.UsageError(f"{spelled} is a question and takes no value", context)
        else:
            asked.append(flags[spelled])
    context.meta[_SET_ASIDE] = left
    return asked


def _question_flags(command: click.Command, domain: Domain[Any], options: Sequence[Option]) -> dict[str, str]:
    """Return the options that stand for `--ask` and a question, with the question."""
    taken = {name for parameter in command.params for name in parameter.opts}
    if "--ask" not in taken:
        return {}
    taken |= {dashed(option.name) for option in options}
    return {dashed(name): name for name in domain.questions if dashed(name) not in taken}


def _useful_flags(command: click.Command, domain: Domain[Any], options: Sequence[Option]) -> dict[str, str]:
    """Return those of a question that is not asked anyway."""
    first = next(iter(domain.questions))
    return {spelled: name for spelled, name in _question_flags(command, domain, options).items() if name != first}


def given_options(
    domain: Domain[Any],
    options: Sequence[Option],
    *,
    reserved: Iterable[str] = (),
    arguments: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the options of the domain that were given, from those the current command set aside; or raise an error.

    Names in `reserved` are the command's own; a domain's option of the same name keeps its default. `arguments` are
    values of options that were given without their names.
    """
    known = [option for option in options if option.name not in set(reserved)]
    return _read_options([(domain, known)], arguments)


def resolve_for_any(domain: Domain[Any] | None) -> tuple[dict[str, Any], list[str]]:
    """Return the options the current command set aside, and the questions asked by name, whichever domain has them.

    With a domain, only its own count. Values are not checked yet: two domains may take different ones.
    """
    from solvent.registry import all_domains

    domains = list(all_domains()) if domain is None else [domain]
    asked = _take_questions(domains, [option for each in domains for option in each.solve_options])
    return _read_options([(each, each.solve_options) for each in domains], {}), asked


def _read_options(
    by_domain: Sequence[tuple[Domain[Any], Sequence[Option]]], arguments: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the current command set aside, by name and beside the arguments, or say which options there are."""
    context = click.get_current_context()
    known = {option.name: option for _, options in by_domain for option in options}
    given: dict[str, Any] = dict(arguments)
    for spelled, value in context.meta[_SET_ASIDE]:
        name = spelled[2:].replace("-", "_")
        if name not in known and name.startswith("no_") and value is None:
            name, value = name[3:], "no"
        if name not in known:
            raise _unknown_option(context, spelled, by_domain)
        if name in arguments:
            raise click.UsageError(f"{arguments[name]!r} and {spelled} are given for the same; leave one out", context)
        given[name] = _read_truth(known[name], "yes" if value is None else value)
    return given


def _unknown_option(
    context: click.Context, spelled: str, by_domain: Sequence[tuple[Domain[Any], Sequence[Option]]]
) -> click.UsageError:
    from solvent.cli.suggestions import suggest_option

    own = [name for parameter in context.command.params for name in parameter.opts if name.startswith("--")]
    listed = {
        domain.name: [
            *(dashed(option.name) for option in options),
            *_useful_flags(context.command, domain, options),
        ]
        for domain, options in by_domain
    }
    advice = suggest_option(spelled, [*own, *(name for names in listed.values() for name in names)])
    if advice is None and len(listed) == 1:
        advice = next(_describe_own(domain, names) for domain, names in listed.items())
    owners = _owners_of(context.command, spelled, listed)
    if owners:
        advice = f"only {' and '.join(owners)} {'has' if len(owners) == 1 else 'have'} it" + (
            f"; {advice}" if advice else ""
        )
    return click.UsageError(f"no such option {spelled}" + (f" ({advice})" if advice else ""), context)


def _describe_own(domain: str, names: Sequence[str]) -> str:
    return f"{domain} has {', '.join(names)}" if names else f"{domain} has no options of its own"


def _owners_of(command: click.Command, spelled: str, listed: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the other domains that have an option or a question of this name."""
    if not isinstance(command, DomainCommand):
        return []
    return [
        domain.name
        for domain, options in command.options_by_domain()
        if domain.name not in listed
        and (spelled in map(dashed, (option.name for option in options)) or spelled in map(dashed, domain.questions))
    ]


def _read_truth(option: Option, value: str) -> object:
    if option.type is bool:
        if value.lower() in _TRUE:
            return True
        if value.lower() in _FALSE:
            return False
        raise BadOption(f"{option.name}: expected yes or no, found {value!r}")
    return value


def dashed(name: str) -> str:
    """Spell a Python keyword as an option of the command."""
    return "--" + name.replace("_", "-")


def option_rows(domain: Domain[Any], options: Sequence[Option]) -> list[tuple[str, str]]:
    """Return the rows of a help text, with a word about the option that can be given without its name."""
    generator = domain.generator
    source = None if generator is None or options is not generator.options else generator.source
    rows = [(option.name, *option_row(option)) for option in options]
    return [(usage, f"{help}; or as SOURCE" if name == source else help) for name, usage, help in rows]


def option_row(option: Option) -> tuple[str, str]:
    """Return how to write an option and what it does, as a row of a help text."""
    if option.type is bool:
        usage = dashed(option.name)
        if option.default is True:
            usage += "/" + dashed(f"no_{option.name}")
    else:
        placeholder = {int: "N", float: "X"}.get(option.type, "WORD")
        usage = f"{dashed(option.name)} {placeholder}"
    facts = []
    if option.choices:
        facts.append(", ".join(option.choices))
    elif option.minimum is not None and option.maximum is not None:
        facts.append(f"{option.minimum:,.12g} to {option.maximum:,.12g}")
    elif option.minimum is not None:
        facts.append(f"at least {option.minimum:,.12g}")
    elif option.maximum is not None:
        facts.append(f"at most {option.maximum:,.12g}")
    if option.default is True:
        facts.append("default on")
    elif option.default is not None and option.type is not bool:
        facts.append(f"default {option.default}")
    return usage, option.help + (f" [{'; '.join(facts)}]" if facts else "")
