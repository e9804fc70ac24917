// What the hand does on the map: each tool turns a stroke, or two presses of a key, into one change.

import { count } from "/static/format.js";
import { show } from "/static/dom.js";
import { samePlace } from "./canvas.js";
import { isIn, isTerrain, keyOf, line, rectangle, tilesIn } from "./level.js";

export const TOOLS = [
  { name: "paint", label: "Draw", key: "q", sign: "✏", help: "Drag over tiles." },
  { name: "rectangle", label: "Rectangle", key: "r", sign: "▭", help: "Drag from corner to corner." },
  { name: "fill", label: "Fill", key: "f", sign: "▨", help: "Press a tile: all of the same ground around it is filled." },
  { name: "erase", label: "Erase", key: "e", sign: "⌫", help: "Drag over things to take them away; the ground stays." },
  { name: "select", label: "Select", key: "s", sign: "⬚", help: "Drag over tiles, then copy, cut, delete, or drag them elsewhere." },
  { name: "connect", label: "Connect", key: "x", sign: "⇄", help: "Drag from where a way begins to where it ends, or press both; or a switch, then what it works." },
  { name: "pick", label: "Pick", key: "/", sign: "⊙", help: "Press a tile to take what is there as the brush." },
  { name: "pan", label: "Pan", key: "9", sign: "✥", help: "Drag the map; two fingers or the middle button do as well." },
];
const WAYS = new Set(["stairs", "warp", "door", "passage"]);

export class Tools {
  constructor(editor) {
    this.editor = editor;
    this.name = "paint";
    this.selection = null;
    this.clip = null; // {text, corner, height, width, cut}
    this.anchor = null; // the first corner or end, while the second is awaited
    this.stroke = null; // {kind, places, seen, last, layer}
  }

  get #level() {
    return this.editor.level;
  }

  get #canvas() {
    return this.editor.canvas;
  }

  choose(name) {
    this.cancel();
    this.name = name;
    if (name !== "select") this.select(null);
  }

  // the hands of the canvas

  pans() {
    return this.name === "pan";
  }

  moved(place) {
    if (!this.anchor || this.stroke) return;
    if (["rectangle", "select"].includes(this.name)) this.#preview(rectangle(this.anchor, this.anchor[0] === place[0] ? place : this.anchor));
    else this.#previewLink(this.anchor, place);
  }

  begin(place, event = {}) {
    this.editor.properties.refresh();
    const kind = event.button === 2 ? "erase" : event.altKey ? "pick" : this.name;
    if (this.anchor && ["rectangle", "select"].includes(kind)) return this.apply(place);
    this.stroke = { kind, places: [], seen: new Set(), last: null, first: place, layers: [] };
    if (kind === "select" && this.selection && isIn(this.selection, place)) this.stroke.kind = "carry";
    this.go(place);
  }

  go(place) {
    const { stroke } = this;
    if (!stroke || samePlace(place, stroke.last)) return;
    const steps = stroke.last ? line(stroke.last, place) : [place];
    stroke.last = place;
    if (this.#connects(stroke.kind)) this.#previewLink(this.anchor ?? stroke.first, place);
    else if (["paint", "erase"].includes(stroke.kind)) this.#extend(steps);
    else if (["rectangle", "select"].includes(stroke.kind) && place[0] === stroke.first[0]) this.#preview(rectangle(stroke.first, place));
    else if (stroke.kind === "carry") this.#preview(this.#carried(stroke.first, place) ?? this.selection);
  }

  #extend(places) {
    const { stroke, editor } = this;
    const single = stroke.kind === "paint" && editor.brush === "start";
    const fresh = places.filter((place) => this.#level.has(place) && !stroke.seen.has(keyOf(place)));
    if (!fresh.length) return;
    if (single) {
      for (const layer of stroke.layers) layer.remove();
      stroke.places.length = stroke.layers.length = 0;
      fresh.splice(0, fresh.length - 1);
    } else for (const place of fresh) stroke.seen.add(keyOf(place));
    stroke.places.push(...fresh);
    stroke.layers.push(this.#canvas.ghost(fresh, stroke.kind === "erase" ? "erase" : editor.brush, editor.palette.sign(editor.brush)));
  }

  end() {
    const { stroke } = this;
    this.stroke = null;
    if (!stroke) return;
    this.#clearPreview();
    const { kind, first, last } = stroke;
    if (this.#connects(kind)) {
      if (!this.anchor && !samePlace(first, last)) this.#connect(first); // it was dragged from one end to the other
      this.#connect(last);
    } else if (kind === "paint") this.#put(stroke.places, stroke.layers);
    else if (kind === "erase") this.#erase(stroke.places, stroke.layers);
    else if (kind === "rectangle") this.#put(tilesIn(rectangle(first, last[0] === first[0] ? last : first)));
    else if (kind === "select") this.select(rectangle(first, last[0] === first[0] ? last : first));
    else if (kind === "carry") this.#carry(first, last);
    else if (kind === "pick") this.#pick(last);
    else this.apply(last);
  }

  cancel() {
    for (const layer of this.stroke?.layers ?? []) layer.remove();
    this.stroke = this.anchor = null;
    this.#clearPreview();
  }

  // Do what the tool does on one tile, as a key or a tap wants it.
  apply(place) {
    const { editor } = this;
    if (this.name === "paint" && !WAYS.has(editor.brush)) this.#put([place]);
    else if (this.name === "erase") this.#erase([place]);
    else if (this.name === "fill") this.#fill(place);
    else if (this.name === "pick") this.#pick(place);
    else if (this.name === "move") this.#move(place);
    else if (this.name === "connect" || this.name === "paint") this.#connect(place);
    else if (!this.anchor) {
      this.anchor = place;
      this.#preview(rectangle(place, place));
      editor.say(`First corner at ${this.#level.name(place)}. Move to the other one and press again.`);
    } else {
      const area = rectangle(this.anchor, this.anchor[0] === place[0] ? place : this.anchor);
      this.anchor = null;
      this.#clearPreview();
      if (this.name === "select") this.select(area);
      else this.#put(tilesIn(area));
    }
  }

  #put(places, layers = null) {
    const { editor } = this;
    const word = editor.brush;
    const at = word === "start" ? places.slice(-1) : places;
    const terrain = isTerrain(word);
    const isKnown = !editor.pending.length; // what was put there and is not answered yet may have laid floor
    const trouble = terrain && isKnown && at.every((place) => this.#level.terrain(place) === word) ? `It is ${word} already.` : terrain ? null : editor.missing();
    if (trouble) {
      for (const layer of layers ?? []) layer.remove();
      return editor.refuse(trouble);
    }
    const action = terrain ? { do: "paint", terrain: word, at } : { do: "put", thing: editor.words(), at, add: editor.adds.checked };
    const shown = layers ?? [this.#canvas.ghost(at, word, editor.palette.sign(word))];
    if (terrain) this.#level.lay(at, word);
    const name = action.thing && action.thing !== word ? action.thing : editor.palette.brushes.get(word).name.toLowerCase();
    return editor.send(action, shown, `${at.length > 1 ? `${count(at.length, "tile")}: ${name}` : `${name} at ${this.#level.name(at[0])}`}.`);
  }

  async #erase(places, layers = null) {
    await this.editor.queue; // what was put there a moment ago can be erased as well
    if (!places.some((place) => this.#level.on(place).some((thing) => thing.what !== "start"))) {
      for (const layer of layers ?? []) layer.remove();
      return this.editor.refuse("There is nothing to erase there. The ground is painted over, not erased.");
    }
    return this.editor.send({ do: "erase", at: places }, layers ?? [this.#canvas.ghost(places, "erase")], "Erased.");
  }

  #fill(place) {
    const { editor } = this;
    if (!isTerrain(editor.brush)) return editor.refuse("Fill lays ground: choose floor, wall, nothing, water or a one-way tile.");
    return this.#put(this.#level.area(place));
  }

  async #pick(place) {
    await this.editor.queue;
    const found = this.#level.on(place).at(-1);
    this.editor.pick(found ?? { word: this.#level.terrain(place) });
  }

  #connect(place) {
    const { editor } = this;
    if (!this.anchor) {
      this.anchor = place;
      this.#preview(rectangle(place, place));
      const works = this.#level.on(place).find((thing) => thing.what === "switch");
      editor.say(works && this.name === "connect" ? `The switch ${works.names[0]}: press the barrier it works, or where one is to be.` : `From ${this.#level.name(place)}: press where it leads.`);
      return;
    }
    const from = this.anchor;
    this.anchor = null;
    this.#clearPreview();
    if (samePlace(from, place)) editor.say("A way leads to another tile: nothing was changed.");
    else this.#join(from, place, editor.way());
  }

  async #join(from, place, way) {
    const { editor } = this;
    const isWay = this.name !== "connect"; // the brush is one: it joins tiles, whatever stands there
    await editor.queue; // a switch that was put there a moment ago is known then
    const works = this.#level.on(from).find((thing) => thing.what === "switch");
    const isBarrier = this.#level.on(place).some((thing) => thing.word === "barrier");
    if (works && !isBarrier && !isWay) return editor.send({ do: "put", thing: `barrier ${works.names[0]} shut`, at: [place] }, [], `A barrier at ${this.#level.name(place)}, worked by ${works.names[0]}.`);
    return editor.send({ do: "connect", at: from, to: place, ...way }, [], `Connected ${this.#level.name(from)} and ${this.#level.name(place)}.`);
  }

  #move(place) {
    const from = this.anchor;
    this.editor.chooseTool("select");
    if (from) this.editor.send({ do: "move", at: from, to: place }, [], `Moved to ${this.#level.name(place)}.`);
  }

  // selections

  select(area) {
    this.selection = area;
    this.showSelection();
    this.editor.selected(area);
  }

  showSelection() {
    const { editor } = this;
    const still = this.selection && this.#level.has(this.selection.corner) && this.#level.has([this.selection.corner[0], this.selection.corner[1] + this.selection.height - 1, this.selection.corner[2] + this.selection.width - 1]);
    if (!still) this.selection = null;
    show(editor.chosen, this.selection ? this.#canvas.outline(this.selection) : null);
  }

  #area() {
    return this.selection ?? rectangle(this.#canvas.cursor, this.#canvas.cursor);
  }

  copy({ cut = false } = {}) {
    const area = this.#area();
    this.clip = { ...area, text: this.editor.bench.loaded.text, cut };
    this.editor.properties.refresh();
    this.editor.say(`${count(area.height * area.width, "tile")} ${cut ? "cut: they go where you paste them" : "copied"}. Paste puts the north-west corner on the tile you choose.`);
  }

  paste(place = this.#canvas.cursor) {
    const { editor, clip } = this;
    if (!clip) return editor.refuse("Copy something first.");
    const { text, cut, ...area } = clip;
    const isHere = text === editor.bench.loaded.text;
    const stays = cut && !isHere ? " What it was cut from stays: the level has changed since." : "";
    this.#clearPreview();
    editor.send({ do: "paste", ...area, to: place, ...(isHere ? { cut } : { text }) }, [], `Pasted at ${this.#level.name(place)}.${stays}`);
    if (cut) this.clip = null;
    return null;
  }

  clear() {
    this.editor.send({ do: "clear", ...this.#area() }, [], "Cleared to floor.");
  }

  // Where the selection is carried to if the tile it was taken by goes there; null where that is beyond the map.
  #carried(first, place) {
    const { selection } = this;
    const corner = [place[0], selection.corner[1] + place[1] - first[1], selection.corner[2] + place[2] - first[2]];
    const end = [corner[0], corner[1] + selection.height - 1, corner[2] + selection.width - 1];
    return this.#level.has(corner) && this.#level.has(end) ? { ...selection, corner } : null;
  }

  #carry(first, place) {
    if (samePlace(first, place)) return this.editor.selected(this.selection);
    const to = this.#carried(first, place);
    if (!to) return this.editor.refuse("It does not fit there.");
    const { corner, height, width } = this.selection;
    this.editor.send({ do: "paste", corner, height, width, to: to.corner, cut: true }, [], `Moved to ${this.#level.name(to.corner)}.`);
    return this.select(to);
  }

  #connects(kind) {
    return kind === "connect" || (kind === "paint" && WAYS.has(this.editor.brush));
  }

  #previewLink(from, to) {
    this.#preview(rectangle(from, from));
    if (!samePlace(from, to)) this.editor.preview.append(this.#canvas.link(from, to));
  }

  #preview(area) {
    show(this.editor.preview, this.#canvas.outline(area, "preview"));
  }

  #clearPreview() {
    show(this.editor.preview);
  }
}
