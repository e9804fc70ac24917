// What stands on the tile under the cursor, each thing with its fields; and what can be done with the selected tiles.

import { button, h, show } from "/static/dom.js";
import { capital } from "/static/format.js";
import { hasFields, thingForm } from "./thing_form.js";

export class Properties {
  constructor(editor) {
    this.editor = editor;
    this.element = h("div", { class: "properties" });
    this.selection = null;
    this.shown = "";
  }

  // Show the tile under the cursor. What is being typed stays as long as it is about the same.
  refresh({ force = false } = {}) {
    const { editor } = this;
    const place = editor.canvas.cursor;
    const things = editor.level.on(place);
    const now = JSON.stringify([place, editor.level.describe(place), things, this.selection, Boolean(editor.tools.clip)]);
    if (now === this.shown && !force) return;
    this.shown = now;
    show(
      this.element,
      h("p", { class: "tile-words" }, capital(editor.level.describe(place)), "."),
      things.map((thing) => this.#thing(thing)),
      this.#buttons(place, things),
    );
  }

  #thing(thing) {
    if (thing.what === "way") return this.#way(thing);
    const { editor } = this;
    const remove = thing.what === "start" ? null : button("Erase", () => editor.send({ do: "erase", what: thing.what, number: thing.number }, [], `Erased: ${thing.words}.`), { class: "small" });
    if (!hasFields(thing.word)) return h("div", { class: "thing" }, h("strong", {}, capital(thing.words)), remove);
    const form = thingForm(thing.word, thing, editor.level);
    const change = () => editor.send({ do: "set", what: thing.what, number: thing.number, thing: form.words() }, [], `Changed: ${form.words()}.`);
    return h(
      "form",
      {
        class: "thing",
        onsubmit: (event) => {
          event.preventDefault();
          change();
        },
      },
      h("strong", {}, capital(thing.words)),
      form.element,
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary small" }, "Change"), remove, thing.what === "gate" && thing.at.length > 1 ? button("Part into single tiles", () => editor.send({ do: "split", number: thing.number }, [], "Parted."), { class: "small" }) : null),
    );
  }

  #way(way) {
    const { editor } = this;
    const kind = h("select", { name: "kind" }, ["stairs", "warp", "door", "passage"].map((each) => h("option", { value: each, selected: each === way.kind }, each)));
    const both = h("input", { type: "checkbox", checked: way.both });
    const gate = h("input", { type: "text", value: way.gate, placeholder: "lock red", autocomplete: "off" });
    return h(
      "form",
      {
        class: "thing",
        onsubmit: (event) => {
          event.preventDefault();
          editor.send({ do: "way", number: way.number, kind: kind.value, both: both.checked, gate: gate.value }, [], "The way is changed.");
        },
      },
      h("strong", {}, `${capital(way.kind)} from ${editor.level.name(way.from)} to ${editor.level.name(way.to)}`),
      h("label", { class: "field" }, h("span", {}, "Kind"), kind),
      h("label", { class: "field check" }, h("span", {}, "Leads back as well"), both),
      h("label", { class: "field" }, h("span", {}, "Barred by"), gate, h("small", { class: "quiet" }, "such as lock red, cracked, barrier a")),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary small" }, "Change"), button("Disconnect", () => editor.send({ do: "disconnect", at: way.from, to: way.to }, [], "Disconnected."), { class: "small" })),
    );
  }

  #buttons(place, things) {
    const { tools } = this.editor;
    const movable = things.length > 0 && !this.selection;
    return h(
      "div",
      { class: "row", role: "group", "aria-label": this.selection ? "Selected tiles" : "This tile" },
      this.selection ? h("span", { class: "quiet" }, `${this.selection.height} × ${this.selection.width} tiles selected`) : null,
      button("Copy", () => tools.copy(), { class: "small", title: "Ctrl+C" }),
      button("Cut", () => tools.copy({ cut: true }), { class: "small", title: "Ctrl+X" }),
      button("Paste here", () => tools.paste(place), { class: "small", title: "Ctrl+V", disabled: !tools.clip }),
      button("Clear", () => tools.clear(), { class: "small", title: "Delete" }),
      this.selection ? button("Name it as a room", () => this.editor.forms.nameRoom(this.selection), { class: "small" }) : null,
      movable ? button("Move…", () => this.editor.carry(place), { class: "small", title: "Then press the tile it moves to" }) : null,
    );
  }
}
