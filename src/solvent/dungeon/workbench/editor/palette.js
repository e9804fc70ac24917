// The palette: everything there is to place, in groups. One stop of the Tab key; arrow keys move and choose.

import { button, h, s } from "/static/dom.js";
import { copySvg } from "/static/safe_svg.js";

export class Palette {
  // `chosen(word)` hears what was chosen.
  constructor(brushes, chosen) {
    this.chosen = chosen;
    this.brushes = new Map(brushes.map((brush) => [brush.word, brush]));
    this.buttons = new Map();
    const groups = Map.groupBy(brushes, (brush) => brush.group);
    this.element = h("div", { class: "palette", role: "toolbar", "aria-label": "Palette", "aria-orientation": "vertical", onkeydown: (event) => this.#key(event) });
    for (const [name, members] of groups) {
      this.element.append(h("div", { class: "palette-group", role: "group", "aria-label": name }, h("h2", {}, name), h("div", { class: "brushes" }, members.map((brush) => this.#button(brush)))));
    }
    this.current = null;
  }

  #button(brush) {
    const made = button([icon(brush.sign), h("span", { class: "name" }, brush.name), h("kbd", { "aria-hidden": "true" }, brush.key.toUpperCase())], () => this.choose(brush.word), {
      class: "brush",
      title: `${brush.name} (${brush.key.toUpperCase()})`,
      "aria-keyshortcuts": brush.key,
      "aria-pressed": "false",
      tabindex: -1,
      "data-word": brush.word,
    });
    this.buttons.set(brush.word, made);
    return made;
  }

  choose(word, { quietly = false } = {}) {
    this.current = word;
    for (const [each, made] of this.buttons) {
      made.setAttribute("aria-pressed", String(each === word));
      made.tabIndex = each === word ? 0 : -1;
    }
    if (!quietly) this.chosen(word);
  }

  // The brush that a key stands for, if any.
  forKey(key) {
    return [...this.brushes.values()].find((brush) => brush.key === key.toLowerCase()) ?? null;
  }

  sign(word) {
    return this.brushes.get(word)?.sign ?? "";
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const words = [...this.buttons.keys()];
    const at = words.indexOf(event.target.dataset.word);
    const next = event.key === "Home" ? 0 : event.key === "End" ? words.length - 1 : step ? (at + step + words.length) % words.length : null;
    if (at < 0 || next === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(words[next]);
    this.buttons.get(words[next]).focus();
  }
}

export const icon = (sign) => s("svg", { viewBox: "-17 -17 34 34", width: 28, height: 28, "aria-hidden": "true", class: "icon" }, copySvg(sign));
