"""Make worlds at length: in several orders and processes, each seam checked; stream many cells; look at the seams.

python -m benchmarks.worlds orders --chunks 100x100 Castle.xml rooms
python -m benchmarks.worlds seams Castle.xml rooms
python -m benchmarks.worlds stream --cells 100000000 rooms
python -m benchmarks.worlds cluster --chunks 20x20 rooms
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import click
import numpy as np

import solvent
from solvent.core.errors import GenerationFailed
from solvent.valency.checker.world_chunk import ChunkChecker
from solvent.valency.model import Lattice, Staging
from solvent.valency.worlds import World, open_world
from solvent.valency.worlds.sharing import Plan, make_chunks, plan_of

SETS = ("Castle", "FloorPlan", "Rooms", "Knots", "rooms", "village")
"""Public tile sets, and two of ours."""
AT = (-50, -50)
Place = tuple[int, int]


def find_rules(name: str) -> str:
    """Return where the rules of a name are: a file, a public tile set, or a bundled task."""
    public = Path(os.environ.get("SOLVENT_CORPORA", "")) / "tilesets" / f"{name}.xml"
    return str(public) if os.environ.get("SOLVENT_CORPORA") and public.is_file() else name


def orders(places: list[Place]) -> Iterator[tuple[str, list[Place]]]:
    """Yield three orders to visit chunks in."""
    yield "row by row", places
    yield "from the end, column by column", sorted(places, reverse=True)
    shuffled = list(places)
    random.Random(1).shuffle(shuffled)
    yield "shuffled", shuffled


def digest(world: World, places: Iterable[Place]) -> dict[Place, bytes]:
    """Return a digest of each chunk, made in this order."""
    return {(c.x, c.y): hashlib.sha256(c.tobytes()).digest() for c in world.visit(places)}


def digest_half(plan: Plan, places: list[Place]) -> list[bytes]:
    """Return a digest of each chunk, made by a process of its own."""
    return [hashlib.sha256(data).digest() for data in make_chunks(plan, places)]


def overall(digests: dict[Place, bytes]) -> str:
    """Return one digest of all chunks, whatever order they were made in."""
    return hashlib.sha256(b"".join(digests[place] for place in sorted(digests))).hexdigest()[:16]


def megabytes() -> float:
    """Return the most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _open(name: str, chunk: str) -> World | None:
    began = time.process_time()
    try:
        world = open_world(find_rules(name), chunk=chunk, seed=7)
    except GenerationFailed as error:
        click.echo(f"{name}: {error}")
        return None
    library = world.library
    click.echo(
        f"{name}: {len(world.task.rules.modules)} modules, {len(library.across)} + {len(library.down)} strips, "
        f"{len(library.fills)} ways proved in {time.process_time() - began:.1f} CPU s"
    )
    return world


def _places(chunks: str) -> list[Place]:
    columns, rows = (int(part) for part in chunks.split("x"))
    return [(AT[0] + i, AT[1] + j) for j in range(rows) for i in range(columns)]


@click.group()
def main() -> None:
    """Make worlds at length."""


@main.command("orders")
@click.option("--chunks", default="100x100")
@click.option("--chunk", default="32x32")
@click.option(
    "--shuffled",
    type=click.FloatRange(0, 1),
    default=1.0,
    help="What part of them to visit in shuffled order: neighbours are made again and again there, ten times the work.",
)
@click.argument("names", nargs=-1)
def compare_orders(chunks: str, chunk: str, shuffled: float, names: tuple[str, ...]) -> None:
    """Make the same chunks in three orders and by two processes, and have each checked with its seams."""
    places = _places(chunks)
    for name in names or SETS:
        world = _open(name, chunk)
        if world is None:
            continue
        plan = plan_of(world)
        found: dict[str, str] = {}
        first: dict[Place, bytes] = {}
        for number, (how, every) in enumerate(orders(places)):
            ordered = every[: round(len(every) * shuffled)] if number == 2 else every
            world = World(world.task, world.library, world.seed)
            early = 0.0
            began = time.process_time()
            digests = {}
            for made, place in enumerate(ordered):
                digests.update(digest(world, [place]))
                if made == len(ordered) // 5:
                    early = megabytes()
            seconds = time.process_time() - began
            first = first or digests
            found[how] = overall({**first, **digests})
            cells = world.task.width * world.task.height * len(ordered) / seconds
            click.echo(
                f"  {how}: {len(ordered):,} chunks, {found[how]}, {seconds:.0f} CPU s, "
                f"{cells:,.0f} cells a CPU second, {early:.0f} MB after a fifth, {megabytes():.0f} MB in the end"
            )
            if number == 0:
                _check(world, places)
        halves = [places[0::2], places[1::2]]
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            results = list(pool.map(digest_half, [plan] * 2, halves))
        together = {p: d for half, made in zip(halves, results, strict=True) for p, d in zip(half, made, strict=True)}
        found["two processes"] = overall(together)
        same = len(set(found.values())) == 1
        click.echo(f"  two processes: {found['two processes']}; all the same bytes: {'yes' if same else 'NO'}")


def _check(world: World, places: list[Place]) -> None:
    checker = ChunkChecker(world.task.staging)
    began = time.process_time()
    wrong = sum(bool(checker.violations(world.with_rim(x, y))) for x, y in places)
    click.echo(
        f"  {len(places):,} chunks checked with their seams, {wrong} wrong, {time.process_time() - began:.0f} CPU s"
    )


@main.command("seams")
@click.option("--chunks", default="40x40")
@click.option("--chunk", default="32x32")
@click.argument("names", nargs=-1)
def look_at_seams(chunks: str, chunk: str, names: tuple[str, ...]) -> None:
    """Compare columns and rows along seams with those in the middle of chunks: how often they repeat, and their mix."""
    for name in names or SETS:
        world = _open(name, chunk)
        if world is None:
            continue
        made = np.stack([one.modules[0] for one in world.visit(_places(chunks))])
        width, height = world.task.width, world.task.height
        count = len(world.task.rules.modules)

        def mix(cells: np.ndarray, count: int = count) -> np.ndarray:
            return np.bincount(cells.reshape(-1), minlength=count) / cells.size

        whole = mix(made)
        lines = {
            "left seam": made[:, :, 0],
            "middle column": made[:, :, width // 2],
            "top seam": made[:, 0, :],
            "middle row": made[:, height // 2, :],
            "crossings": made[:, :3, :3].reshape(len(made), -1),
            "middle 3x3": made[:, height // 2 : height // 2 + 3, width // 2 : width // 2 + 3].reshape(len(made), -1),
        }
        click.echo(f"  the whole: mix {_plain_distance(world, whole):.3f} from that of one plain fill of 128x128")
        for what, cells in lines.items():
            different = len(np.unique(cells, axis=0)) / len(cells)
            distance = np.abs(mix(cells) - whole).sum() / 2
            # What chance does to the mix of so many cells that stand alone; those side by side depend on each other.
            chance = np.abs(np.sqrt(whole * (1 - whole) / cells.size)).sum() * 0.4
            click.echo(f"  {what}: {different:.1%} different, mix {distance:.3f} from the whole (chance {chance:.3f})")


def _plain_distance(world: World, mix: np.ndarray) -> float:
    """Return how far a mix is from that of a fill of one grid by the same rules."""
    lattice = Lattice(128, 128, world.task.depth, world.task.kind)
    answer = solvent.ask(Staging(world.task.plain_rules, lattice, seed=1))
    assert answer.certificate is not None
    plain = np.bincount(np.array(answer.certificate["modules"]), minlength=len(mix)) / (128 * 128 * world.task.depth)
    return float(np.abs(plain - mix).sum() / 2)


@main.command("stream")
@click.option("--cells", default=100_000_000)
@click.option("--chunk", default="32x32")
@click.argument("name", default="rooms")
def stream(cells: int, chunk: str, name: str) -> None:
    """Make so many cells one chunk after the other, and show memory on the way."""
    world = _open(name, chunk)
    assert world is not None
    each = world.task.width * world.task.height * world.task.depth
    side = int(np.ceil(np.sqrt(cells / each)))
    running, began = hashlib.sha256(), time.process_time()
    for number, one in enumerate(world.chunks((0, 0), (side, -(-cells // each // side) + 1)), start=1):
        running.update(one.tobytes())
        if number % max(1, side * side // 10) == 0 or number * each >= cells:
            seconds = time.process_time() - began
            click.echo(
                f"  {number * each:,} cells, {number * each / seconds:,.0f} a CPU second, {megabytes():.0f} MB",
            )
        if number * each >= cells:
            break
    click.echo(f"  sha256 {running.hexdigest()}")


@main.command("cluster")
@click.option("--chunks", default="20x20")
@click.option("--chunk", default="32x32")
@click.option("--scheduler", help="The address of a Dask scheduler; two processes of its own without one.")
@click.argument("name", default="rooms")
def on_cluster(chunks: str, chunk: str, scheduler: str | None, name: str) -> None:
    """Make chunks on a Dask cluster, and compare their bytes with those made here."""
    from distributed import Client, LocalCluster

    from solvent.valency.worlds.sharing import make_chunk

    world = _open(name, chunk)
    assert world is not None
    places = _places(chunks)
    own = None if scheduler else LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(scheduler or own) as client:
        plan = client.scatter(plan_of(world), broadcast=True)
        columns, rows = zip(*places, strict=True)
        made = client.gather(client.map(make_chunk, [plan] * len(places), columns, rows))
    if own is not None:
        own.close()
    digests = {place: hashlib.sha256(data).digest() for place, data in zip(places, made, strict=True)}
    here = digest(world, places)
    click.echo(
        f"  {len(places)} chunks, {overall(digests)}; the same bytes as here: {'yes' if digests == here else 'NO'}"
    )


if __name__ == "__main__":
    main()
