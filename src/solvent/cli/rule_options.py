"""Rules spelled as options of their own: `--stars 2` for `--rule stars=2`, on every command that takes rules.

The rules that domains have are looked up only where a command line has an option that the command itself does not know.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import click

RULE = "--rule"


def spell_rules(command: click.Command, ctx: click.Context, words: Sequence[str], taken: frozenset[str]) -> list[str]:
    """Return the words of a command line with rules that stand as options put behind `--rule`.

    `taken` are further options, such as those that domains have for this command: they go first.
    """
    takes_value = {
        name: not (parameter.is_flag or parameter.count)
        for parameter in command.get_params(ctx)
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    if RULE not in takes_value:
        return list(words)
    spelled: list[str] = []
    rest = deque(words)
    rules: frozenset[str] | None = None
    while rest:
        word = rest.popleft()
        name, equals, value = word.partition("=")
        if word == "--":
            return [*spelled, word, *rest]
        if not word.startswith("--") or name in takes_value or name in taken:
            spelled.append(word)
            if takes_value.get(word, False) and rest:
                spelled.append(rest.popleft())
            continue
        rules = frozenset(_rules()) if rules is None else rules
        if name not in rules:
            spelled.append(word)
        elif equals:
            spelled += [RULE, f"{name[2:]}={value}"]
        elif rest:
            spelled += [RULE, f"{name[2:]}={rest.popleft()}"]
        else:
            raise click.UsageError(f"option {name} needs a value", ctx)
    return spelled


def _rules() -> Iterator[str]:
    from solvent.registry import all_domains

    for domain in all_domains():
        for option in domain.options("rule"):
            yield "--" + option.name.replace("_", "-")
