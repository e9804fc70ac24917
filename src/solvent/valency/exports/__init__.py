"""Write what an answer filled: module data for programs, and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from solvent.core.answer import Answer, Verdict
from solvent.core.errors import BadOption, unknown_name
from solvent.core.late_import import late_modules
from solvent.valency.model import Staging

if TYPE_CHECKING:
    from solvent.valency import drawing
    from solvent.valency.exports import csv, gif, godot, graphml, json, raster, tiled, voxels
    from solvent.valency.exports.module_data import ModuleData
else:
    csv, gif, godot, graphml, json, raster, tiled, voxels = late_modules(
        __package__, "csv", "gif", "godot", "graphml", "json", "raster", "tiled", "voxels"
    )
    [drawing] = late_modules("solvent.valency", "drawing")

__all__ = ["export"]

WRITERS: Mapping[str, Callable[[ModuleData], bytes]] = {
    "png": lambda data: raster.write_png(data.staging, data.modules, data.over_budget),
    "gif": lambda data: gif.write_gif(data),
    "tmj": lambda data: tiled.write_tiled(data),
    "tmx": lambda data: tiled.write_tiled_xml(data),
    "tscn": lambda data: godot.write_godot(data),
    "vox": lambda data: voxels.write_vox(data),
    "obj": lambda data: voxels.write_obj(data),
    "csv": lambda data: csv.write_csv(data),
    "graphml": lambda data: graphml.write_graphml(data),
    "json": lambda data: json.write_json(data),
}
ENDINGS = ("png", "svg", *(ending for ending in WRITERS if ending != "png"))
OF_TASKS = ("json", "svg", "png")
"""What a task without an answer can be written as."""


def export(staging: Staging, answer: Answer | None, ending: str) -> bytes:
    """Write what an answer filled as a file of one kind; without an answer, the task itself.

    The same fill gives the same bytes. An answer that filled nothing raises BadOption, and so does a kind of file that
    cannot hold this cluster.
    """
    if ending not in ENDINGS:
        raise unknown_name("kind of file", ending, ENDINGS)
    if answer is None:
        return _export_task(staging, ending)
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        raise BadOption(f"there is nothing to write as {ending}: {_nothing(answer)}")
    if ending == "svg":
        return drawing.draw_svg(staging, certificate=answer.certificate).encode()
    from solvent.valency.exports.module_data import gather

    return WRITERS[ending](gather(staging, answer))


def _export_task(staging: Staging, ending: str) -> bytes:
    if ending == "json":
        from solvent.valency.notation.task_json.writing import format_json

        return format_json(staging).encode()
    if ending == "svg":
        return drawing.draw_svg(staging).encode()
    if ending == "png":
        from solvent.valency.drawing.overlay import read_overlay

        return raster.write_png(staging, read_overlay(staging, None, None, None).fill, frozenset())
    raise BadOption(f"there is nothing to write as {ending}: it has not been filled; there are: {', '.join(OF_TASKS)}")


def _nothing(answer: Answer) -> str:
    if answer.verdict is Verdict.NO:
        return "it cannot be filled; the question 'partial' fills what can be"
    if answer.verdict is Verdict.UNKNOWN:
        return f"it is not known whether it can be filled, {answer.reason}"
    return "the answer came without its certificate"
