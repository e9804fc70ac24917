"""Ask about everything in a folder, on all cores, and keep each proof as a file of its own.

    python examples/check_a_folder.py boards/ proofs/

`solvent validate` keeps all proofs in one store; this is for those who would rather have files. Run it again after
editing a board: what the store knows is not asked again. Nothing here needs `if __name__ == "__main__":`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import solvent

if len(sys.argv) != 3:
    sys.exit("usage: check_a_folder.py FOLDER PROOFS")
folder, proofs = map(Path, sys.argv[1:])
for result in solvent.validate([folder], seconds=10, store=proofs / "answers.db"):
    if result.answer is None:
        print(f"{result.name}: {result.error}")
        continue
    print(f"{result.name}: {result.answer}{' (known before)' if result.known else ''}")
    if result.answer.certificate is not None:
        proof = proofs / Path(result.name).relative_to(folder).with_suffix(".proof.json")
        proof.parent.mkdir(parents=True, exist_ok=True)
        solvent.save_certificate(result.answer.certificate, proof)
