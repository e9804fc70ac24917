// From pointing and keys to marks. A click goes from empty over cross to star; dragging paints or wipes out crosses.

import { between, cellByKey } from "/static/grid.js";
import { noteByKey } from "./pens.js";

const NEXT = { ".": "x", x: "*", "*": "." };

// `marks()` returns the marks shown; `change(patch, {drag})` changes some; `locked()` returns whether nothing may be marked
// now, and says why. `notes` are for the player's own signs and colours: `pen()` returns what the pen notes, null for stars
// and crosses; `has(cell, note)` tells whether it is there; `make(cells, note, on)` makes it, `clear(cells)` wipes.
export function listen(board, { marks, change, preview, locked, notes }) {
  const { element, size } = board;
  let drag = null; // {id, cell, at, from, patch} while the pointer is down

  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    const cell = board.cellAt(event.clientX, event.clientY);
    if (cell === null || drag || event.button > 2 || event.button === 1) return;
    event.preventDefault();
    board.focus(cell);
    if (locked()) return;
    if ((event.button === 2 || event.ctrlKey) && !notes.pen()) {
      change(new Map([[cell, marks()[cell] === "*" ? "." : "*"]]));
      return;
    }
    element.setPointerCapture(event.pointerId);
    const note = notes.pen();
    if (note) {
      drag = { id: event.pointerId, cell, at: cell, note, on: !notes.has(cell, note), cells: new Set([cell]) };
      return;
    }
    drag = { id: event.pointerId, cell, at: cell, from: marks()[cell], patch: null };
  });
  element.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    const since = event.getCoalescedEvents?.() ?? [];
    for (const each of since.length ? since : [event]) {
      const cell = board.cellAt(each.clientX, each.clientY);
      if (cell !== null && cell !== drag.at) reach(cell);
    }
  });
  element.addEventListener("pointerup", (event) => {
    if (drag?.id !== event.pointerId) return;
    const { cell, from, patch, note, on, cells } = drag;
    drag = null;
    if (note) return notes.make(cells, note, on);
    if (patch === null) change(new Map([[cell, NEXT[from]]]));
    else if (patch.size) change(patch);
    preview(null);
  });
  element.addEventListener("pointercancel", (event) => {
    if (drag?.id !== event.pointerId) return;
    drag = null;
    preview(null);
    notes.preview([], {}, true);
  });
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = Number(event.target.dataset?.cell ?? NaN);
    if (Number.isNaN(cell)) return;
    const there = cellByKey(cell, event.key, size, size);
    if (there !== null) {
      board.focus(there, { reveal: true });
      event.preventDefault();
      return;
    }
    const note = noteByKey(event.key);
    if (note) {
      event.preventDefault();
      if (locked()) return;
      if (note === "clear") notes.clear([cell]);
      else notes.make([cell], note, !notes.has(cell, note));
      return;
    }
    const mark = marked(event.key, marks()[cell]);
    if (mark === null) return;
    event.preventDefault();
    if (!locked() && mark !== marks()[cell]) change(new Map([[cell, mark]]));
  });
  element.addEventListener("focusin", (event) => {
    const cell = Number(event.target.dataset?.cell ?? NaN);
    if (!Number.isNaN(cell)) board.focus(cell, { take: false });
  });

  // Drag on to a cell, over all cells on the way: a fast pointer skips some.
  function reach(cell) {
    if (drag.note) {
      for (const each of between(size, drag.at, cell)) drag.cells.add(each);
      drag.at = cell;
      notes.preview(drag.cells, drag.note, drag.on);
      return;
    }
    const paint = drag.from === "." ? "x" : ".";
    const over = (each) => {
      if (drag.from !== "*" && marks()[each] === drag.from) drag.patch.set(each, paint);
    };
    if (drag.patch === null) {
      drag.patch = new Map();
      over(drag.cell);
    }
    for (const each of between(size, drag.at, cell)) over(each);
    drag.at = cell;
    preview(drag.patch);
  }
}

function marked(key, now) {
  if (key === " " || key === "Enter") return NEXT[now];
  if (key === "x" || key === "X") return "x";
  if (key === "s" || key === "S" || key === "*") return "*";
  if (key === "Backspace" || key === "Delete" || key === ".") return ".";
  return null;
}
