// From pointing and keys to painted cells. A stroke begins at a cell, which decides by the brush what is painted, and goes
// over all cells on its way; it is one step to undo.

import { between, cellByKey } from "./grid.js";

// A board has an `element`, `rows`, `cols`, `cellAt(x, y)` in the window, `cellOf(element)` and `focus(cell)`.
// `begin(cell)` returns the paint of a stroke from a cell, or undefined if none can begin, and says why.
// `preview(cells, paint)` shows a stroke, `paint(cells, paint)` makes it. `moved(cell)` hears where the keys go, and
// `key(key, cell)` returns whether it did something with another key.
export function listen(board, { begin, preview, paint, moved, key }) {
  const { element } = board;
  let stroke = null; // {id, at, value, cells} while the pointer is down

  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    const cell = board.cellAt(event.clientX, event.clientY);
    if (cell === null || stroke || event.button > 0) return;
    event.preventDefault();
    board.focus(cell);
    const value = begin(cell);
    if (value === undefined) return;
    element.setPointerCapture(event.pointerId);
    stroke = { id: event.pointerId, at: cell, value, cells: new Set([cell]) };
    preview(stroke.cells, value);
  });
  element.addEventListener("pointermove", (event) => {
    if (stroke?.id !== event.pointerId) return;
    const since = event.getCoalescedEvents?.() ?? [];
    const before = stroke.cells.size;
    for (const each of since.length ? since : [event]) {
      const cell = board.cellAt(each.clientX, each.clientY);
      if (cell === null || cell === stroke.at) continue;
      for (const on of between(board.cols, stroke.at, cell)) stroke.cells.add(on);
      stroke.at = cell;
    }
    if (stroke.cells.size > before) preview(stroke.cells, stroke.value);
  });
  element.addEventListener("pointerup", (event) => {
    if (stroke?.id !== event.pointerId) return;
    const { cells, value } = stroke;
    stroke = null;
    paint(cells, value);
  });
  element.addEventListener("pointercancel", (event) => {
    if (stroke?.id !== event.pointerId) return;
    stroke = null;
    preview(new Set(), null);
  });
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = board.cellOf(event.target);
    if (cell === null) return;
    const there = cellByKey(cell, event.key, board.rows, board.cols);
    if (there === null) {
      if (key(event.key, cell)) event.preventDefault();
      return;
    }
    event.preventDefault();
    if (there === cell) return;
    board.focus(there, { reveal: true });
    if (event.shiftKey) {
      const value = begin(cell, { byKey: true });
      if (value !== undefined) paint(new Set([cell, ...between(board.cols, cell, there)]), value);
    }
    moved(there);
  });
  element.addEventListener("focusin", (event) => {
    const cell = board.cellOf(event.target);
    if (cell !== null) board.focus(cell, { take: false });
  });
}
