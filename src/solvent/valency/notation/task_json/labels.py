"""Find socket labels that look like slips of the pen: only one module has them, so nothing else can stand there."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.valency.model import numbers_in
from solvent.valency.notation.task_json.rules import ReadRules


def label_remarks(read: ReadRules) -> list[str]:
    """Return a remark for each label that no other module than the one it is on answers.

    A module with the same label all around is no slip: it stands beside itself, as grass does.
    """
    found = []
    for layer, sockets in enumerate(read.sockets):
        users: dict[str, set[int]] = {}
        for module, labels in enumerate(sockets):
            for label in labels.values():
                users.setdefault(label, set()).add(read.entries[module])
        for label, entries in users.items():
            if len(entries) == 1 and not _is_answered(read, layer, label) and not _is_all_around(read, layer, label):
                near = [other for other in users if other not in (label, _pole_mate(label))]
                found.append(_describe(read, label, next(iter(entries)), near))
    return found


def _pole_mate(label: str) -> str:
    """Return the label that fits one with a pole; the label itself if it has none."""
    return label[:-1] + {"+": "-", "-": "+"}[label[-1]] if label.endswith(("+", "-")) else label


def _sockets_with(read: ReadRules, layer: int, label: str) -> Iterator[tuple[int, int]]:
    """Yield each module and orbital that has a label."""
    for module, labels in enumerate(read.sockets[layer]):
        for orbital, one in labels.items():
            if one == label:
                yield module, orbital


def _is_answered(read: ReadRules, layer: int, label: str) -> bool:
    """Tell whether another module may stand at a socket with this label, by a pair of labels."""
    for module, orbital in _sockets_with(read, layer, label):
        allowed = read.rules.modules[module].bonds[layer].neighbours
        mask = (allowed[orbital] if orbital < len(allowed) else None) or 0
        if any(read.entries[other] != read.entries[module] for other in numbers_in(mask)):
            return True
    return False


def _is_all_around(read: ReadRules, layer: int, label: str) -> bool:
    """Tell whether a module has this label wherever it has one."""
    return any(set(read.sockets[layer][module].values()) == {label} for module, _ in _sockets_with(read, layer, label))


def _describe(read: ReadRules, label: str, entry: int, others: list[str]) -> str:
    name = next(module.name for module, own in zip(read.rules.modules, read.entries, strict=True) if own == entry)
    from difflib import get_close_matches  # few tasks have a slip

    near = get_close_matches(label, others, n=1)
    hint = f"; was {near[0]!r} meant?" if near else "."
    return f"Only module {name!r} has the socket label {label!r}, so no other can stand there{hint}"
