// Situations that a search has found, in columns by how many lie before them; a line says what was opened to get there.

import { h, s, show } from "/static/dom.js";

const [WIDTH, HEIGHT, GAP, BELOW] = [150, 40, 46, 8]; // of a box, and between boxes
const MAX_LETTERS = 23;

export class SituationGraph {
  // `point(place)` shows where a situation is.
  constructor(point) {
    this.point = point;
    this.svg = s("svg", { role: "group", "aria-label": "Situations found" });
    this.words = h("p", { class: "quiet" });
    this.element = h("div", { class: "situations", hidden: true }, this.words, h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Situations found" }, this.svg));
    this.drawn = ""; // which are drawn
  }

  // Of several explorations the last one is shown.
  show(found) {
    const search = found.at(-1)?.search;
    const situations = found.filter((each) => each.search === search);
    const drawn = `${search}: ${situations.length}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.element.hidden = !situations.length;
    if (!situations.length) return;
    this.words.textContent = `${situations.length === 1 ? "1 situation" : `${situations.length} situations`}: what was opened, and what is in hand then.`;
    const rows = new Map(); // depth -> how many stand there
    const spots = new Map();
    for (const { id, depth } of situations) {
      const row = rows.get(depth) ?? 0;
      rows.set(depth, row + 1);
      spots.set(id, { x: 2 + depth * (WIDTH + GAP), y: 2 + row * (HEIGHT + BELOW) });
    }
    const width = 4 + rows.size * (WIDTH + GAP) - GAP;
    const height = 4 + Math.max(0, ...rows.values()) * (HEIGHT + BELOW) - BELOW;
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) this.svg.setAttribute(name, value);
    show(
      this.svg,
      situations.filter(({ from }) => from !== null).map(({ id, from }) => line(spots.get(from), spots.get(id))),
      situations.map((each) => this.#box(each, spots.get(each.id))),
    );
  }

  #box({ id, did, have, at, from }, { x, y }) {
    const words = `Situation ${id + 1}${from === null ? ", where it begins" : `, from ${from + 1}: ${did}`}. In hand: ${have}.`;
    const point = () => this.point(at);
    const key = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      point();
    };
    return s(
      "g",
      { class: "situation", tabindex: 0, role: "button", "aria-label": words, transform: `translate(${x} ${y})`, onclick: point, onkeydown: key },
      s("title", {}, words),
      s("rect", { width: WIDTH, height: HEIGHT, rx: 7 }),
      s("text", { x: 8, y: 16, class: "did" }, shorten(`${id + 1}  ${from === null ? "the start" : did}`)),
      s("text", { x: 8, y: 32, class: "have" }, shorten(`has ${have}`)),
    );
  }
}

const shorten = (words) => (words.length > MAX_LETTERS ? `${words.slice(0, MAX_LETTERS - 1)}…` : words);

function line(from, to) {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  return s("path", { class: "edge", d: `M${x1} ${y1}C${x1 + GAP / 2} ${y1} ${x2 - GAP / 2} ${y2} ${x2} ${y2}` });
}
