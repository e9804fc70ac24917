"""What a designer does to a dungeon on the page, as JSON values; each gives the dungeon after it.

1. `actions` has the shape of each action; `edit` below does one.
2. `sketch` is a dungeon while it is changed: things know each other instead of numbers, and finishing it checks it.
3. `painting`, `placing`, `moving`, `connecting`, `floors` and `properties` are what can be done to a sketch.
4. `level` says what the page needs to know of a dungeon to edit it, `palette` what can be put into one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from solvent.core.errors import BadOption
from solvent.dungeon.model import Dungeon
from solvent.dungeon.page.editing import actions, connecting, floors, moving, painting, placing, properties
from solvent.dungeon.page.editing.sketch import Sketch

__all__ = ["edit"]

_DOES: dict[type[actions.Action], Any] = {
    actions.Paint: painting.paint,
    actions.Clear: painting.clear,
    actions.Put: placing.put,
    actions.Erase: placing.erase,
    actions.SetThing: properties.set_thing,
    actions.Split: properties.split,
    actions.Move: moving.move,
    actions.Paste: moving.paste,
    actions.Connect: connecting.connect,
    actions.Disconnect: connecting.disconnect,
    actions.SetWay: connecting.set_way,
    actions.Resize: floors.resize,
    actions.AddFloor: floors.add_floor,
    actions.RenameFloor: floors.rename_floor,
    actions.RemoveFloor: floors.remove_floor,
    actions.SetRoom: floors.set_room,
    actions.RemoveRoom: floors.remove_room,
    actions.SetTitle: properties.set_title,
    actions.SetGoal: properties.set_goal,
    actions.SetStates: properties.set_states,
    actions.SetRules: properties.set_rules,
    actions.Rename: properties.rename,
    actions.UseFix: properties.use_fix,
}


def edit(dungeon: Dungeon, action: Mapping[str, Any]) -> Dungeon:
    """Return the dungeon after a change, with no moves played; raises BadOption, in a designer's words, if none can be.

    What else the change did, such as taking away what stood in a new wall, is said in the dungeon's remarks.
    """
    try:
        wanted = msgspec.convert(action, actions.AnyAction)
    except msgspec.ValidationError as error:
        raise BadOption(f"There is no such change to a dungeon: {error}") from None
    sketch = Sketch(dungeon)
    _DOES[type(wanted)](sketch, wanted)
    return sketch.finish()
