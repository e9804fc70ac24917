// The board: modules painted on a canvas, with everything that is marked on it as SVG above. One node is selected, by
// pointing, touching or with the arrow keys.

import { h, s, show } from "/static/dom.js";
import { geometryOf, TILE } from "./geometry.js";
import { NodePainter } from "./node_painter.js";
import { drawMarks } from "./overlays.js";
import { colourNow, undecidedPaints } from "./colours.js";
import { Sheet } from "./tile_sheet.js";

const LARGEST_CELL = 52; // pixels, as the page counts them
const LONGEST_SIDE = 8192;
const BESIDE = 280; // pixels of a window that what stands above and just below a board takes up
const NARROW = 860; // pixels of a page in one column
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
let boards = 0;

// What a board shows before anything is filled. `painted`: modules that a stroke has just put on nodes. `lit`: nodes and
// links that a step of a proof is about. `options`: what may still stand on nodes, as far as a proof has got.
export const nothing = () => ({ modules: null, shown: null, faded: null, clash: null, leftOut: new Map(), painted: null, lit: null, options: null });

export class Board {
  // `on` has select(node), hover(node or null), choose(node), remove(node), floor(number) and describe(node); with
  // `extends`, Shift and arrow keys select many.
  constructor(on) {
    this.on = on;
    this.page = null;
    this.selected = null;
    this.anchor = null; // where what is selected began, if it is more than one node
    this.kept = new Set(); // pinned nodes that have no flag: they were kept when others were filled anew
    this.floor = 0;
    this.zoom = 1;
    this.view = "modules";
    this.look = nothing();
    this.painter = new NodePainter(this);
    this.cellName = `valency-cell-${++boards}`;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.marks = s("svg", { class: "marks", role: "presentation" });
    this.cell = h("span", { id: this.cellName, class: "hidden" });
    this.row = h("span", {}, this.cell);
    this.element = h(
      "div",
      {
        class: "board",
        tabindex: 0,
        onkeydown: (event) => this.#key(event),
        onpointermove: (event) => this.on.hover(this.nodeAt(event)),
        onpointerleave: () => this.on.hover(null),
        onclick: (event) => this.#click(event),
        onfocus: () => this.selected === null && this.page && this.select(this.nodes[0]),
      },
      this.canvas,
      this.marks,
      this.row,
    );
    this.frame = h("div", { class: "frame" }, this.element);
    this.watching = new ResizeObserver(() => this.#lay());
    this.watching.observe(this.frame);
    this.repaint = () => this.page && this.#colours() && this.paint();
    this.themes = new MutationObserver(this.repaint);
    this.themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", this.repaint);
  }

  leave() {
    this.watching.disconnect();
    this.themes.disconnect();
    this.dark.removeEventListener("change", this.repaint);
  }

  // Put a task on the board; what is selected stays so if it still can.
  async put(page) {
    const before = this.page;
    const sheet = before && before.sheet.svg === page.sheet.svg ? this.sheet : await new Sheet(page.sheet).load();
    const isSame = Boolean(before) && sameCluster(before, page);
    this.sheet = sheet;
    this.page = page;
    this.geometry = geometryOf(page);
    if (!isSame) {
      this.look = nothing();
      this.selected = this.anchor = null;
      this.floor = 0;
      this.zoom = 1;
    }
    this.look.clash = null; // its nodes were those of another task
    this.look.painted = null;
    this.nodes = this.geometry.nodesOn(this.floor);
    this.picks = new Map(page.picks.map((pick) => [pick.node, pick]));
    this.empty = new Set(page.empty);
    this.most = Math.max(1, ...(page.candidate_sets ?? []).map((set) => set.length), page.candidate_sets ? 1 : page.modules.length);
    this.#label();
    this.#colours();
    this.#lay();
    return isSame;
  }

  // What stands on the nodes and is marked there; see `held` and marks.js. Only what is given changes.
  set(look) {
    Object.assign(this.look, look);
    this.clashing = new Set(this.look.clash?.nodes);
    this.paint();
  }

  showFloor(floor) {
    if (floor === this.floor || floor < 0 || floor >= this.geometry.floors) return;
    this.floor = floor;
    this.nodes = this.geometry.nodesOn(floor);
    if (this.selected !== null && this.geometry.floorOf(this.selected) !== floor) {
      this.anchor = null;
      this.selected = (this.selected % this.geometry.perFloor) + floor * this.geometry.perFloor;
      this.#describeSelected();
      this.on.select(this.selected);
    }
    this.paint();
    this.on.floor(floor);
  }

  setZoom(zoom) {
    this.zoom = Math.min(8, Math.max(1, zoom));
    this.#lay();
    if (this.selected !== null) this.#scrollTo(this.selected);
  }

  // With `extend`, from what was selected before to here: a rectangle.
  select(node, { quiet = false, extend = false } = {}) {
    this.anchor = extend ? (this.anchor ?? this.selected) : null;
    this.selected = node;
    this.look.stroke = extend ? new Set(this.chosen) : null;
    if (node !== null && this.geometry.floorOf(node) !== this.floor) this.showFloor(this.geometry.floorOf(node));
    this.#describeSelected();
    this.paintMarks();
    if (node !== null) this.#scrollTo(node);
    if (!quiet) this.on.select(node);
  }

  // All nodes that are selected.
  get chosen() {
    if (this.selected === null) return [];
    return this.anchor === null ? [this.selected] : this.between(this.anchor, this.selected);
  }

  // All nodes of this floor in the rectangle between two; on a graph those whose places lie in it.
  between(one, other) {
    const [[ax, ay], [bx, by]] = [one, other].map((node) => this.geometry.centre(node));
    const [left, right, top, bottom] = [Math.min(ax, bx) - 1, Math.max(ax, bx) + 1, Math.min(ay, by) - 1, Math.max(ay, by) + 1];
    return this.nodes.filter((node) => {
      const [x, y] = this.geometry.centre(node);
      return x >= left && x <= right && y >= top && y <= bottom;
    });
  }

  paint() {
    if (!this.pixels) return; // not on the page yet
    const brush = this.canvas.getContext("2d");
    brush.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.page.kind === "graph") this.painter.edges(brush);
    this.paintNodes(this.nodes, brush);
    this.paintMarks();
  }

  // Paint some nodes over what is there: how a collapse goes on without painting all the others again.
  paintNodes(nodes, brush = this.canvas.getContext("2d")) {
    if (this.pixels) for (const node of nodes) this.painter.node(brush, node);
  }

  paintMarks() {
    if (this.page) show(this.marks, drawMarks(this));
  }

  // The module that is seen on a node now; -1 if it is not filled, -2 if it stays empty, -3 if it is left out.
  held(node) {
    const { modules, shown, painted, options } = this.look;
    if (this.empty.has(node)) return -2;
    if (painted?.has(node)) return painted.get(node);
    if (options?.get(node)?.length === 1) return options.get(node)[0];
    const pick = this.picks.get(node);
    if (modules && (!shown || shown[node])) {
      const isOld = this.look.faded && pick && !pick.ignored && !pick.modules.includes(modules[node]);
      if (!isOld) return modules[node];
    }
    return pick && !pick.ignored ? pick.modules[0] : -1;
  }

  #colours() {
    this.ground = colourNow("--sunk");
    this.line = colourNow(this.page.kind === "graph" ? "--quiet" : "--line");
    this.undecided = undecidedPaints(this.page, this.ground);
    return true;
  }

  // Choose how large everything is: as large as fits, in whole pixels where cells are squares, so that edges are sharp.
  #lay() {
    if (!this.page || !this.frame.clientWidth) return;
    const ratio = (this.ratio = window.devicePixelRatio || 1);
    const { width, height } = this.geometry;
    const roomAcross = this.frame.clientWidth;
    const tall = window.innerHeight; // on a phone it stays in sight above all else; elsewhere with the verdict below it
    const roomDown = Math.max(260, Math.min(window.innerWidth <= NARROW ? 0.42 * tall : tall - BESIDE, roomAcross * 1.2));
    let pixels = Math.min((roomAcross / width) * TILE, (roomDown / height) * TILE, LARGEST_CELL) * this.zoom * ratio;
    pixels = Math.min(pixels, (LONGEST_SIDE / Math.max(width, height)) * TILE);
    if (this.page.kind === "square") pixels = Math.max(1, Math.floor(pixels));
    if (pixels === this.pixels && this.laid === this.page) return;
    this.pixels = pixels;
    this.laid = this.page;
    this.scale = pixels / TILE;
    this.canvas.width = Math.ceil(width * this.scale);
    this.canvas.height = Math.ceil(height * this.scale);
    const size = { width: `${this.canvas.width / ratio}px`, height: `${this.canvas.height / ratio}px` };
    for (const element of [this.element, this.canvas, this.marks]) Object.assign(element.style, size);
    this.marks.setAttribute("viewBox", `0 0 ${this.canvas.width / this.scale} ${this.canvas.height / this.scale}`);
    this.paint();
  }

  nodeAt(event) {
    if (!this.page) return null;
    const place = this.canvas.getBoundingClientRect();
    const unit = this.ratio / this.scale;
    return this.geometry.at((event.clientX - place.left) * unit, (event.clientY - place.top) * unit, this.floor);
  }

  #click(event) {
    const node = this.nodeAt(event);
    if (node === null) return;
    this.element.focus({ preventScroll: true });
    this.select(node);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.page) return;
    const node = this.selected ?? this.nodes[0];
    if (MOVES.includes(event.key)) this.select(this.geometry.next(node, event.key), { extend: this.on.extends && event.shiftKey });
    else if (event.key === "Escape" && this.anchor !== null) this.select(node);
    else if (event.key === "PageUp") this.showFloor(this.floor + 1);
    else if (event.key === "PageDown") this.showFloor(this.floor - 1);
    else if (event.key === "Enter" || event.key === " ") this.on.choose(node);
    else if (event.key === "Delete" || event.key === "Backspace") this.on.remove(node);
    else return;
    event.preventDefault();
  }

  // Only the selected cell is there for those who listen: a grid of thousands would be too much for any reader.
  #label() {
    const isGrid = this.page.kind !== "graph";
    const { element, row, cell } = this;
    element.setAttribute("role", isGrid ? "grid" : "listbox");
    const keys = this.on.extends ? "arrow keys move, Shift with arrow keys selects an area, Enter applies the tool" : "arrow keys move, Enter chooses a module to pin";
    element.setAttribute("aria-label", `${isGrid ? "Board" : "Graph"}: ${keys}`);
    row.setAttribute("role", isGrid ? "row" : "presentation");
    cell.setAttribute("role", isGrid ? "gridcell" : "option");
    if (isGrid) {
      element.setAttribute("aria-rowcount", this.geometry.rows);
      element.setAttribute("aria-colcount", this.geometry.columns);
    }
    element.setAttribute("aria-activedescendant", this.cellName);
    this.#describeSelected();
  }

  #describeSelected() {
    const { cell, row, geometry } = this;
    cell.setAttribute("aria-selected", String(this.selected !== null));
    cell.textContent = this.selected === null ? "No cell is selected" : this.on.describe(this.selected);
    if (this.selected === null) return;
    if (this.page.kind === "graph") {
      cell.setAttribute("aria-posinset", this.selected + 1);
      cell.setAttribute("aria-setsize", this.page.nodes);
    } else {
      const [x, y] = geometry.cell(this.selected);
      row.setAttribute("aria-rowindex", y + 1);
      cell.setAttribute("aria-colindex", x + 1);
    }
  }

  // Say anew what is selected, after something else stands there.
  refreshDescription() {
    if (this.page) this.#describeSelected();
  }

  #scrollTo(node) {
    const [x, y] = this.geometry.centre(node).map((at) => (at * this.scale) / this.ratio);
    const { frame } = this;
    const edge = 40;
    if (x < frame.scrollLeft + edge) frame.scrollLeft = x - edge;
    else if (x > frame.scrollLeft + frame.clientWidth - edge) frame.scrollLeft = x - frame.clientWidth + edge;
    if (y < frame.scrollTop + edge) frame.scrollTop = y - edge;
    else if (y > frame.scrollTop + frame.clientHeight - edge) frame.scrollTop = y - frame.clientHeight + edge;
  }
}

// Whether what was filled in one task can still be shown in the other: the same nodes, and the same modules.
export function sameCluster(one, other) {
  return (
    one.kind === other.kind &&
    one.nodes === other.nodes &&
    String(one.size) === String(other.size) &&
    one.modules.length === other.modules.length &&
    one.modules.every((module, number) => module.key === other.modules[number].key)
  );
}
