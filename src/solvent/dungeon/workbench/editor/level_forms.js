// The level as a whole: its title, size, floors, rooms, rules, and what its goal needs.

import { button, h, show } from "/static/dom.js";
import { rulesForm } from "../rules_form.js";

const SIDES = ["north", "west", "east", "south"];
const GROUNDS = ["wall", "floor", "nothing", "water"];

const labelled = (words, input, note = null) => h("label", { class: "field" }, h("span", {}, words), input, note ? h("small", { class: "quiet" }, note) : null);
const choice = (name, values, chosen = null) => h("select", { name }, values.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));

// A form of its own: pressing Enter in it does what its button does.
function form(label, action, ...children) {
  const submit = (event) => {
    event.preventDefault();
    action(new FormData(event.target));
  };
  return h("form", { class: "level-form", onsubmit: submit }, children, h("button", { type: "submit", class: "small" }, label));
}

export class LevelForms {
  constructor(editor) {
    this.editor = editor;
    this.element = h("div", { class: "level-forms" });
    this.shown = "";
    this.rules = rulesForm(editor.bench, (rules) => editor.send({ do: "rules", rules }, [], "The rules are changed."));
    this.named = h("div", {});
  }

  show() {
    const { level } = this.editor;
    const now = JSON.stringify([level.title, level.floors.map((floor) => [floor.name, floor.rows.length, floor.rows[0].length]), level.rooms, level.switches, level.goal_rule]);
    this.rules.show(level.rules);
    if (now === this.shown) return;
    this.shown = now;
    const open = new Set([...this.element.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
    const part = (title, ...children) => h("details", { open: open.has(title) }, h("summary", {}, title), children);
    show(
      this.element,
      form("Set the title", (data) => this.#send({ do: "title", title: data.get("title") }, "The title is changed."), labelled("Title", h("input", { type: "text", name: "title", maxlength: 300, value: level.title, autocomplete: "off" }))),
      part("Size", this.#size(level)),
      part("Floors", this.#floors(level)),
      part("Rooms", this.#rooms(level)),
      part("Goal and switches", this.#goal(level), level.switches.map((each) => this.#states(each))),
      part("Rules", this.rules.element),
    );
  }

  #send(action, words) {
    this.editor.send(action, [], words);
  }

  #floorChoice(level) {
    if (level.floors.length === 1) return h("input", { type: "hidden", name: "floor", value: "0" });
    return labelled("Floor", choice("floor", level.floors.map((floor, number) => [String(number), floor.name])));
  }

  #size(level) {
    const side = (name) => labelled(name[0].toUpperCase() + name.slice(1), h("input", { type: "number", name, value: "0", min: -200, max: 200, class: `side-${name}` }));
    return form(
      "Resize",
      (data) => this.#send({ do: "resize", floor: Number(data.get("floor")), ...Object.fromEntries(SIDES.map((name) => [name, Number(data.get(name)) || 0])), terrain: data.get("terrain"), cut: data.has("cut") }, "The size is changed."),
      h("p", { class: "quiet" }, level.floors.map((floor) => `${floor.name ? `${floor.name}: ` : ""}${floor.rows.length} rows × ${floor.rows[0].length} columns`).join("; "), ". Add rows and columns at each side; a number below 0 takes some away."),
      this.#floorChoice(level),
      h("div", { class: "sides" }, SIDES.map(side)),
      labelled("New tiles are", choice("terrain", GROUNDS.map((each) => [each, each]))),
      h("label", { class: "field check" }, h("span", {}, "Cut off what stands there"), h("input", { type: "checkbox", name: "cut" })),
    );
  }

  #floors(level) {
    return [
      level.floors.map((floor, number) =>
        form(
          "Rename",
          (data) => this.#send({ do: "rename_floor", floor: number, name: data.get("name") }, "The floor is renamed."),
          labelled(`Floor ${number + 1}`, h("input", { type: "text", name: "name", value: floor.name, maxlength: 60, autocomplete: "off" })),
          level.floors.length > 1 ? button("Remove", () => this.#send({ do: "remove_floor", floor: number }, "The floor is removed."), { class: "small" }) : null,
        ),
      ),
      form(
        "Add a floor",
        (data) => this.#send({ do: "add_floor", name: data.get("name"), rows: Number(data.get("rows")), columns: Number(data.get("columns")), terrain: data.get("terrain") }, "A floor is added."),
        labelled("New floor", h("input", { type: "text", name: "name", value: `Floor ${level.floors.length + 1}`, maxlength: 60, autocomplete: "off" })),
        h("div", { class: "sides" }, labelled("Rows", h("input", { type: "number", name: "rows", value: "15", min: 1, max: 200 })), labelled("Columns", h("input", { type: "number", name: "columns", value: "20", min: 1, max: 200 }))),
        labelled("Its tiles are", choice("terrain", GROUNDS.map((each) => [each, each]))),
      ),
    ];
  }

  #rooms(level) {
    return [
      level.rooms.length ? null : h("p", { class: "quiet" }, "No room has a name. Select tiles, then name them."),
      this.named,
      level.rooms.map((room) =>
        form(
          "Change",
          (data) => this.#room(data, room, room.name),
          labelled("Room", h("input", { type: "text", name: "name", value: room.name, maxlength: 60, autocomplete: "off" })),
          labelled("Labels", h("input", { type: "text", name: "labels", value: room.labels.join(", "), autocomplete: "off" })),
          button("Remove", () => this.#send({ do: "remove_room", name: room.name }, "The room has no name now."), { class: "small" }),
        ),
      ),
    ];
  }

  #room(data, { corner, height, width }, was = "") {
    const labels = (data.get("labels") ?? "").split(",").map((each) => each.trim()).filter(Boolean);
    this.#send({ do: "room", name: data.get("name"), corner, height, width, labels, was }, `The room is called ${data.get("name")}.`);
  }

  // Ask for the name of the selected tiles.
  nameRoom(area) {
    const input = h("input", { type: "text", name: "name", maxlength: 60, autocomplete: "off", value: `Room ${this.editor.level.rooms.length + 1}` });
    const asked = form("Name it", (data) => {
      show(this.named);
      this.#room(data, area);
    }, labelled("Name of the selected tiles", input));
    show(this.named, asked);
    this.named.closest("details").open = true;
    input.focus();
    input.select();
  }

  #goal(level) {
    const input = h("input", { type: "text", name: "rule", value: level.goal_rule, autocomplete: "off" });
    return form("Set", (data) => this.#send({ do: "goal", rule: data.get("rule") }, "The goal is changed."), labelled("Goals need", input, "such as medallion >= 3; empty for nothing"));
  }

  #states({ name, states }) {
    const input = h("input", { type: "text", name: "states", value: states.join(", "), placeholder: "off, on", autocomplete: "off" });
    return form("Set", (data) => this.#send({ do: "states", switch: name, states: data.get("states").split(",").map((each) => each.trim()).filter(Boolean) }, "The states are changed."), labelled(`States of ${name}`, input));
  }
}
