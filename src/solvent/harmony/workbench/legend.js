// What the board shows and how it is played, in a few lines.

import { h } from "/static/dom.js";

const LINES = [
  ["Goal", "Every tile in its colour's row, with no move left. The tab at the left shows the row's colour; the column does not matter."],
  ["Swap", "Any two tiles in one row or column change places, near or far. It costs both a move."],
  ["Dots", "Moves a tile has left. Each has to be used."],
  ["House", "The tile is in its own row. With a tick it is done; a padlock on a dashed tile means it is locked in the wrong row."],
  ["Play", "Pick two tiles, or drag one onto the other. Keys: arrows, Space or Enter to pick, Escape to let go, Ctrl+Z to undo, H for a hint."],
];

export function legend() {
  return h(
    "details",
    { class: "card legend" },
    h("summary", {}, h("strong", {}, "How to play")),
    h("dl", {}, LINES.map(([word, said]) => [h("dt", {}, word), h("dd", {}, said)])),
  );
}
