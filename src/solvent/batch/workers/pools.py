"""Where the workers of a run are: on this machine, or on a cluster with the reading done here."""

from __future__ import annotations

from solvent.batch.machine import usable_cores
from solvent.batch.settings import Settings
from solvent.batch.workers.pool import LocalPool, Pool
from solvent.core.errors import BadOption


def open_pools(settings: Settings, *, jobs: int | None = None, cluster: str | None = None) -> tuple[Pool, Pool | None]:
    """Return the pool that solves, and the one that reads where it is another: a cluster does not have the files."""
    if jobs is not None and jobs < 1:
        raise BadOption(f"jobs: expected a whole number, 1 or more, found {jobs!r}")
    if cluster is None:
        jobs = jobs or usable_cores()
        return LocalPool(jobs, hard_megabytes=settings.limits.hard_megabytes(jobs)), None
    from solvent.batch.cluster.pool import open_cluster

    reader = LocalPool(jobs or 1, hard_megabytes=settings.limits.hard_megabytes(jobs or 1))
    try:
        return open_cluster(cluster), reader
    except BaseException:
        reader.close(now=True)
        raise
