"""Write what an answer filled: module data for programs, and pictures."""

from __future__ import annotations

from solvent.core.answer import Answer, Verdict
from solvent.core.errors import BadOption, unknown_name
from solvent.valency.model import Staging

__all__ = ["export"]

ENDINGS = ("png", "svg", "gif", "tmj", "csv", "graphml", "json")
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
        from solvent.valency.drawing import draw_svg

        return draw_svg(staging, certificate=answer.certificate).encode()
    from solvent.valency.exports.module_data import gather

    data = gather(staging, answer)
    if ending == "json":
        from solvent.valency.exports.json import write_json

        return write_json(data)
    if ending == "csv":
        from solvent.valency.exports.csv import write_csv

        return write_csv(data)
    if ending == "graphml":
        from solvent.valency.exports.graphml import write_graphml

        return write_graphml(data)
    if ending == "tmj":
        from solvent.valency.exports.tiled import write_tiled

        return write_tiled(data)
    if ending == "png":
        from solvent.valency.exports.png import write_png

        return write_png(staging, data.modules, data.over_budget)
    from solvent.valency.exports.gif import write_gif

    return write_gif(data, answer.stats.get("order"))


def _export_task(staging: Staging, ending: str) -> bytes:
    if ending == "json":
        from solvent.valency.notation.task_json.writing import format_json

        return format_json(staging).encode()
    if ending == "svg":
        from solvent.valency.drawing import draw_svg

        return draw_svg(staging).encode()
    if ending == "png":
        from solvent.valency.drawing.overlay import read_scene
        from solvent.valency.exports.png import write_png

        return write_png(staging, read_scene(staging, None, None, None).fill, frozenset())
    raise BadOption(f"there is nothing to write as {ending}: it has not been filled; there are: {', '.join(OF_TASKS)}")


def _nothing(answer: Answer) -> str:
    if answer.verdict is Verdict.NO:
        return "it cannot be filled; the question 'partial' fills what can be"
    if answer.verdict is Verdict.UNKNOWN:
        return f"it is not known whether it can be filled, {answer.reason}"
    return "the answer came without its certificate"
