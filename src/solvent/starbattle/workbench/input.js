// From pointing and keys to marks. A click goes from empty over cross to star; dragging paints or wipes out crosses.

import { cellByKey } from "/static/grid.js";

const NEXT = { ".": "x", x: "*", "*": "." };

// `marks()` returns the marks shown; `change(patch, {drag})` changes some; `locked()` returns whether nothing may be marked
// now, and says why.
export function listen(board, { marks, change, preview, locked }) {
  const { element, size } = board;
  let drag = null; // {id, cell, at, from, patch} while the pointer is down

  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    const cell = board.cellAt(event.clientX, event.clientY);
    if (cell === null || drag || event.button > 2 || event.button === 1) return;
    event.preventDefault();
    board.focus(cell);
    if (locked()) return;
    if (event.button === 2 || event.ctrlKey) {
      change(new Map([[cell, marks()[cell] === "*" ? "." : "*"]]));
      return;
    }
    element.setPointerCapture(event.pointerId);
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
    const { cell, from, patch } = drag;
    drag = null;
    if (patch === null) change(new Map([[cell, NEXT[from]]]));
    else if (patch.size) change(patch);
    preview(null);
  });
  element.addEventListener("pointercancel", (event) => {
    if (drag?.id !== event.pointerId) return;
    drag = null;
    preview(null);
  });
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = Number(event.target.dataset?.cell ?? NaN);
    if (Number.isNaN(cell)) return;
    const there = cellByKey(cell, event.key, size, size);
    if (there !== null) {
      board.focus(there);
      event.preventDefault();
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
    const paint = drag.from === "." ? "x" : ".";
    const over = (each) => {
      if (drag.from !== "*" && marks()[each] === drag.from) drag.patch.set(each, paint);
    };
    if (drag.patch === null) {
      drag.patch = new Map();
      over(drag.cell);
    }
    for (const each of between(drag.at, cell)) over(each);
    drag.at = cell;
    preview(drag.patch);
  }

  function between(from, to) {
    const [row, col] = [Math.floor(from / size), from % size];
    const [down, right] = [Math.floor(to / size) - row, (to % size) - col];
    const steps = Math.max(Math.abs(down), Math.abs(right));
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      return Math.round(row + down * part) * size + Math.round(col + right * part);
    });
  }
}

function marked(key, now) {
  if (key === " " || key === "Enter") return NEXT[now];
  if (key === "x" || key === "X") return "x";
  if (key === "s" || key === "S" || key === "*") return "*";
  if (key === "Backspace" || key === "Delete" || key === ".") return ".";
  return null;
}
