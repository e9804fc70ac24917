// What pressing a tile does in the editor: play backwards, give or take a move, take a tile off, or paint a colour.

import { button, h, show } from "/static/dom.js";
import { tally } from "./draft.js";

export const BACK = "back";
const TOOLS = [
  [BACK, "⇄ Play backwards", "Pick two tiles in one row or column: they change places, and both get a move. What could be solved still can", null],
  ["more", "+ Move", "Give tiles a move (+ on the keyboard)", { add: 1 }],
  ["less", "− Move", "Take a move from tiles (- on the keyboard)", { add: -1 }],
  ["erase", "Erase", "Take tiles off the board (Delete on the keyboard)", { colour: null }],
];

export class Palette {
  // `chosen()` hears of each choice; `add()` adds a colour.
  constructor({ chosen, add }) {
    this.name = BACK;
    this.chosen = chosen;
    this.tools = TOOLS.map(([name, label, title]) => button(label, () => this.choose(name), { title, data: { brush: name } }));
    this.swatches = h("div", { class: "colour-swatches", role: "group", "aria-label": "Paint a colour" });
    this.add = button("+ Colour", add, { class: "add-colour", title: "Add a colour" });
    this.element = h("div", { class: "colour-palette" }, h("div", { class: "row", role: "group", "aria-label": "What pressing a tile does" }, this.tools), this.swatches);
    this.look = "";
  }

  // What the brush does to cells; null if it plays backwards.
  get brush() {
    const tool = TOOLS.find(([name]) => name === this.name);
    return tool ? tool[3] : { colour: this.colour };
  }

  // The colour that is chosen; null if it is another tool.
  get colour() {
    return this.name.startsWith("colour ") ? this.name.slice(7) : null;
  }

  choose(name) {
    this.name = name;
    this.#press();
    this.chosen();
  }

  chooseColour(colour) {
    this.choose(`colour ${colour}`);
  }

  // Show a swatch for each colour, with how many tiles it has of how many it needs.
  show(draft, paints) {
    if (this.colour !== null && !draft.palette.includes(this.colour)) this.choose(BACK);
    const counts = tally(draft);
    const look = JSON.stringify([draft.cols, draft.targets, [...counts], draft.palette.map((name) => paints(name).face)]);
    if (look !== this.look) {
      this.look = look;
      const focused = this.swatches.contains(document.activeElement) ? document.activeElement.dataset.brush : null;
      show(this.swatches, draft.palette.map((name) => this.#swatch(name, counts.get(name), draft, paints(name))), this.add);
      if (focused) this.swatches.querySelector(`[data-brush="${CSS.escape(focused)}"]`)?.focus();
    }
    this.#press();
  }

  #swatch(name, tiles, { cols, targets }, { short, face }) {
    const wanted = targets.includes(name) ? cols : 0;
    const made = button(h("span", {}, h("strong", {}, short), ` ${tiles}/${wanted}`), () => this.chooseColour(name), {
      class: `colour-swatch ${tiles === wanted ? "" : "uneven"}`,
      title: name.toLowerCase(),
      "aria-label": `${name.toLowerCase()}, ${tiles} of ${wanted} tiles`,
      data: { brush: `colour ${name}` },
    });
    made.style.setProperty("--face", face);
    return made;
  }

  #press() {
    for (const each of [...this.tools, ...this.swatches.querySelectorAll(".colour-swatch")]) each.setAttribute("aria-pressed", String(each.dataset.brush === this.name));
  }
}
