// What is laid over the map beside the moment it shows: spheres, heat, what is out of reach, what a hint points at. One
// kind at a time, with a legend; each colour comes with a number, a hatching or a shape.

import { button, h, s, show } from "/static/dom.js";
import { count } from "/static/format.js";
import { themed } from "./map_theme.js";

const LEVELS = 32;

export class Overlays {
  constructor() {
    this.legend = h("div", { class: "dungeon-legend", hidden: true });
    this.map = null;
    this.shown = null; // {kind, draw}
  }

  // The marks go on with another map only if it is of the same dungeon.
  on(map, { same }) {
    this.map = map;
    if (!same) this.shown = null;
    this.#draw();
  }

  get kind() {
    return this.shown?.kind ?? null;
  }

  clear() {
    this.shown = null;
    this.#draw();
  }

  #show(kind, draw) {
    this.shown = { kind, draw };
    this.#draw();
  }

  #draw() {
    this.map?.clear("tints", "marks");
    const lines = this.shown && this.map ? this.shown.draw() : null;
    this.legend.hidden = !lines || (this.kind === "step" && !lines.childElementCount);
    show(this.legend, lines, lines && this.kind !== "step" ? button("Clear the marks", () => this.clear(), { class: "link" }) : null);
  }

  // What becomes reachable with what, and what never does; as an explanation has it.
  spheres({ spheres, never_reachable: never }) {
    this.#show("spheres", () => {
      const { map } = this;
      const taken = new Set([...map.picture.things.map((thing) => String(thing.at)), ...map.picture.blocks.map(String)]);
      const entries = spheres.map((sphere) => {
        const { spheres: paints } = map.picture.paints;
        const paint = paints[sphere.sphere % paints.length];
        map.tint(sphere.where, paint, 0.55);
        const sign = `${sphere.sphere}${sphere.certain ? "" : "?"}`;
        for (const place of middles(sphere.where, taken)) map.mark(number(map, place, sign));
        return entry(swatch(paint, sign), how(sphere, map.picture) + (sphere.certain ? "" : ", not certain"));
      });
      const hidden = never.flatMap((part) => part.where);
      if (hidden.length) {
        map.tint(hidden, "#8c8c8c", 0.35);
        map.layers.tints.append(s("path", { d: map.cover(hidden), fill: "url(#dungeon-hatching)" }));
        entries.push(entry(swatch("#8c8c8c", "", true), "never reachable"));
      }
      return h("ul", { class: "keys", "aria-label": "Spheres" }, entries);
    });
  }

  // Marks of a place.
  ringAt(place) {
    return ring(this.map, place);
  }

  // How often a search looked at each tile, on a scale of logarithms; and where it is now, if that is known.
  heat(heat, now = null) {
    this.#show("heat", () => {
      const { map } = this;
      const paints = map.picture.paints.heat;
      const most = Math.max(1, ...heat.map((each) => each[3]));
      if (now) map.mark(...ring(map, now));
      const level = (times) => Math.min(LEVELS - 1, Math.floor((Math.log1p(times) / Math.log1p(most)) * LEVELS));
      for (const [number, tiles] of Map.groupBy(heat, ([, , , times]) => level(times))) {
        map.tint(tiles.map(([floor, row, column]) => [floor, row, column, 1]), paints[number], 0.85);
      }
      const total = heat.reduce((sum, each) => sum + each[3], 0);
      return [
        h("span", { class: "scale", role: "img", "aria-label": `From 1 to ${most} times` }, paints.map((paint) => h("i", { style: { background: themed(paint) } }))),
        h("span", {}, `Where the search looked: ${count(total, "time")} on ${count(heat.length, "tile")}, ${most === 1 ? "each once" : `from once, at the left of the scale, to ${most.toLocaleString("en")} times`}.`),
      ];
    });
  }

  // What can still be reached where no goal can be, and the gates that stay shut.
  reach({ reach = [], shut = [] }) {
    this.#show("reach", () => {
      const { map } = this;
      map.tint(reach, map.picture.paints.reach, 0.7);
      map.rim(shut, map.picture.paints.danger);
      return h(
        "ul",
        { class: "keys" },
        entry(swatch(map.picture.paints.reach, ""), "all that can still be reached"),
        shut.length ? entry(h("i", { class: "swatch rimmed" }), "stays shut") : null,
      );
    });
  }

  // What one step of a proof is about.
  step({ reach, rims, rings }) {
    this.#show("step", () => {
      const { map } = this;
      if (reach.length) map.tint(reach, map.picture.paints.reach, 0.7);
      map.rim(rims, map.picture.paints.danger);
      for (const place of rings) map.mark(...ring(map, place));
      return h(
        "ul",
        { class: "keys" },
        reach.length ? entry(swatch(map.picture.paints.reach, ""), "what can be reached then") : null,
        rims.length ? entry(h("i", { class: "swatch rimmed" }), "the gate it is about") : null,
        rings.length ? entry(h("i", { class: "swatch ring" }), "the place it is about") : null,
      );
    });
  }

  // Where a fix changes something.
  change(places) {
    this.#show("change", () => {
      for (const place of places) this.map.mark(...ring(this.map, place));
      return h("ul", { class: "keys" }, entry(h("i", { class: "swatch ring" }), "the change"));
    });
  }

  // Where a hint leads and what it warns of.
  hint({ target, danger = [] }) {
    this.#show("hint", () => {
      const { map } = this;
      const red = map.picture.paints.danger;
      const half = map.tile / 2 - 2;
      for (const place of danger) {
        const { x, y } = map.middle(place);
        map.mark(s("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 5, fill: red, "fill-opacity": 0.2, stroke: red, "stroke-width": 3, "stroke-dasharray": "6 4" }));
      }
      map.mark(...ring(map, target));
      return h(
        "ul",
        { class: "keys" },
        entry(h("i", { class: "swatch ring" }), "go here"),
        danger.length ? entry(h("i", { class: "swatch dashed" }), "careful: this can lose the game") : null,
      );
    });
  }
}

function how({ sphere, used, opened }, picture) {
  const names = [...new Set(opened.map((gate) => picture.gates[gate].name))];
  const parts = [used.length ? `with ${used.join(", ")}` : "", names.length ? `opening ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}` : ""];
  return parts.filter(Boolean).join(", ") || (sphere === 0 ? "at once" : "then");
}

const entry = (sign, words) => h("li", {}, sign, h("span", {}, words));

function swatch(paint, sign, isHatched = false) {
  return h("i", { class: isHatched ? "swatch hatched" : "swatch", style: { backgroundColor: themed(paint) } }, sign);
}

function ring(map, place) {
  const { x, y } = map.middle(place);
  const looks = [["#fff", 7], [map.picture.paints.plan, 4]];
  return looks.map(([stroke, width]) => s("circle", { cx: x, cy: y, r: map.tile * 0.62 * map.picture.sign, fill: "none", stroke, "stroke-width": width * map.picture.sign }));
}

function number(map, place, sign) {
  const { x, y } = map.middle(place);
  const size = Math.round(14 / map.picture.scale);
  return s("text", { class: "sphere", x, y: y + size / 3, "font-size": size, "text-anchor": "middle" }, sign);
}

// One tile near the middle of each part of some tiles that hangs together, if there is one where nothing lies; parts of a
// single tile only if there is no other.
function middles(runs, taken) {
  const parts = runs.map((run) => new Set([run]));
  const part = new Map(runs.map((run, index) => [run, parts[index]]));
  const rows = Map.groupBy(runs, ([floor, row]) => `${floor},${row}`);
  for (const run of runs) {
    for (const below of rows.get(`${run[0]},${run[1] + 1}`) ?? []) {
      if (below[2] >= run[2] + run[3] || run[2] >= below[2] + below[3] || part.get(run) === part.get(below)) continue;
      const [into, from] = [part.get(run), part.get(below)];
      for (const each of from) {
        into.add(each);
        part.set(each, into);
      }
    }
  }
  const found = [...new Set(part.values())].map((some) => {
    const tiles = [...some].flatMap(([floor, row, column, length]) => Array.from({ length }, (_, index) => [floor, row, column + index]));
    const mean = (at) => tiles.reduce((sum, place) => sum + place[at], 0) / tiles.length;
    const [row, column] = [mean(1), mean(2)];
    const far = (place) => Math.hypot(place[1] - row, place[2] - column) + (taken.has(String(place)) ? 1000 : 0);
    return { tiles: tiles.length, place: tiles.reduce((one, other) => (far(other) < far(one) ? other : one)) };
  });
  const large = found.filter((each) => each.tiles > 1);
  return (large.length ? large : found).map((each) => each.place);
}
