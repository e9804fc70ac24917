// How often each module is chosen, as sliders: from 0 to 20, in steps that grow, so that small weights can be set too.

import { button, h, show } from "/static/dom.js";

const MOST = 100; // steps of a slider
const toWeight = (step) => Math.round(20 * (step / MOST) ** 2 * 100) / 100;
const toStep = (weight) => Math.round(MOST * Math.sqrt(Math.min(20, weight) / 20));

export class WeightSliders {
  // `changed({key: weight}, {begins})` hears of what is set while a slider moves, and whether it has just begun to;
  // `removed(key)` of modules that are not wanted any more.
  constructor({ changed, removed }) {
    Object.assign(this, { changed, removed });
    this.element = h("div", { class: "weights" });
    this.sliders = [];
  }

  show(page, sheet) {
    const keys = page.modules.map(({ key }) => key).join("\n");
    if (this.sheet !== sheet || this.keys !== keys) this.#make(page, sheet);
    Object.assign(this, { sheet, keys });
    page.modules.forEach(({ weight }, number) => {
      const { slider, output } = this.sliders[number];
      if (slider.dataset.moving) return; // a hand is ahead of what comes back
      if (toWeight(Number(slider.value)) !== weight) slider.value = toStep(weight);
      output.value = weight;
    });
  }

  #make(page, sheet) {
    this.sliders = page.modules.map(({ key }) => {
      const output = h("output", {});
      const slider = h("input", {
        type: "range",
        min: 0,
        max: MOST,
        "aria-label": `Weight of ${key}`,
        oninput: () => {
          const begins = !slider.dataset.moving;
          slider.dataset.moving = "true";
          output.value = toWeight(Number(slider.value));
          this.changed({ [key]: toWeight(Number(slider.value)) }, { begins });
        },
        onchange: () => delete slider.dataset.moving,
      });
      return { slider, output };
    });
    const isLast = page.modules.length < 2;
    show(
      this.element,
      page.modules.map(({ key }, number) =>
        h(
          "div",
          { class: "weight" },
          sheet.picture(number, 28),
          h("span", { class: "name" }, key),
          this.sliders[number].slider,
          this.sliders[number].output,
          button("×", () => this.removed(key), { class: "plain", disabled: isLast, "aria-label": `Remove ${key}`, title: `Remove ${key} from the rules` }),
        ),
      ),
    );
  }
}
