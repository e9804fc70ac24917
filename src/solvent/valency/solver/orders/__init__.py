"""The solvers there are: built in, registered, or installed beside Solvent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.valency.model import Cluster, Lattice
from solvent.valency.solver.task import Solver

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

BUILTIN = ("frontier", "entropy", "scanline", "priority", "constraint", "lazy")
DEFAULT = "frontier"
USUAL_ORDERS, WRAPPING_ORDERS = ("frontier", "scanline", "entropy"), ("entropy", "scanline", "frontier")
"""What is tried on grids and graphs, and on lattices that wrap around, where a growing front meets itself: what
measures best comes first. The figures are in docs/explanation/how-valency-fills.md."""
ENTRY_POINTS = "solvent.valency_solvers"

_registered: dict[str, Solver] = {}


def register(solver: Solver) -> None:
    """Make a solver known by its name, in this process."""
    if not isinstance(solver, Solver):
        raise BadOption(f"expected a solver with name, title and fill, found {show_value(solver)}")
    if solver.name in ("auto", *BUILTIN):
        raise BadOption(f"solver {solver.name!r} is built in; choose another name")
    _registered[solver.name] = solver


def solver_named(name: str, cluster: Cluster | None = None) -> Solver:
    """Return a solver, or raise BadOption naming those there are; `auto` means the one that suits the cluster."""
    if name == "auto":
        from solvent.valency.solver.orders.portfolio import Portfolio

        return Portfolio(WRAPPING_ORDERS if isinstance(cluster, Lattice) and any(cluster.periodic) else USUAL_ORDERS)
    if name == "lazy":
        from solvent.valency.solver.orders.lazy import Lazy

        return Lazy()
    if name in BUILTIN:
        from solvent.valency.solver.orders.collapsing import SOLVERS

        return SOLVERS[name]
    if name in _registered:
        return _registered[name]
    for point in _installed():
        if point.name == name:
            try:
                solver = point.load()
            except (ImportError, AttributeError) as error:
                raise BadOption(f"solver {name!r} is installed, but {point.value} cannot be loaded: {error}") from None
            register(solver)
            _registered[name] = solver  # the name it was asked for by may be another than its own
            return _registered[name]
    raise unknown_name("solver", name, solver_names())


def solver_names() -> list[str]:
    """Return the names of all solvers."""
    installed = [point.name for point in _installed()]
    return ["auto", *BUILTIN, *dict.fromkeys([*_registered, *installed])]


def _installed() -> EntryPoints:
    from importlib.metadata import entry_points  # takes as long to import as a small task to fill

    return entry_points(group=ENTRY_POINTS)
