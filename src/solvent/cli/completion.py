"""`solvent completion`: what makes a shell complete commands, options and names; and the completing itself.

The script of a shell starts `solvent` with a variable set whenever Tab is pressed, so this must be quick: a name of a
command or an option costs no domain, and names of questions, formats and examples only the descriptions of domains.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from solvent.cli.output import say_json, write_text
from solvent.cli.parameters import json_option

VARIABLE = "_SOLVENT_COMPLETE"
"""What the script sets; its value says which shell asks, such as `bash_complete`."""
SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command("completion", epilog="Exit codes: 0 done, 2 usage.")
@click.argument("shell", type=click.Choice(list(SHELLS)))
@json_option
def command(shell: str, as_json: bool) -> None:
    r"""Print the script that makes SHELL complete commands, options, domains, questions, formats and examples.

    \b
    eval "$(solvent completion bash)"     in ~/.bashrc
    eval "$(solvent completion zsh)"      in ~/.zshrc
    solvent completion fish | source      in ~/.config/fish/config.fish
    """
    from solvent.cli.group import commands

    made = SHELLS[shell](commands, {}, "solvent", VARIABLE)
    # not `source`, which for bash starts another process to ask for its version
    script = made.source_template % made.source_vars()
    if as_json:
        say_json({"shell": shell, "script": script})
    else:
        write_text(script, None)


def complete(instruction: str) -> int:
    """Write what a shell asks for; returns the exit code. No mistake in a line may disturb who is typing it."""
    from solvent.cli.group import commands

    shell, _, what = instruction.partition("_")
    if shell not in SHELLS or what != "complete":
        return 1
    completing = SHELLS[shell](commands, {}, "solvent", VARIABLE)
    args, incomplete = completing.get_completion_args()
    write_text("\n".join(map(completing.format_completion, _items(completing, args, incomplete))), None)
    return 0


def _items(completing: ShellComplete, args: list[str], incomplete: str) -> list[CompletionItem]:
    name = args[0] if args else ""
    previous = args[-1] if len(args) > 1 else ""
    option, equals, value = incomplete.partition("=")
    if equals and option.startswith("--"):
        previous, incomplete = option, value
    found = _names(name, args, previous)
    if found is not None:
        head, comma, last = incomplete.rpartition(",")
        return [CompletionItem(head + comma + each) for each in found if each.startswith(last)]
    try:
        items = completing.get_completions(args, incomplete)
    except (click.ClickException, ValueError):
        items = []
    if incomplete.startswith("--") and name in DOMAIN_OPTIONS:
        items += [CompletionItem(each) for each in _domain_options(name) if each.startswith(incomplete)]
    return items


DOMAIN_OPTIONS = ("solve", "explain", "validate", "hint", "generate", "config")
"""The commands that take options of domains."""


def _names(name: str, args: list[str], previous: str) -> Iterable[str] | None:
    """Return the names that may stand here, where the command itself does not know them; None if it does."""
    from solvent.registry import all_domains, domain_names, get_domain

    positional = [word for word in args[1:] if not word.startswith("-")]
    if previous == "--as" or (name in ("generate", "examples") and not positional):
        return domain_names()
    if previous == "--ask":
        questions = dict.fromkeys(question for domain in all_domains() for question in domain.questions)
        return [*questions, *(["all"] if name in ("validate", "config") else [])]
    if previous == "--to":
        return dict.fromkeys(format for domain in all_domains() for format in domain.formats)
    if previous == "--fail-on":
        from solvent.batch.gate import FAIL_ON

        return FAIL_ON
    if name == "examples" and len(positional) == 1 and positional[0] in domain_names():
        return [example.name for example in get_domain(positional[0]).examples()]
    return None


def _domain_options(name: str) -> Iterable[str]:
    from solvent.cli.domain_options import dashed
    from solvent.registry import all_domains

    kinds: dict[str, Any] = {"hint": "hint", "generate": "generate"}
    options = [option for domain in all_domains() for option in domain.options(kinds.get(name, "solve"))]
    return dict.fromkeys(dashed(option.name) for option in options)
