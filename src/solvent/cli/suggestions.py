"""What somebody may have meant: the nearest command, option or file, and the command that does take what was given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

OTHER_WORDS = {
    **dict.fromkeys(("verify", "prove", "proof"), "check"),
    **dict.fromkeys(("test", "lint", "batch", "scan"), "validate"),
    **dict.fromkeys(("show", "render", "print", "svg", "picture"), "draw"),
    **dict.fromkeys(("make", "new", "create", "random"), "generate"),
    **dict.fromkeys(("run", "ask", "answer", "plan"), "solve"),
    **dict.fromkeys(("gui", "web", "ui", "play", "workbench", "server", "open"), "serve"),
    **dict.fromkeys(("demo", "start", "intro"), "tour"),
    **dict.fromkeys(("why", "fix", "mend", "repair"), "explain"),
    **dict.fromkeys(("list", "sample", "samples", "example"), "examples"),
    **dict.fromkeys(("export", "translate"), "convert"),
    **dict.fromkeys(("next", "step", "hints"), "hint"),
}
"""What people call commands that have another name here."""
OTHER_OPTIONS = {
    **dict.fromkeys(("--time", "--timeout", "--limit", "--time-limit", "--max-time", "--sec"), "--seconds"),
    **dict.fromkeys(("--question", "--query"), "--ask"),
    **dict.fromkeys(("--proof", "--cert"), "--certificate"),
    **dict.fromkeys(("--domain", "--type", "--game"), "--as"),
    **dict.fromkeys(("--out", "--file"), "--output"),
    **dict.fromkeys(("--memory", "--mem", "--mb"), "--megabytes"),
    **dict.fromkeys(("--threads", "--workers", "--cores", "--parallel", "--processes"), "--jobs"),
}
"""The same of options."""
MAX_SUGGESTIONS = 3
LEAST_ALIKE = 0.7
"""How much of a word must agree, from 0 to 1."""


def nearest(word: str, known: Iterable[str], *, most: int = MAX_SUGGESTIONS) -> list[str]:
    """Return the few known words that are spelled much like this one, the nearest first."""
    from difflib import SequenceMatcher

    alike = {each: SequenceMatcher(None, word.lower(), each.lower()).ratio() for each in known}
    best = max(alike.values(), default=0.0)
    close = [each for each, ratio in alike.items() if ratio >= max(LEAST_ALIKE, best - 0.1)]
    return sorted(close, key=lambda each: -alike[each])[:most]


def suggest_command(word: str, commands: Sequence[str]) -> str | None:
    """Say what to type in place of a word that is no command; None where nothing comes to mind."""
    if os.path.isdir(word):
        return f"'solvent validate {word}' asks about the levels in a folder"
    if os.path.exists(word):
        return f"did you mean 'solvent solve {word}'?"
    meant = word.lstrip("-")
    known = meant if meant in commands else OTHER_WORDS.get(meant)
    found = [known] if known is not None else nearest(meant, commands, most=1)
    return f"did you mean 'solvent {found[0]}'?" if found else None


def suggest_option(spelled: str, options: Iterable[str]) -> str | None:
    """Say which option may have been meant; None where nothing comes to mind."""
    known = list(dict.fromkeys(options))
    meant = "--" + spelled.lstrip("-")
    synonym = OTHER_OPTIONS.get(meant)
    found = [meant] if meant in known else [synonym] if synonym in known else nearest(meant, known)
    return f"did you mean {' or '.join(str(each) for each in found)}?" if found else None


def is_address(name: str) -> bool:
    """Tell whether a name is that of a page on the web: with a protocol, or a host that some domain reads pages of."""
    from solvent.registry import all_domains

    if "://" in name or name.startswith("www."):
        return True
    host = name.partition("/")[0].lower()
    return (
        "/" in name
        and "." in host
        and any(host in each.partition("/")[0].lower() for domain in all_domains() for each in domain.addresses)
    )


def explain_address(name: str) -> str:
    """Say that an address is not one that is read, why if it is close, and which are."""
    from solvent.registry import all_domains

    advice = [said for domain in all_domains() if domain.near_miss is not None and (said := domain.near_miss(name))]
    known = [each for domain in all_domains() for each in domain.addresses]
    if advice:
        why = f" ({'; '.join(advice)})"
    elif known:
        why = f"; it reads those of {', '.join(known)} with the puzzle in them"
    else:
        why = ""
    return f"Solvent does not read this address{why}; download it, then give the file"


def explain_missing(name: str) -> str:
    """Say why there is no such file: an address, a pattern that matches nothing, or a name much like another."""
    if is_address(name):
        return explain_address(name)
    if any(sign in name for sign in "*?["):
        return "no file matches it"
    folder, base = os.path.split(name)
    if folder and not os.path.isdir(folder):
        return f"there is no folder {folder}"
    try:
        beside = os.listdir(folder or os.curdir)
    except OSError:
        return "there is no such file"
    # capitals, an ending, or an option within the same quotes may be what is wrong
    found = [each for each in beside if each.lower() == base.lower()]
    found = found or [each for each in sorted(beside) if os.path.splitext(each)[0].lower() == base.lower()]
    found = found or [each for each in beside if base.startswith(f"{each} ")] or nearest(base, beside, most=1)
    meant = os.path.join(folder, found[0]) if found else ""
    return f"there is no such file; did you mean {meant!r}?" if found else "there is no such file"
