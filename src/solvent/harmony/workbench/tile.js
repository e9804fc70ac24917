// One tile as SVG: its colour with a letter, its moves as dots, and whether it is home, done, or locked out of its row.

import { s, show } from "/static/dom.js";

export const TILE = 60; // the side of a tile, in the picture's own units
export const PITCH = TILE + 6;

// The pips of a die on a grid of 3 by 3, in steps from the middle.
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
const HOUSE = "M39 14l7.5 -6.5l7.5 6.5h-2.5v5.5h-10v-5.5z";

// Make an empty tile; `paintTile` fills it.
export function makeTile() {
  return s("g", { class: "tile" });
}

// Show a colour and a number of moves. `home`: it stands in its colour's row.
export function paintTile(tile, colour, moves, home) {
  tile.style.setProperty("--face", colour.face);
  tile.style.setProperty("--rim", colour.rim);
  tile.style.setProperty("--letter", colour.ink);
  tile.classList.toggle("still", moves === 0);
  tile.classList.toggle("settled", moves === 0 && home);
  tile.classList.toggle("locked", moves === 0 && !home);
  show(
    tile,
    s(
      "g",
      { class: "body" },
      moves ? s("rect", { class: "rim", x: 0, y: 3, width: TILE, height: TILE - 2, rx: 11 }) : null,
      moves
        ? s("rect", { class: "face", width: TILE, height: TILE - 2, rx: 11 })
        : s("rect", { class: "face", x: 2.5, y: 2.5, width: TILE - 5, height: TILE - 5, rx: 9 }),
      s("text", { class: "letter", x: 8, y: 19 }, colour.short),
      home ? s("path", { class: "house", d: HOUSE }) : null,
      movesLeft(moves, home),
    ),
  );
}

// Show that there is no tile yet.
export function paintNoTile(tile) {
  tile.classList.remove("still", "settled", "locked");
  show(tile, s("rect", { class: "no-tile", x: 2.5, y: 2.5, width: TILE - 5, height: TILE - 5, rx: 9 }));
}

function movesLeft(moves, home) {
  if (moves in PIPS) return s("path", { class: "pips", d: PIPS[moves].map(([x, y]) => dot(30 + x * 12, 39 + y * 10, 4.4)).join("") });
  if (moves) return s("text", { class: "number", x: 30, y: 46 }, moves);
  if (home) return s("path", { class: "tick", d: "M20 37l7 7l13 -14" });
  // A padlock: this tile stays where it is for good, and that is not its row.
  return s("path", { class: "padlock", d: "M22 35h16a2 2 0 0 1 2 2v9a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-9a2 2 0 0 1 2 -2zM25 35v-4a5 5 0 0 1 10 0v4" });
}

const dot = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
