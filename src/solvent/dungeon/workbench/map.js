// The map: its pieces as the drawings have them, shown as they stand at one moment, with layers of marks over them.

import { s, show } from "/static/dom.js";
import { copySvg } from "/static/safe_svg.js";
import { learnColours } from "./map_theme.js";
import { View } from "./pan_zoom.js";
import { Rulers } from "./rulers.js";

const LAYERS = ["ground", "tints", "lines", "gates", "things", "blocks", "above", "marks", "numbers", "figures"];
const NARROWEST_MARGIN = 20; // around the map, for the rulers

export class DungeonMap {
  // `ontap([floor, row, column])` hears which tile is pressed.
  constructor(picture, { ontap = () => {} } = {}) {
    this.picture = picture;
    this.tile = picture.tile;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })]));
    this.svg = s("svg", { class: "dungeon-map", role: "img", "aria-label": "The map" }, hatching(), Object.values(this.layers));
    learnColours(picture.dark);
    this.rulers = new Rulers(this.svg, picture);
    this.svg.append(this.rulers.element);
    this.view = new View(this.svg, {
      width: picture.width,
      height: picture.height,
      margin: Math.max(NARROWEST_MARGIN, 0.03 * Math.max(picture.width, picture.height)),
      onmove: () => this.rulers.draw(),
      closest: Math.max(3, Math.max(picture.width, picture.height) / (8 * picture.tile)),
      ontap: (x, y) => {
        const place = this.placeAt(x, y);
        if (place) ontap(place);
      },
    });
    this.#draw();
  }

  #draw() {
    const { picture, layers } = this;
    layers.ground.append(copySvg(picture.ground));
    layers.above.append(copySvg(picture.above));
    this.gates = picture.gates.map((gate) => {
      const looks = { open: copySvg(gate.open), shut: copySvg(gate.shut) };
      looks.element = s("g", { class: "gate" }, looks.shut, looks.open);
      layers.gates.append(looks.element);
      return looks;
    });
    this.things = picture.things.map((thing) => {
      // A switch has a look for each of its states; a pickup that appears and a goal with a rule have one for before.
      const others = thing.looks ?? { before: thing.absent ?? thing.shut };
      const looks = Object.fromEntries(Object.entries(others).filter(([, look]) => look).map(([name, look]) => [name, copySvg(look, { class: "thing" })]));
      const made = { ...thing, looks, element: thing.looks ? null : copySvg(thing.sign, { class: thing.goal ? "goal" : "thing" }) };
      layers.things.append(...[made.element, ...Object.values(looks)].filter(Boolean));
      return made;
    });
    this.blocks = picture.blocks.map(() => copySvg(picture.signs.block, { class: "block" }));
    layers.blocks.append(...this.blocks);
    this.player = s("g", { class: "figure" }, copySvg(picture.signs.player, { transform: `scale(${Math.max(picture.sign, 0.75 / picture.scale)})` }));
    layers.figures.append(this.player);
  }

  middle([floor, row, column]) {
    const { x, y } = this.picture.floors[floor];
    return { x: x + (column + 0.5) * this.tile, y: y + (row + 0.5) * this.tile };
  }

  placeAt(x, y) {
    const { floors } = this.picture;
    for (let floor = 0; floor < floors.length; floor++) {
      const [row, column] = [Math.floor((y - floors[floor].y) / this.tile), Math.floor((x - floors[floor].x) / this.tile)];
      if (row >= 0 && row < floors[floor].rows && column >= 0 && column < floors[floor].columns) return [floor, row, column];
    }
    return null;
  }

  // Show how everything stands. With `follow`, the player is kept in sight.
  show(frame, { follow = true, won = false } = {}) {
    this.gates.forEach((gate, number) => {
      toggle(gate.open, frame.open.has(number));
      toggle(gate.shut, !frame.open.has(number));
    });
    for (const thing of this.things) {
      if (thing.pickup !== undefined) thing.element.classList.toggle("taken", frame.taken.has(thing.pickup));
      if (thing.switch) for (const [state, look] of Object.entries(thing.looks)) toggle(look, frame.switches.get(thing.switch) === state);
      else if (thing.looks.before) {
        const isThere = thing.goal ? frame.goal : frame.taken.has(thing.pickup) || !frame.absent.has(thing.pickup);
        toggle(thing.element, isThere);
        toggle(thing.looks.before, !isThere);
      }
    }
    this.blocks.forEach((block, number) => stand(block, this.middle(frame.blocks.get(number) ?? this.picture.blocks[number])));
    const at = this.middle(frame.place);
    stand(this.player, at);
    this.view.focus = at;
    this.svg.classList.toggle("won", won);
    if (follow && !this.view.isWhole) this.view.keepInSight(at.x, at.y, 2.5 * this.tile);
  }

  // Show the player from near.
  showPlayer() {
    const { x, y } = this.view.focus;
    const around = 7 * this.tile;
    this.view.show({ x: x - around, y: y - around, width: 2 * around, height: 2 * around });
  }

  // Show one floor as large as it goes.
  showFloor(number) {
    const { x, y, rows, columns } = this.picture.floors[number];
    this.view.show({ x, y, width: columns * this.tile, height: rows * this.tile });
  }

  // Path data that covers tiles, given as runs: floor, row, first column, how many.
  cover(runs) {
    const { tile } = this;
    return runs
      .map(([floor, row, column, length]) => {
        const { x, y } = this.picture.floors[floor];
        return `M${x + column * tile} ${y + row * tile}h${length * tile}v${tile}h${-length * tile}z`;
      })
      .join("");
  }

  tint(runs, paint, opacity = 0.5) {
    this.layers.tints.append(s("path", { d: this.cover(runs), fill: paint, "fill-opacity": opacity, "shape-rendering": "crispEdges" }));
  }

  // Put a rim around gates, such as those that stay shut.
  rim(numbers, paint) {
    for (const number of numbers) {
      const box = this.gates[number].element.getBBox();
      const around = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 6 };
      this.layers.marks.append(s("rect", { ...around, fill: "none", stroke: paint, "stroke-width": 3.5, class: "rim" }));
    }
  }

  mark(...elements) {
    this.layers.marks.append(...elements);
  }

  line(element) {
    this.layers.lines.append(element);
  }

  clear(...names) {
    for (const name of names) show(this.layers[name]);
  }
}

function toggle(element, isShown) {
  element.style.display = isShown ? "" : "none";
}

function stand(element, { x, y }) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

// The second cue of what is out of reach.
function hatching() {
  return s(
    "defs",
    {},
    s(
      "pattern",
      { id: "dungeon-hatching", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("path", { d: "M0 0V9", stroke: "#1b1b1b", "stroke-width": 3, "stroke-opacity": 0.55 }),
    ),
  );
}
