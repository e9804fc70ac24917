"""The same by command and in Python: what somebody would type to get what the page shows."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.domain import Option
from solvent.web import schemas

UNNAMED = "instance.txt"


def by_command(verb: str, request: schemas.Instance, **given: Any) -> str:
    """Return the command that asks the same of a file; `given` are its options in order, None for none."""
    file = _file(request)
    parts = ["solvent", verb, shlex.quote(f"./{file}" if file.startswith("-") else file)]
    if request.domain is not None:
        parts += ["--as", request.domain]
    for name, value in request.rules.items():
        parts += ["--rule", shlex.quote(f"{name}={value}")]
    return " ".join([*parts, *_options(given)])


def to_generate(request: schemas.Generate) -> str:
    """Return the command that makes the same instance."""
    return " ".join(["solvent", "generate", request.domain, *_options({"seed": request.seed, **request.options})])


def in_python(call: str, request: schemas.Instance, *arguments: object, **given: Any) -> str:
    """Return two lines of Python that do the same with a file."""
    domain = {} if request.domain is None else {"domain": request.domain}
    load = _call("solvent.load", (_file(request),), {**domain, **request.rules})
    said = {name: value for name, value in given.items() if value is not None}
    return f"problem = {load}\n{_call(f'solvent.{call}', (_Name('problem'), *arguments), said)}"


def generate_in_python(request: schemas.Generate) -> str:
    """Return the line of Python that makes the same instance."""
    return f"problem = {_call('solvent.generate', (request.domain,), {'seed': request.seed, **request.options})}"


def differing(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the given options that are not what they are by default."""
    defaults = {option.name: option.default for option in options}
    return {name: value for name, value in given.items() if value != defaults.get(name)}


class _Name(str):
    """Something that is written in Python as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _file(request: schemas.Instance) -> str:
    return request.name or UNNAMED


def _call(function: str, arguments: tuple[object, ...], given: Mapping[str, Any]) -> str:
    said = [repr(argument) for argument in arguments if argument is not None]
    return f"{function}({', '.join([*said, *(f'{name}={value!r}' for name, value in given.items())])})"


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
