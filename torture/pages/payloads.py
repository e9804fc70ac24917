"""Names that are scripts, markup or letters that confuse, and how they are planted into instances of every format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

MARK = "planted"
"""What every script says in a dialog, and the name of an attribute that every element has."""
ELSEWHERE = "http://planted.invalid/"
"""Where what loads by itself would come from; nothing is there."""
_SAY = f"alert('{MARK}')"

SCRIPTS = (
    f"<script data-{MARK}>{_SAY}</script>",
    f'"><img data-{MARK} src=x onerror="{_SAY}">',
    f"'><img data-{MARK} src=x onerror={_SAY}>",
    f"</script><script data-{MARK}>{_SAY}</script>",
    f"</style><script data-{MARK}>{_SAY}</script>",
    f"</title></head><body onload={_SAY} data-{MARK}>",
    f"</textarea></pre></svg><svg data-{MARK} onload={_SAY}>",
    f"]]><script data-{MARK}>{_SAY}</script><![CDATA[",
    f"--><script data-{MARK}>{_SAY}</script><!--",
    f'" onmouseover="{_SAY}" onfocus="{_SAY}" autofocus data-{MARK}="',
    f"' onclick='{_SAY}' style='animation-name:x' onanimationstart='{_SAY}' data-{MARK}='",
    f"javascript:{_SAY}",
    f"data:text/html,<script>{_SAY}</script>",
    f"<a data-{MARK} href=javascript:{_SAY}>here</a>",
    f"<iframe data-{MARK} srcdoc='<script>parent.{_SAY}</script>'></iframe>",
    f"<iframe data-{MARK} src=javascript:parent.{_SAY}>",
    f"<object data-{MARK} data=javascript:{_SAY}></object>",
    f"<details data-{MARK} open ontoggle={_SAY}>x</details>",
    f"<svg data-{MARK}><animate onbegin={_SAY} attributeName=x dur=1s></svg>",
    f"<svg data-{MARK}><foreignObject><script>{_SAY}</script></foreignObject></svg>",
    f"<svg:script xmlns:svg='http://www.w3.org/2000/svg' data-{MARK}>{_SAY}</svg:script>",
    f"<link data-{MARK} rel=stylesheet href={ELSEWHERE}style.css>",
    f"<img data-{MARK} src={ELSEWHERE}picture.png>",
    f"url({ELSEWHERE}url.png)",
    f"red;background:url({ELSEWHERE}style.png)",
    f"</style><style data-{MARK}>*{{background:url({ELSEWHERE}style.png)}}",
    f"<base data-{MARK} href={ELSEWHERE}>",
    f"<meta data-{MARK} http-equiv=refresh content='0;url={ELSEWHERE}'>",
    f"&lt;script&gt;{_SAY}&lt;/script&gt;",
    f"&#60;script data-{MARK}&#62;{_SAY}&#60;/script&#62;",
    f"\\u003cscript data-{MARK}\\u003e{_SAY}",
    f"<<script data-{MARK}>{_SAY}//<</script>",
    f"<scr<script>ipt data-{MARK}>{_SAY}</script>",
    f"${{{_SAY}}}",
    f'{{{{constructor.constructor("{_SAY}")()}}}}',
    f"`${{{_SAY}}}`",
    f"');{_SAY}//",
    f"\\'-{_SAY}-\\'",
    "__proto__",
)
CONFUSING = (
    "\u202egnihton\u202c",
    "\u2066\u202eexe.\u2069txt",
    "\u200b\u200d\ufeff",
    "\x1b[31mred\x1b[0m\x07",
    "a\tb\x0b\x0c\x7f\x85\u2028\u2029",
    "\ufffe\uffff",
    "Z\u0351\u036b" * 30,
    "x" * 5_000,
    "𒐫﷽" * 40,
    "%s%n{0}{x!r}",
)


def payload(dice: Random) -> str:
    """Return one of them, perhaps with other letters beside it."""
    if dice.random() < 0.2:
        return dice.choice(CONFUSING)
    chosen = dice.choice(SCRIPTS)
    if dice.random() < 0.15:
        chosen += dice.choice(CONFUSING)
    return chosen


def as_file_name(text: str) -> str:
    """Return a payload as a file may be called: without slashes, and not too long."""
    name = text.replace("/", "\u2044").replace("\0", "")  # a slash that is none
    return name.encode("utf-8", "replace")[:180].decode("utf-8", "ignore") or "x"


def plant(text: str, word: str, dice: Random) -> str:
    """Return an instance with a payload in place of some of what it says: names, titles, legends, colours, numbers."""
    stripped = text.lstrip()
    if stripped.startswith(("{", "[")):
        try:
            return _plant_in_json(json.loads(text), word, dice)
        except ValueError:
            pass
    if stripped.startswith("<"):
        return _plant_between(text, r'"([^"<>]*)"', _as_attribute(word), dice)
    if stripped.startswith(("digraph", "graph")):
        return _plant_between(text, r'"([^"]*)"', word.replace('"', '\\"'), dice)
    one_line = re.sub(r"[\r\n\u2028\u2029\x0b\x0c\x85]", " ", word)
    return _plant_between(
        text, dice.choice([r"([A-Za-z_]{3,})", r"[:=(]\s*([^\n:=()]+)", r"^\s*([^\n:=]+):"]), one_line, dice
    )


def _plant_in_json(value: Any, word: str, dice: Random) -> str:
    places = list(_strings(value))
    if not places:
        return json.dumps(value)
    renamed = dice.choice(places)
    old = renamed[0][renamed[1]] if isinstance(renamed[1], int) or dice.random() < 0.7 else renamed[1]
    if dice.random() < 0.7 and isinstance(old, str) and old:  # a name, wherever it stands: the instance stays valid
        return json.dumps(_renamed(value, old, word))
    for holder, key in dice.sample(places, min(len(places), dice.randint(1, 3))):
        holder[key] = word
    return json.dumps(value)


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {new if key == old else key: _renamed(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, old, new) for each in value]
    return new if value == old else value


def _strings(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where the strings of a JSON value are: what holds each, and its key or index."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        if isinstance(each, str):
            yield value, key
        else:
            yield from _strings(each)


def _as_attribute(word: str) -> str:
    escaped = word.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", escaped)


def _plant_between(text: str, pattern: str, word: str, dice: Random) -> str:
    found = [match.span(1) for match in re.finditer(pattern, text, re.MULTILINE)]
    if not found:
        return f"{text}\n# {word}\n"
    begin, end = dice.choice(found)
    old = text[begin:end]
    if dice.random() < 0.5 and len(old) > 2:  # wherever it stands
        return text.replace(old, word)
    return text[:begin] + word + text[end:]
