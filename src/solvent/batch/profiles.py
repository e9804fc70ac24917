"""Write a profile for each answer of a run: files that show where the search spent its effort.

They are made from what the store keeps, by the process that leads the run. So answers that were known before get their
files too, a run that was stopped goes on without losing any, and workers elsewhere need no access to the folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import traceback
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvent.batch.names import valid_text
from solvent.batch.records import unpack
from solvent.batch.rows import answer_from
from solvent.core.errors import BadOption
from solvent.reading import parse_problem
from solvent.registry import get_domain

if TYPE_CHECKING:
    from solvent.batch.run import Validated

LONGEST_NAME = 80
"""Of the readable part of a file's name; systems allow 255 bytes in all."""


def safe_name(source: str) -> str:
    """Return a file name for a source: its last part without signs that mean something, and a hash of all of it.

    The hash tells apart sources whose last part is the same. The same source always has the same name.
    """
    last = source.replace("\\", "/").rstrip("/").rpartition("/")[2]
    plain = unicodedata.normalize("NFKD", last).encode("ascii", "ignore").decode("ascii")
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-.")[:LONGEST_NAME] or "level"
    digest = hashlib.sha256(valid_text(source).encode("utf-8")).hexdigest()[:8]
    return f"{readable}-{digest}"


class ProfileWriter:
    """Write the profiles of a run into a folder, each file all of it or not at all."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.written = 0
        """For how many answers files are there."""
        self.without = 0
        """How many answers have no profile: nothing was counted."""
        self.first_bug = ""
        """The traceback of the first profile that could not be made; empty if all could."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def write(self, validated: Validated) -> None:
        """Write the profile of an answer, over one that is there already; a source without an answer has none."""
        instance, outcome = validated.reading.instance, validated.outcome
        if instance is None or outcome is None or outcome.verdict is None:
            return
        profile = get_domain(instance.domain).profile
        if profile is None:
            return
        name = f"{safe_name(validated.source.name)}.{outcome.question}"
        try:
            problem: Any = parse_problem(unpack(instance.packed).decode("utf-8"), domain=instance.domain)
            files = profile(problem, answer_from(instance.domain, outcome, None))
        except BadOption:
            self.without += 1
            return
        except Exception:  # a picture that cannot be drawn must not cost the answers
            self.first_bug = self.first_bug or f"{validated.source.name}: {traceback.format_exc()}"
            return
        for ending, text in files.items():
            _write_whole(self.folder / f"{name}.{ending}", text.encode("utf-8"))
        self.written += 1


def _write_whole(target: Path, data: bytes) -> None:
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
