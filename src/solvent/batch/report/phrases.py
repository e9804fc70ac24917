"""How figures are written for people: short, with their units."""

from __future__ import annotations

import re
import time

UNITS_BELOW_A_SECOND = ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms"))
BYTES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
SHORT = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def duration(seconds: float) -> str:
    """Write a time with about three digits: `850 µs`, `12.3 ms`, `4.51 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 1e-6:
        return "0 s"
    for below, factor, unit in UNITS_BELOW_A_SECOND:
        if seconds < below * 0.9995:
            return f"{_digits(seconds * factor)} {unit}"
    if seconds < 59.95:
        return f"{_digits(seconds)} s"
    whole = round(seconds)
    if whole < 3600:
        return _two(whole // 60, "min", whole % 60, "s")
    minutes = round(seconds / 60)
    if minutes < 48 * 60:
        return _two(minutes // 60, "h", minutes % 60, "min")
    hours = round(seconds / 3600)
    return _two(hours // 24, "d", hours % 24, "h")


def tick_duration(seconds: float) -> str:
    """Write a round time on an axis: `10 ms`, `5 s`, `1,000 s`."""
    for below, factor, unit in UNITS_BELOW_A_SECOND:
        if seconds < below * 0.999:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:,.10g} s"


def _two(first: int, unit: str, second: int, smaller: str) -> str:
    return f"{first:,} {unit} {second} {smaller}" if second else f"{first:,} {unit}"


def _digits(value: float) -> str:
    """Write a number below 1,000 with three digits that count."""
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}"


def size_in_bytes(count: float) -> str:
    """Write a number of bytes: `812 B`, `3.4 kB`, `1.2 MB`."""
    for unit, name in BYTES:
        if count >= unit * 0.99995:
            return f"{count / unit:.1f} {name}"
    return f"{count:.0f} B"


def tick_bytes(count: float) -> str:
    """Write a round number of bytes on an axis: `200 B`, `1 kB`."""
    for unit, name in BYTES:
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count:.0f} B"


def short(value: float) -> str:
    """Write a number for an axis: `0.05`, `7`, `1.5k`, `20M`."""
    for unit, letter in SHORT:
        if abs(value) >= unit:
            return f"{value / unit:.6g}{letter}"
    return f"{value:.6g}"


def figure(value: float) -> str:
    """Write a number in full, with as many decimals as make sense."""
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}"
    return f"{value:,.3g}" if abs(value) < 100 else f"{value:,.0f}"


def share(part: int, whole: int) -> str:
    """Write a part in hundredths; never 100 % or 0 % where that is not the whole truth."""
    if not whole:
        return "–"
    percent = 100 * part / whole
    if part not in (0, whole):
        percent = min(99.9, max(0.1, percent))
    return f"{percent:.3g} %" if percent >= 0.95 else f"{percent:.1g} %"


def describe(name: str) -> str:
    """Write the name of a count for people."""
    return name.replace("_", " ")


def moment(timestamp: float | None) -> str:
    """Write a point in time, the same wherever the page is read."""
    if timestamp is None:
        return "–"
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(timestamp))


def ending(text: str, most: int) -> str:
    """Leave out the beginning of a long name, up to a slash or else a whole word if one begins near.

    The end of a path tells most.
    """
    if len(text) <= most:
        return text
    kept = text[1 - most :]
    slash = kept.find("/", 0, most // 2)
    if slash >= 0:
        return f"…{kept[slash:]}"
    word = re.compile(r"(?<![^\W_])[^\W_]").search(text, len(text) - len(kept), len(text) - most // 2)
    return f"…{kept if word is None else text[word.start() :]}"


def shorten(text: str, most: int) -> str:
    """Leave out the middle of a long text: the ends of a path tell more."""
    if len(text) <= most:
        return text
    tail = (most - 1) * 2 // 3
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"
