"""The addresses of what the user gave: each with its description, and who answers."""

from __future__ import annotations

from solvent.web.description import Get
from solvent.web.endpoints import Endpoint
from solvent.web.files import schemas as file_schemas
from solvent.web.files.routes import FileEndpoints
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs.routes import RunEndpoints
from solvent.web.served_files import Places
from solvent.web.settings import Settings
from solvent.web.worker_queue import Lanes


def addresses(settings: Settings, places: Places, lanes: Lanes) -> list[tuple[str, Get, Endpoint]]:
    """Return the addresses, in the order in which they are looked through."""
    files = FileEndpoints(settings, places, lanes.reading)
    runs = RunEndpoints(settings, places, lanes.reading, lanes.long)
    run = "/api/runs/{store}/{run}"
    numbers = ("run", "number", "other_run")
    return [
        (
            "/api/files",
            Get("List the user's files", file_schemas.FilesShown, query=file_schemas.FilesWanted),
            files.files,
        ),
        ("/api/files/{id}/picture.svg", Get("Draw a file small", None, "image/svg+xml"), files.picture),
        ("/api/files/{id}", Get("Read an instance from a file", file_schemas.FileRead), files.file),
        ("/api/runs", Get("List the runs of every store", list[run_schemas.StoreShown]), runs.runs),
        (run, Get("Tell about a run", run_schemas.RunTold, numbers=numbers), runs.run),
        (
            f"{run}/rows",
            Get("List rows of a run", run_schemas.RowsShown, query=run_schemas.RowsWanted, numbers=numbers),
            runs.rows,
        ),
        (f"{run}/charts", Get("Draw the charts of a run", run_schemas.Charts, numbers=numbers), runs.charts),
        (
            f"{run}/compared/{{other_store}}/{{other_run}}",
            Get("Compare a run with a later one", run_schemas.Compared, numbers=numbers),
            runs.compared,
        ),
        (
            f"{run}/{{number}}/checked",
            Get(
                "Check a stored answer once more, and return it if it is accepted",
                run_schemas.ResultChecked,
                query=run_schemas.ResultWanted,
                numbers=numbers,
            ),
            runs.checked,
        ),
        (
            f"{run}/{{number}}",
            Get(
                "Return an instance of a run", run_schemas.ResultShown, query=run_schemas.ResultWanted, numbers=numbers
            ),
            runs.result,
        ),
    ]
