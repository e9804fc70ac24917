"""`solvent generate` with wishes: levels that another domain judges, or whose ground another dresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from solvent.cli.output import note, say, say_json, write_file
from solvent.cli.waiting import watch
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption
from solvent.core.events import Listener
from solvent.wishes.making import Proven, make_proven
from solvent.wishes.parsing import Wish, read_wishes, require_keepable, require_readable
from solvent.wishes.saving import files_of
from solvent.wishes.verb import make_dressed, require_possible


@dataclass(frozen=True, slots=True)
class Wished:
    """Hold what a level must be beside what its generator promises, read and found possible."""

    wishes: Sequence[Wish]
    terrain: str | None
    mapping: str | None
    kind: str | None = None

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is wished for."""
        return not self.wishes and self.terrain is None


def read_wished(
    domain: Domain[Any], given: dict[str, Any], options: Mapping[str, Any], out: str | None, format: str | None
) -> Wished:
    """Take the wishes out of what was given, and refuse those that cannot hold before anything is made."""
    require, forbid = given.pop("require"), given.pop("forbid")
    terrain, mapping = given.pop("terrain"), given.pop("mapping")
    wished = Wished(read_wishes(require, forbid), terrain, mapping)
    if mapping is not None and not wished.wishes:
        raise click.UsageError("--mapping says how a level is read, so it needs --require or --forbid")
    if wished.is_empty:
        return wished
    kind = Path(out).suffix[1:].lower() if out is not None and not out.endswith("/") and format is None else None
    if terrain is not None:
        require_possible(domain, wished.wishes, format or kind, terrain)
        require_keepable(domain, wished.wishes, options, "")
        return wished
    if format is not None or (kind is not None and domain.exports is not None and kind not in domain.exports.kinds):
        kind = ""
    if kind == "" and domain.name != wished.wishes[0].domain:
        raise BadOption(f"{wished.wishes[0].domain} cannot read {format or out}; {_readable(domain, wished.wishes)}")
    if domain.exports is None or (kind in domain.formats and domain.name == wished.wishes[0].domain):
        kind = ""
    kind = require_possible(domain, wished.wishes, kind, None)
    require_keepable(domain, wished.wishes, options, kind)
    return replace(wished, kind=kind)


def _readable(domain: Domain[Any], wishes: Sequence[Wish]) -> str:
    return f"write a .{require_readable(domain, wishes, None)} file instead"


def make_wished(
    domain: Domain[Any],
    options: Mapping[str, Any],
    wished: Wished,
    *,
    seed: int,
    target: str | None,
    format: str | None,
    budget: Budget,
) -> Proven:
    """Make one level, with a bar while it takes long."""
    path = None if target is None else Path(target)

    def make(budget: Budget, listen: Listener) -> Proven:
        if wished.terrain is None:
            more: dict[str, Any] = {"mapping": wished.mapping, "path": path, "format": format, "seed": seed}
            given: dict[str, Any] = {"kind": wished.kind, "options": options, **more}
            return make_proven(domain.name, wished.wishes, budget=budget, listen=listen, **given)
        given = {"seed": seed, "options": options, "path": path, "listen": listen}
        return make_dressed(domain, wished.wishes, wished.terrain, budget=budget, **given)

    return watch(make, budget)


def write_wished(proven: Proven, target: str | None) -> None:
    """Write a level with its certificates, or the level alone to standard output."""
    if target is None:
        say(proven.data.decode().rstrip("\n"))
        note(f"{proven} With -o the certificates are kept.")
    else:
        for name, data in files_of(proven, target).items():
            write_file(data, name)
        note(f"{target}: {proven}")


def describe_wished(proven: Proven, seed: int, target: str | None) -> dict[str, Any]:
    """Return a level and what is known of it as JSON values."""
    return {
        "seed": seed,
        "text": proven.data.decode(),
        "file": target,
        "tried": proven.tried,
        "excluded": proven.excluded,
        "answers": [
            {"domain": answer.domain, "question": answer.question, "verdict": str(answer.verdict)}
            for answer in (*proven.answers, *proven.proofs)
        ],
        "certificates": [answer.certificate for answer in (*proven.answers, *proven.proofs)],
    }


def run_wished(
    domain: Domain[Any],
    options: Mapping[str, Any],
    wished: Wished,
    seeds: range,
    pattern: str | None,
    *,
    format: str | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Make, write and tell about one level for each seed."""
    made = []
    for seed in seeds:
        target = None if pattern is None else pattern.replace("{seed}", str(seed))
        proven = make_wished(domain, options, wished, seed=seed, target=target, format=format, budget=budget)
        if as_json:
            made.append(describe_wished(proven, seed, target))
        if target is not None or not as_json:
            write_wished(proven, target)
    if as_json:
        say_json({"domain": domain.name, "instances": made})
