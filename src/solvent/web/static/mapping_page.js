// What the names in a Tiled or LDtk map mean, as a table: the undecided ones on top. Each choice is checked at once, and
// once all that matters is decided the level can be opened. The mapping is a file that can be kept and used again.

import { post } from "./api.js";
import { button, h, save, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { count } from "./format.js";
import { linkTo } from "./share.js";

let pending = null; // what to begin with: {text, name, files, mapping}

// Go to the table for a map; `files` are others that it names, by name.
export function beginMapping(given) {
  pending = given;
  if (location.hash === "#/mapping") window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = "#/mapping";
}

export async function open(place) {
  document.title = "Names of a map · Solvent";
  if (pending) await new MappingTable(place, pending).begin();
  else place.append(h("h1", {}, "What the names of a map mean"), h("p", {}, "Open a map of Tiled or LDtk whose names are its own, and say here what they mean."), h("p", {}, h("a", { href: "#/open", class: "button" }, "Open a map")));
}

const textOf = async (file) => [file.name, await file.text()];

// A button that takes one file, or several.
function filesButton(label, take, given = {}) {
  const input = h("input", { type: "file", class: "hidden", "aria-label": label, tabindex: -1, ...given, onchange: () => input.files.length && take([...input.files]) });
  return [button(label, () => input.click()), input];
}

class MappingTable {
  constructor(place, { text, name = "map", files = {}, mapping = "" }) {
    Object.assign(this, { place, text, name, files, mapping });
    this.state = null; // as the server sees it
    this.summary = h("p", { role: "status" });
    this.trouble = h("div", {});
    this.rows = h("tbody", {});
    this.missing = h("div", { class: "mapping-missing" });
    this.asText = h("pre", { class: "text", tabindex: 0 });
    this.go = button("Open the level", () => this.#open(), { class: "primary" });
  }

  async begin() {
    this.place.append(
      h("p", { class: "crumbs" }, h("a", { href: "#/open" }, "Open your own"), " › ", this.name),
      h("h1", {}, "What the names mean"),
      h("p", {}, "This map has names of its own. Say what each stands for; what decides nothing can be ignored."),
      h(
        "div",
        { class: "mapping", ondragover: (event) => event.preventDefault(), ondrop: (event) => this.#dropped(event) },
        this.summary,
        this.trouble,
        h("div", { class: "row" }, this.go, button("Save the mapping", () => save(this.state.file_name, this.mapping)), filesButton("Load a mapping…", ([file]) => this.#load(file), { accept: ".toml" }), filesButton("Add files that it names…", (chosen) => this.#add(chosen), { multiple: true })),
        this.missing,
        h("table", { class: "names" }, h("caption", { class: "quiet" }, "Names in the map, undecided ones first"), h("thead", {}, h("tr", {}, ["Name", "What it is", "Found", "Means"].map((title) => h("th", { scope: "col" }, title)))), this.rows),
        h("details", {}, h("summary", {}, "The mapping as text"), this.asText),
      ),
    );
    await this.#ask();
  }

  // Have the server look at the mapping, with changes; one after the other, each on what came of the one before.
  #ask(changes = {}) {
    this.turn = (this.turn ?? Promise.resolve()).then(() => this.#askNow(changes));
    return this.turn;
  }

  async #askNow(changes) {
    try {
      this.state = await post("mapping", { text: this.text, name: this.name, mapping: this.mapping, files: this.files, ...changes });
    } catch (error) {
      show(this.trouble, errorCard(error));
      return;
    }
    this.mapping = this.state.text;
    this.#show();
  }

  #show() {
    const { names, problem, needs, missing } = this.state;
    const undecided = names.filter((each) => each.undecided).length;
    this.rows.closest("table").hidden = !names.length;
    this.summary.textContent = !names.length ? "" : `${count(names.length, "name")}, ${undecided ? `${undecided} undecided` : "all decided"}. ${problem ? "" : "The level can be opened."}`;
    const isAsked = !needs.length && (undecided || missing.length); // by the table and the fields above it
    show(this.trouble, problem && !isAsked ? h("div", { class: "card error mapping-problem", role: "group", "aria-label": "What is missing" }, h("p", {}, problem), needs.length ? h("p", {}, "Add that file with the button below, or drop it here.") : null) : null);
    this.go.disabled = Boolean(problem);
    this.asText.textContent = this.mapping;
    const focused = document.activeElement?.dataset?.key;
    show(this.rows, names.map((each) => this.#row(each)));
    show(this.missing, this.#whatIsMissing());
    if (focused) this.rows.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #row({ key, where, meaning, choices, note, undecided }) {
    const name = key.at(-1) === "is" ? key[1] : key.at(-1);
    const inside = ["tiles", "wang", "int_grid", "tile_properties"].includes(key[0]) ? ` ${key[1]}` : "";
    const given = { "aria-label": `What ${name} means (${where}${inside})`, "data-key": key.join("\n") };
    const change = (event) => this.#ask({ decisions: [{ key, meaning: event.target.value }] });
    const known = choices.includes(meaning) || meaning === "?" ? choices : [meaning, ...choices];
    const choose = choices.length
      ? h("select", { ...given, onchange: change }, h("option", { value: "?", selected: meaning === "?" }, "? undecided"), known.map((each) => h("option", { value: each, selected: each === meaning }, each)))
      : h("input", { ...given, value: meaning, onchange: change });
    return h(
      "tr",
      { class: undecided ? "undecided" : null },
      h("th", { scope: "row" }, undecided ? h("span", { class: "sign", "aria-hidden": "true" }, "? ") : null, name),
      h("td", {}, `${where}${inside}`),
      h("td", { class: "quiet" }, note),
      h("td", {}, choose),
    );
  }

  #whatIsMissing() {
    const { missing, levels } = this.state;
    return missing.map((thing) => {
      if (thing === "walls") return h("p", { class: "row" }, "Nothing is a wall yet. ", button("A map without walls is meant", () => this.#ask({ decisions: [{ key: ["map", "walls"], meaning: "none" }] })));
      const number = (label) => h("input", { type: "number", min: 0, value: 0, "aria-label": `${label} of the ${thing}` });
      const [row, column] = [number("Row"), number("Column")];
      const level = levels.length ? h("select", { "aria-label": `Level of the ${thing}` }, levels.map((each) => h("option", {}, each))) : null;
      const put = () => this.#ask({ places: [{ thing, row: Number(row.value), column: Number(column.value), level: level?.value ?? null }] });
      return h("p", { class: "row" }, `There is no ${thing} yet: make a name one, or put it at row `, row, " column ", column, level ? [" of ", level] : null, button("Put it there", put, { "aria-label": `Put the ${thing} there` }));
    });
  }

  async #load(file) {
    this.mapping = await file.text();
    await this.#ask();
  }

  async #add(chosen) {
    this.files = { ...this.files, ...Object.fromEntries(await Promise.all(chosen.map(textOf))) };
    await this.#ask();
  }

  async #dropped(event) {
    event.preventDefault();
    const chosen = [...event.dataTransfer.files];
    const mapping = chosen.find(({ name }) => name.endsWith(".toml"));
    if (mapping) await this.#load(mapping);
    const others = chosen.filter((file) => file !== mapping);
    if (others.length) await this.#add(others);
  }

  async #open() {
    try {
      const loaded = await post("load", { text: this.text, name: this.name, mapping: this.mapping, files: this.files });
      location.hash = await linkTo(loaded.domain, loaded.text, { name: this.name });
    } catch (error) {
      show(this.trouble, errorCard(error));
    }
  }
}
