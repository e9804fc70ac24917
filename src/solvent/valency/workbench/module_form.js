// Add a module: its name, a bundled picture or a colour, and what it may touch to begin with.

import { h, show } from "/static/dom.js";

export class ModuleForm {
  // `add(module)` resolves to something if it was added.
  constructor(add) {
    this.name = h("input", { type: "text", maxlength: 60, required: true, autocomplete: "off", "aria-label": "Name of the module", placeholder: "Name" });
    this.look = h("select", { "aria-label": "Picture", onchange: () => this.#refresh() });
    this.turns = h("select", { "aria-label": "Turned" }, [0, 1, 2, 3].map((turns) => h("option", { value: turns }, turns ? `turned by ${90 * turns}°` : "not turned")));
    this.colour = h("input", { type: "color", value: "#7aa05a", "aria-label": "Colour" });
    this.like = h("select", { "aria-label": "May touch" });
    const submit = async (event) => {
      event.preventDefault();
      const look = this.look.value ? { sprite: this.look.value, turns: Number(this.turns.value) } : { colour: this.colour.value };
      if (await add({ name: this.name.value, ...look, like: this.like.value || null })) this.name.value = "";
    };
    const field = (label, ...inputs) => h("label", { class: "field" }, h("span", {}, label), inputs);
    this.element = h(
      "details",
      { class: "adding" },
      h("summary", {}, "Add a module"),
      h("form", { onsubmit: submit }, field("name", this.name), field("picture", this.look), h("div", { class: "row" }, this.turns, this.colour), field("may touch", this.like), h("button", { type: "submit", class: "primary" }, "Add")),
    );
  }

  show(page) {
    if (!this.look.childElementCount) {
      const sets = Map.groupBy(page.sprites, (name) => name.split("/")[0]);
      show(
        this.look,
        h("option", { value: "" }, "a colour"),
        [...sets].map(([set, names]) => h("optgroup", { label: set }, names.map((name) => h("option", { value: name }, name.split("/")[1].replaceAll("_", " "))))),
      );
    }
    const chosen = this.like.value;
    show(this.like, h("option", { value: "" }, "anything"), page.modules.map(({ key }) => h("option", { value: key, selected: key === chosen }, `what ${key} may`)));
    this.#refresh();
  }

  #refresh() {
    this.turns.hidden = !this.look.value;
    this.colour.hidden = Boolean(this.look.value);
  }
}
