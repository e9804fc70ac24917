"""What a domain hands to checkers that others wrote: files, what they claim, and the commands that check them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct


class OutsideFile(Struct, frozen=True):
    """Hold a file for an outside checker."""

    name: str
    holds: str
    """What is in it, in a few words."""
    pieces: Iterable[str]
    """Its text in pieces, made while it is written: a formula may have millions of lines."""


class OutsideCommand(Struct, frozen=True):
    """Hold how a program checks such files."""

    tool: str
    """The program and where it comes from."""
    command: str
    """What to type in the folder of the files."""
    accepts: str
    """What the program says if it accepts."""


class OutsideProof(Struct, frozen=True, kw_only=True):
    """Hold one thing that outside checkers can verify; a certificate may come to several."""

    name: str
    """What its files are called, without their endings."""
    claim: str
    """What is shown if the checker accepts, in a sentence."""
    files: Sequence[OutsideFile]
    commands: Sequence[OutsideCommand]
    trusted: str
    """What the checker does not look at, and is still to be trusted, in a sentence."""
