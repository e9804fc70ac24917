// What clicking and dragging do: place stars and crosses, or make notes.

import { button, h } from "/static/dom.js";
import { CIRCLE, COLOURS, DOT } from "./notes.js";

const PENS = [
  { name: "marks", label: "★ ✕", title: "Stars and crosses" },
  { name: "dot", label: "•", title: "Note a dot (d)", note: { sign: DOT } },
  { name: "circle", label: "○", title: "Note a small circle (o)", note: { sign: CIRCLE } },
  ...COLOURS.map((colour, index) => ({ name: colour, label: "", title: `Colour cells ${colour} (${index + 1})`, note: { colour: index + 1 } })),
];

export class Pens {
  // `wipe()` takes all notes off the board.
  constructor({ wipe }) {
    this.note = null; // what the chosen pen notes; null for stars and crosses
    this.buttons = PENS.map(({ name, label, title, note = null }) =>
      button(label, () => this.#choose(name, note), { class: `pen ${note?.colour ? `shade-${note.colour}` : ""}`, title, "aria-label": title, "aria-pressed": String(!note), data: { pen: name } }),
    );
    this.wipe = button("Clear notes", wipe, { title: "Take all dots, circles and colours off the board", hidden: true });
    this.element = h("div", { class: "row pens", role: "group", "aria-label": "Pen" }, this.buttons);
  }

  #choose(name, note) {
    this.note = note;
    for (const each of this.buttons) each.setAttribute("aria-pressed", String(each.dataset.pen === name));
  }
}

// The note that a key makes, "clear" for one that wipes, or null.
export function noteByKey(key) {
  if (key === "0") return "clear";
  if (key === "d" || key === "D") return { sign: DOT };
  if (key === "o" || key === "O") return { sign: CIRCLE };
  return /^[1-6]$/.test(key) ? { colour: Number(key) } : null;
}
