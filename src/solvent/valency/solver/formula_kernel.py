"""Write the clauses of edges, leaving out what is never allowed."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel


@kernel
def says_something(agrees: Any, allowed: Any, node: Any, module: Any) -> Any:
    """Tell whether a module rules anything out that is allowed on the node beside it."""
    for other in range(len(agrees)):
        if allowed[node, other] and not agrees[module, other]:
            return True
    return False


@kernel
def count_edge_clauses(agrees: Any, allowed: Any, start: Any, end: Any) -> Any:
    """Return how many literals and clauses `write_edge_clauses` writes."""
    modules = len(agrees)
    literals, clauses = 0, 0
    for edge in range(len(start)):
        for module in range(modules):
            if allowed[start[edge], module] and says_something(agrees, allowed, end[edge], module):
                clauses += 1
                literals += 1
                for other in range(modules):
                    if allowed[end[edge], other] and agrees[module, other]:
                        literals += 1
    return literals, clauses


@kernel
def write_edge_clauses(
    agrees: Any, allowed: Any, variable: Any, start: Any, end: Any, literals: Any, widths: Any
) -> None:
    """Write for each edge and module at its start: not this one, or one at the end that agrees.

    `agrees` (modules, modules), `allowed` and `variable` (nodes, modules), `start` and `end` (edges): indices of nodes.
    Where everything allowed at the end agrees, there is nothing to say.
    """
    modules = len(agrees)
    filled, clauses = 0, 0
    for edge in range(len(start)):
        for module in range(modules):
            if allowed[start[edge], module] and says_something(agrees, allowed, end[edge], module):
                begin = filled
                literals[filled] = -variable[start[edge], module]
                filled += 1
                for other in range(modules):
                    if allowed[end[edge], other] and agrees[module, other]:
                        literals[filled] = variable[end[edge], other]
                        filled += 1
                widths[clauses] = filled - begin
                clauses += 1
