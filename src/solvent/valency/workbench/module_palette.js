// The modules to pin, of which one is chosen.

import { button, h, show } from "/static/dom.js";

export class ModulePalette {
  constructor(taken) {
    this.taken = taken;
    this.chosen = 0;
    this.element = h("div", { class: "palette", role: "radiogroup", "aria-label": "Module to pin" });
  }

  show(page, sheet) {
    this.chosen = Math.min(this.chosen, page.modules.length - 1);
    const keys = page.modules.map(({ key }) => key).join("\n");
    if (this.sheet === sheet && this.keys === keys) return; // nothing looks different
    Object.assign(this, { sheet, keys });
    show(
      this.element,
      page.modules.map(({ key }, number) =>
        button([sheet.picture(number, 32), h("span", {}, key)], () => this.#take(number), {
          class: "module",
          role: "radio",
          onkeydown: (event) => this.#walk(event),
        }),
      ),
    );
    this.#mark();
  }

  #mark() {
    [...this.element.children].forEach((choice, at) => {
      choice.setAttribute("aria-checked", String(at === this.chosen));
      choice.tabIndex = at === this.chosen ? 0 : -1;
    });
  }

  #take(number) {
    this.chosen = number;
    this.#mark();
    this.taken();
  }

  #walk(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const count = this.element.children.length;
    this.#take((this.chosen + step + count) % count);
    this.element.children[this.chosen].focus();
  }
}
