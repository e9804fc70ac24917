// What a NO rests on: the name of its test or proof, a sentence, and the cells of the board that it points at.

import { cellNamed, swapNamed } from "./cells.js";

// Return {test, text, cells} for a NO about the board on the page.
export function readProof({ certificate, reason }, page) {
  const text = reason ?? "";
  if (!certificate) return { test: "Not certified", text, cells: [] };
  const { form, rule } = certificate;
  const test = { invariant: `Broken rule, ${rule}`, refutation: "Proof by contradiction", "closed set": "All positions tried" }[form];
  return { test: test ?? form, text, cells: cellsNamed(certificate, page) };
}

// A certificate may speak of the board after some forced swaps; a player sees where those tiles stand now.
function cellsNamed(certificate, { cols, moves }) {
  const forced = new Map();
  for (const name of certificate.forced ?? []) {
    const [a, b] = swapNamed(name, cols);
    forced.set(a, b).set(b, a);
  }
  const { component, cells = component ?? [], most_moves: most = Infinity } = certificate;
  return cells
    .map((name) => cellNamed(name, cols))
    .map((cell) => forced.get(cell) ?? cell)
    .filter((cell) => moves[cell] <= most); // a refutation follows only tiles with few moves
}
