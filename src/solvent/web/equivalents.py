"""The same by command and in Python: what to type to get what the page shows."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from solvent.core.domain import Option
from solvent.web import schemas

UNNAMED = "instance.txt"


class Same(TypedDict):
    """Hold what to type, as replies have it."""

    command: str
    python: str


def same_question(
    request: schemas.Instance, question: str, *, proof: bool, limits: Mapping[str, Any], options: Mapping[str, Any]
) -> Same:
    """Ask the same question about a file."""
    # The command takes a name for the files of a profile, where a question is only asked to keep count.
    written = {name: "profile" if name == "profile" and value else value for name, value in options.items()}
    no_proof, proof_false = ({}, {}) if proof else ({"no_proof": True}, {"proof": False})
    return {
        "command": _command("solve", request, ask=question, **limits, **no_proof, **written),
        "python": _python("answer = {}", "ask", request, question, **limits, **proof_false, **options),
    }


def same_hints(request: schemas.Hints, known: Sequence[Option]) -> Same:
    """Find the same hints."""
    given = {**({"path": True} if request.path else {}), **_limits(request), **differing(known, request.options)}
    several = "" if request.path or request.count == 1 else f" -n {request.count}"
    return {
        "command": _command("hint", request, **given) + several,
        "python": _python("steps = list({})", "hints", request, **given),
    }


def same_explanation(request: schemas.Explain, known: Sequence[Option]) -> Same:
    """Explain the same."""
    given = {**_limits(request), **differing(known, request.options)}
    return {
        "command": _command("explain", request, **given),
        "python": _python("explanation = {}", "explain", request, **given),
    }


def same_instance(request: schemas.Generate) -> Same:
    """Make the same instance."""
    given = {"seed": request.seed, **request.options}
    return {
        "command": " ".join(["solvent", "generate", request.domain, *_options(given)]),
        "python": f"problem = {_call('solvent.generate', (request.domain,), given)}",
    }


def same_level(request: schemas.Generate) -> Same:
    """Make the same level, with its wishes."""
    given = {"seed": request.seed, **request.options}
    words = {name: list(getattr(request, name)) for name in ("require", "forbid") if getattr(request, name)}
    wishes = [word for name, wishes in words.items() for wish in wishes for word in (f"--{name}", shlex.quote(wish))]
    return {
        "command": " ".join(["solvent", "generate", request.domain, *_options(given), *wishes]),
        "python": f"made = {_call('solvent.generate', (request.domain,), {**given, **words})}\nproblem = made.level",
    }


def differing(known: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the given options that differ from their defaults."""
    defaults = {option.name: option.default for option in known}
    return {name: value for name, value in given.items() if value != defaults.get(name)}


class _Name(str):
    """Something that is written in Python as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _limits(request: schemas.Search) -> dict[str, Any]:
    return {"seconds": request.seconds, "nodes": request.nodes}


def _command(verb: str, request: schemas.Instance, **given: Any) -> str:
    """Return a command about a file; `given` are its options in order, None for those that are left out."""
    file = request.name or UNNAMED
    parts = ["solvent", verb, shlex.quote(f"./{file}" if file.startswith("-") else file)]
    if request.domain is not None:
        parts += ["--as", request.domain]
    for name, value in request.rules.items():
        parts += ["--rule", shlex.quote(f"{name}={value}")]
    return " ".join([*parts, *_options(given)])


def _python(form: str, call: str, request: schemas.Instance, *arguments: object, **given: Any) -> str:
    """Return two lines of Python about a file; `form` says what becomes of the second."""
    domain = {} if request.domain is None else {"domain": request.domain}
    load = _call("solvent.load", (request.name or UNNAMED,), {**domain, **request.rules})
    options = {name: value for name, value in given.items() if value is not None}
    return f"problem = {load}\n{form.format(_call(f'solvent.{call}', (_Name('problem'), *arguments), options))}"


def _call(function: str, arguments: tuple[object, ...], given: Mapping[str, Any]) -> str:
    written = [repr(argument) for argument in arguments]
    return f"{function}({', '.join([*written, *(f'{name}={value!r}' for name, value in given.items())])})"


def _options(given: Mapping[str, Any]) -> list[str]:
    written: list[str] = []
    for name, value in given.items():
        dashed = "--" + name.replace("_", "-")
        if value is True:
            written.append(dashed)
        elif value is False:
            written.append("--no-" + dashed[2:])
        elif value is not None:
            written += [dashed, shlex.quote(_number(value) if isinstance(value, float) else str(value))]
    return written


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
