"""Unpack compressed data piece by piece: a few kilobytes may unfold to gigabytes, so nothing is unpacked unbounded."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Literal

from solvent.core.budget import UNLIMITED, Budget, Meter

DEFAULT_UNFOLDED_MEGABYTES = 64
"""How much a compressed certificate may unfold to unless the caller allows more."""
PIECE_BYTES = 1 << 20
"""How much is unpacked between two looks at the limits."""

_WINDOW_BITS = {"gzip": 31, "zlib": 15, "deflate": -15}


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """Say what reading and checking one certificate may cost."""

    budget: Budget = field(default_factory=Budget)
    unfolded_megabytes: float = DEFAULT_UNFOLDED_MEGABYTES


def unfold(
    packed: bytes,
    *,
    megabytes: float = DEFAULT_UNFOLDED_MEGABYTES,
    container: Literal["gzip", "zlib", "deflate"] = "gzip",
    meter: Meter = UNLIMITED,
) -> bytes:
    """Unpack data that may unfold to so many megabytes; raises ValueError if it is damaged or unfolds to more."""
    limit = int(megabytes * 1e6)
    unfolder = zlib.decompressobj(wbits=_WINDOW_BITS[container])
    unfolded = bytearray()
    rest = packed
    while not unfolder.eof:
        meter.checkpoint()
        try:
            piece = unfolder.decompress(rest, PIECE_BYTES)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if not piece and not unfolder.unconsumed_tail and not unfolder.eof:
            raise ValueError("it ends early")
        unfolded += piece
        if len(unfolded) > limit:
            raise ValueError(f"it unfolds to more than {megabytes:g} MB")
        rest = unfolder.unconsumed_tail
    if unfolder.unused_data:
        raise ValueError("something stands behind its end")
    return bytes(unfolded)
