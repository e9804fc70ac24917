"""Ask an installed Solvent one small question in each domain; prints the answers, or fails.

Needs nothing but the package. The answers are the same whether its kernels are compiled or not.
"""

from __future__ import annotations

import sys
from hashlib import sha256

import solvent
from solvent.engine.build import is_compiled


def main() -> None:
    """Solve, check and draw the first example of each domain."""
    sys.stderr.write(f"solvent {solvent.__version__}, kernels {'compiled' if is_compiled() else 'as plain Python'}\n")
    for domain in solvent.domains():
        example = solvent.examples(domain)[0]
        instance = solvent.parse(example.text, domain=domain)
        answer = solvent.ask(instance, nodes=200_000)
        if answer.certificate is None:
            sys.exit(f"expected a proved answer for {domain}, found {answer}")
        solvent.check(instance, answer.certificate)
        if not solvent.draw(instance).startswith("<svg"):
            sys.exit(f"expected a picture of {domain}")
        if answer.verdict is not next(iter(example.expected.values())):
            sys.exit(f"expected {dict(example.expected)} for {domain} {example.name}, found {answer.verdict}")
        proof = sha256(repr(answer.certificate).encode()).hexdigest()[:16]
        sys.stdout.write(f"{domain} {example.name}: {answer.verdict.value}, proof {proof}\n")


if __name__ == "__main__":
    main()
