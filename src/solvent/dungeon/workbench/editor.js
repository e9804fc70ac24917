// Draw a dungeon: a palette, tools, live verdicts. Strokes are seen at once and sent as one change each, in turn.

import { button, h, s, show, stylesheet } from "/static/dom.js";
import { capital } from "/static/format.js";
import { Canvas } from "./editor/canvas.js";
import { exportButtons } from "./editor/exports.js";
import { Level } from "./editor/level.js";
import { LevelForms } from "./editor/level_forms.js";
import { Palette } from "./editor/palette.js";
import { Properties } from "./editor/properties.js";
import { hasFields, thingForm } from "./editor/thing_form.js";
import { Tools, TOOLS } from "./editor/tools.js";
import { Verdicts } from "./editor/verdicts.js";

const HELP = "Arrow keys move the cursor, Space or Enter does what the tool does there, Shift with an arrow key draws on. Letters and digits choose from the palette and the tools as they are marked. Ctrl+C, Ctrl+X and Ctrl+V copy, cut and paste, Delete clears, Escape lets go. + and - zoom, 0 shows all.";
const TOO_LARGE = "This dungeon is too large to be edited in a page. The play page and the text still have it.";

export default async function mount(bench, room) {
  await Promise.all([stylesheet("/domains/dungeon/dungeon.css"), stylesheet("/domains/dungeon/editor.css")]);
  return new Editor(bench, room).part;
}

class Editor {
  constructor(bench, room) {
    this.bench = bench;
    this.room = room;
    this.level = null;
    this.brush = "floor";
    this.typed = {}; // what was typed for each kind of thing
    this.queue = Promise.resolve();
    this.undone = 0; // how many changes can be made again
    this.pending = []; // what was drawn and is not answered yet: {layers}
    this.status = h("p", { class: "dungeon-status", role: "status", "aria-live": "polite" });
    this.tools = new Tools(this);
    this.canvas = new Canvas(this.tools, HELP);
    this.preview = s("g", {});
    this.chosen = s("g", {});
    this.canvas.overlay.append(this.chosen, this.preview);
    this.part = { show: (loaded, how) => this.show(loaded, how), key: (event) => this.key(event), ready: () => this.queue.then(() => null), refused: (message) => this.refuse(message), leave: () => this.verdicts?.stop() };
    this.onKeyUp = (event) => event.key === "Shift" && this.#endDrawing();
    document.addEventListener("keyup", this.onKeyUp);
    bench.onLeave(() => document.removeEventListener("keyup", this.onKeyUp));
  }

  #build(palette) {
    const { bench, room } = this;
    this.palette = new Palette(palette, (word) => this.setBrush(word));
    this.adds = h("input", { type: "checkbox" });
    this.both = h("input", { type: "checkbox", checked: true });
    this.barred = h("input", { type: "text", placeholder: "lock red", autocomplete: "off" });
    this.options = h("div", { class: "brush-options", role: "group" });
    this.properties = new Properties(this);
    this.forms = new LevelForms(this);
    this.verdicts = new Verdicts(this);
    this.undo = button("↶", () => bench.undo(), { "aria-label": "Undo", title: "Undo (Ctrl+Z)" });
    this.redo = button("↷", () => bench.redo(), { "aria-label": "Redo", title: "Redo (Ctrl+Y)" });
    this.toolButtons = TOOLS.map((tool) => button([h("span", { "aria-hidden": "true" }, tool.sign), h("span", { class: "name" }, tool.label)], () => this.chooseTool(tool.name), { class: "tool", "aria-label": tool.label, "data-tool": tool.name, "aria-pressed": "false", "aria-keyshortcuts": tool.key, title: `${tool.label} (${tool.key.toUpperCase()}). ${tool.help}` }));
    this.floors = h("div", { class: "row floors", role: "group", "aria-label": "Floors" });
    const zoom = h("div", { class: "zoom", role: "group", "aria-label": "Zoom" }, button("+", () => this.canvas.view?.zoom(1.4), { "aria-label": "Closer" }), button("−", () => this.canvas.view?.zoom(1 / 1.4), { "aria-label": "Farther" }), button("⤢", () => this.canvas.view?.fit(), { "aria-label": "All of it" }));
    room.stage.classList.add("dungeon-stage", "dungeon-editor");
    show(
      room.stage,
      h("div", { class: "edit-bar" }, h("div", { class: "join", role: "group", "aria-label": "Undo and redo" }, this.undo, this.redo), h("div", { class: "tool-row", role: "group", "aria-label": "Tools" }, this.toolButtons), zoom),
      this.verdicts.chips,
      h("div", { class: "edit-area" }, this.palette.element, h("div", { class: "edit-main" }, this.floors, this.canvas.frame, this.status, this.options)),
    );
    show(room.tools, h("details", { class: "quiet edit-help" }, h("summary", {}, "Keys"), h("p", {}, HELP)));
    const section = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), children);
    show(room.panel, section("Verdict", this.verdicts.element), section("This tile", this.properties.element), section("The level", this.forms.element), section("Export", exportButtons(this)));
  }

  // Another state of the level is on the bench.
  show(loaded, how = {}) {
    const { level, palette, track } = loaded.page;
    if (!level) {
      this.verdicts?.stop();
      this.palette = null; // it is built anew once the level is small enough
      show(this.room.panel);
      return show(this.room.stage, h("p", {}, TOO_LARGE));
    }
    if (!this.palette) {
      this.#build(palette);
      this.begun = false;
    }
    if (track.moves.length && how.entered) return this.send({ do: "title", title: level.title }, [], "The moves played are taken back; Undo makes them again.");
    this.level = new Level(level);
    this.canvas.show(loaded.page);
    if (!this.begun) {
      this.begun = true;
      this.chooseTool("paint");
      this.palette.choose("wall");
    }
    this.tools.showSelection();
    this.undo.disabled = !this.bench.past.length;
    this.redo.disabled = !this.bench.future.length;
    this.#showFloors();
    this.forms.show();
    this.properties.refresh();
    this.verdicts.refresh();
    if (how.turned) this.say(this.bench.future.length > this.undone ? "Undone." : "Redone.");
    else if (how.entered) this.say("Choose from the palette, then draw on the map.");
    this.undone = this.bench.future.length;
    return null;
  }

  #showFloors() {
    const { floors } = this.level;
    show(this.floors, floors.length > 1 ? [button("All floors", () => this.canvas.view.fit(), { class: "small" }), floors.map((floor, number) => button(floor.name, () => this.canvas.map.showFloor(number), { class: "small" }))] : null);
  }

  // Send a change after those before it. `layers` show it until the answer is there; `words` say what was done.
  send(action, layers, words) {
    const change = { layers };
    this.pending.push(change);
    performance.mark("dungeon-edit");
    this.queue = this.queue.then(async () => {
      const loaded = await this.bench.edit(action);
      this.pending.splice(this.pending.indexOf(change), 1);
      for (const layer of layers) layer.remove();
      performance.mark("dungeon-picture");
      if (loaded) this.say([capital(words), ...loaded.remarks.map((remark) => (/[.!?]$/.test(remark) ? capital(remark) : `${capital(remark)}.`))].join(" "));
      else if (!this.pending.length && this.bench.loaded.page.level) this.level = new Level(this.bench.loaded.page.level); // what was laid at once is not there
    });
    return this.queue;
  }

  say(message) {
    this.status.textContent = message;
    this.status.className = "dungeon-status";
  }

  refuse(message) {
    this.status.textContent = capital(message);
    this.status.className = "dungeon-status refused";
  }

  // the brush

  setBrush(word) {
    this.brush = word;
    const isWay = this.palette.brushes.get(word).group === "Ways";
    if (!["paint", "rectangle", "fill", "connect"].includes(this.tools.name) || (isWay && this.tools.name !== "paint") || this.tools.name === "connect") this.chooseTool("paint");
    else this.tools.cancel();
    this.#showOptions();
    const name = this.palette.brushes.get(word).name;
    this.say(isWay ? `${name}: drag from one end to the other, or press both.` : `${name} chosen.`);
  }

  #showOptions() {
    const word = this.brush;
    const isWay = this.palette.brushes.get(word).group === "Ways";
    this.form = hasFields(word) && this.level ? thingForm(word, this.typed[word] ?? {}, this.level, () => (this.typed[word] = this.form.values())) : null;
    const box = (words, input) => h("label", { class: "field check" }, h("span", {}, words), input);
    this.options.setAttribute("aria-label", this.palette.brushes.get(word).name);
    show(
      this.options,
      this.form?.element,
      this.form && !["lock", "cracked", "gate", "needs", "barrier", "soft"].includes(word) ? box("Beside what lies there", this.adds) : null,
      isWay ? [box("Leads back as well", this.both), h("label", { class: "field" }, h("span", {}, "Barred by"), this.barred, h("small", { class: "quiet" }, "such as lock red; empty for nothing"))] : null,
    );
  }

  // The brush in the words of the text format.
  words() {
    return this.form?.words() ?? this.brush;
  }

  // What the brush still lacks, in words for the designer, or null.
  missing() {
    return this.form?.missing() ?? null;
  }

  way() {
    const isWay = this.palette.brushes.get(this.brush).group === "Ways";
    return { kind: isWay ? this.brush : "stairs", both: this.both.checked, gate: this.barred.value };
  }

  pick(thing) {
    if (!this.palette.brushes.has(thing.word)) return;
    if (hasFields(thing.word)) this.typed[thing.word] = thing;
    this.palette.choose(thing.word);
    this.say(`Picked: ${thing.words ?? thing.word}.`);
  }

  // tools

  chooseTool(name) {
    this.tools.choose(name);
    for (const each of this.toolButtons) each.setAttribute("aria-pressed", String(each.dataset.tool === name));
    const tool = TOOLS.find((each) => each.name === name);
    if (tool) this.say(`${tool.label}. ${tool.help}`);
    this.room.stage.dataset.tool = name;
  }

  selected(area) {
    this.properties.selection = area;
    this.properties.refresh();
    if (area) this.say(`${area.height} rows × ${area.width} columns selected, from ${this.level.name(area.corner)}.`);
  }

  // Have the next tile that is pressed take what stands on a tile.
  carry(from) {
    this.chooseTool("move");
    this.tools.anchor = from;
    this.say("Press the tile it moves to, or go there and press Enter.");
  }

  // keys

  key(event) {
    if (!this.palette || event.target.closest(".right, summary, .brush-options")) return;
    if (event.target.closest("button") && (event.key === " " || event.key === "Enter")) return;
    const control = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (control && "cxv".includes(letter)) {
      if (letter === "v") this.tools.paste(this.canvas.pointed ?? this.canvas.cursor);
      else this.tools.copy({ cut: letter === "x" });
    } else if (control || event.altKey) return;
    else if (this.canvas.isArrow(event.key)) this.#arrow(event);
    else if (event.key === " " || event.key === "Enter") this.tools.apply(this.canvas.cursor);
    else if (event.key === "Delete" || event.key === "Backspace") this.tools.clear();
    else if (event.key === "Escape") {
      this.tools.cancel();
      this.tools.select(null);
      this.say("Let go.");
    } else if (event.key === "+" || event.key === "=") this.canvas.view.zoom(1.4);
    else if (event.key === "-") this.canvas.view.zoom(1 / 1.4);
    else if (event.key === "0") this.canvas.view.fit();
    else if (TOOLS.some((tool) => tool.key === letter)) this.chooseTool(TOOLS.find((tool) => tool.key === letter).name);
    else if (this.palette.forKey(event.key)) this.palette.choose(this.palette.forKey(event.key).word);
    else return;
    event.preventDefault();
  }

  #arrow(event) {
    const before = this.canvas.cursor;
    const place = this.canvas.beside(event.key);
    if (!place) return this.say("The edge of the map.");
    const draws = event.shiftKey && ["paint", "erase"].includes(this.tools.name);
    if (draws && !this.tools.stroke) this.tools.begin(before);
    this.canvas.setCursor(place);
    if (draws) this.tools.go(place);
    else this.tools.moved(place);
    this.properties.refresh();
    return this.say(`${capital(this.level.describe(place))}.`);
  }

  #endDrawing() {
    if (this.bench.mode === "edit" && this.tools.stroke && this.canvas.drawing === null) this.tools.end();
  }
}
