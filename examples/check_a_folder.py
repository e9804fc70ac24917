"""Ask about every board in a folder, keep each proof beside its board, and say at the end how many were which.

    python examples/check_a_folder.py boards/

Run it again after editing a board: the proof that no longer fits is rejected and the question is asked anew.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import solvent

SECONDS_A_BOARD = 10


def settle(path: Path) -> str:
    """Return the verdict on one board: from the proof beside it if that still holds, else by asking."""
    puzzle = solvent.load(path)
    proof = path.with_suffix(".proof.json")
    if proof.exists():
        certificate = solvent.load_certificate(proof)
        try:
            solvent.check(puzzle, certificate)
        except solvent.CertificateRejected:
            pass  # the board was changed after its proof was written
        else:
            return f"{certificate['verdict']} (proof checked)"
    answer = solvent.ask(puzzle, seconds=SECONDS_A_BOARD)
    if answer.certificate is not None:
        solvent.save_certificate(answer.certificate, proof)
    return str(answer.verdict) if answer.reason is None else f"{answer.verdict}: {answer.reason}"


def main() -> None:
    """Go through the folder."""
    if len(sys.argv) != 2:
        sys.exit("usage: check_a_folder.py FOLDER")
    counts: Counter[str] = Counter()
    for path in sorted(Path(sys.argv[1]).glob("*.txt")):
        try:
            said = settle(path)
        except solvent.ParseError as error:
            said = f"cannot be read: {error}"
        print(f"{path.name}: {said}")
        counts[re.split(r"[:(]", said)[0].strip()] += 1
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "no boards there")


if __name__ == "__main__":
    main()
