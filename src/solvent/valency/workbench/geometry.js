// Where nodes stand on the board, in units of which a square cell is 32 wide; which node is at a place, and which one is
// next in a direction.

import { cellByKey } from "/static/grid.js";

export const TILE = 32;
const HEX_ROW = TILE * Math.sqrt(0.75);
const HEX_RADIUS = TILE / Math.sqrt(3);
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export function geometryOf(page) {
  if (page.kind === "graph") return new GraphGeometry(page);
  return page.kind === "hex" ? new HexGeometry(page) : new SquareGeometry(page);
}

class LatticeGeometry {
  constructor(page) {
    this.page = page;
    [this.columns, this.rows, this.floors] = page.size;
    this.perFloor = this.columns * this.rows;
  }

  cell(node) {
    const rest = Math.floor(node / this.columns);
    return [node % this.columns, rest % this.rows, Math.floor(rest / this.rows)];
  }

  node(x, y, z) {
    return x + this.columns * (y + this.rows * z);
  }

  floorOf(node) {
    return Math.floor(node / this.perFloor);
  }

  nodesOn(floor) {
    return Array.from({ length: this.perFloor }, (_, number) => floor * this.perFloor + number);
  }

  name(node) {
    const [x, y, z] = this.cell(node);
    return this.floors > 1 ? `(${x}, ${y}, ${z})` : `(${x}, ${y})`;
  }

  // The node that a key leads to, on the same floor; the same one at the rim.
  next(node, key) {
    const first = this.floorOf(node) * this.perFloor;
    return first + cellByKey(node - first, key, this.rows, this.columns);
  }
}

class SquareGeometry extends LatticeGeometry {
  constructor(page) {
    super(page);
    this.width = this.columns * TILE;
    this.height = this.rows * TILE;
    this.isRound = false;
  }

  centre(node) {
    const [x, y] = this.cell(node);
    return [(x + 0.5) * TILE, (y + 0.5) * TILE];
  }

  at(x, y, floor) {
    const [column, row] = [Math.floor(x / TILE), Math.floor(y / TILE)];
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows ? null : this.node(column, row, floor);
  }
}

class HexGeometry extends LatticeGeometry {
  constructor(page) {
    super(page);
    this.width = (this.columns + (this.rows > 1 ? 0.5 : 0)) * TILE;
    this.height = (this.rows - 1) * HEX_ROW + 2 * HEX_RADIUS;
    this.isRound = true;
  }

  centre(node) {
    const [x, y] = this.cell(node);
    return [(x + 0.5 + 0.5 * (y % 2)) * TILE, HEX_RADIUS + y * HEX_ROW];
  }

  at(x, y, floor) {
    const around = Math.round((y - HEX_RADIUS) / HEX_ROW);
    let [found, least] = [null, HEX_RADIUS];
    for (let row = Math.max(0, around - 1); row <= Math.min(this.rows - 1, around + 1); row++) {
      const column = Math.round(x / TILE - 0.5 - 0.5 * (row % 2));
      if (column < 0 || column >= this.columns) continue;
      const node = this.node(column, row, floor);
      const [cx, cy] = this.centre(node);
      const away = Math.hypot(x - cx, y - cy);
      if (away < least) [found, least] = [node, away];
    }
    return found;
  }

  // The outline of a cell around the origin.
  static outline = [0, 1, 2, 3, 4, 5].map((corner) => {
    const angle = (Math.PI / 3) * corner + Math.PI / 6;
    return [HEX_RADIUS * Math.cos(angle), HEX_RADIUS * Math.sin(angle)];
  });
}

export const HEXAGON = HexGeometry.outline;

class GraphGeometry {
  constructor(page) {
    this.page = page;
    this.floors = 1;
    this.isRound = true;
    this.width = Math.max(...page.points.map(([x]) => x), 0) + TILE;
    this.height = Math.max(...page.points.map(([, y]) => y), 0) + TILE + (this.isNamed ? 8 : 0);
  }

  // Whether names are written beside nodes: of many they would cover each other.
  get isNamed() {
    return Boolean(this.page.names) && this.page.points.length <= 60;
  }

  floorOf() {
    return 0;
  }

  nodesOn() {
    return this.page.points.map((_, node) => node);
  }

  name(node) {
    return this.page.names ? this.page.names[node] : `node ${node}`;
  }

  centre(node) {
    return this.page.points[node];
  }

  at(x, y) {
    let [found, least] = [null, 0.8 * TILE];
    this.page.points.forEach(([cx, cy], node) => {
      const away = Math.hypot(x - cx, y - cy);
      if (away < least) [found, least] = [node, away];
    });
    return found;
  }

  // The nearest node on that side; what lies aside counts as farther away.
  next(node, key) {
    if (key === "Home") return 0;
    if (key === "End") return this.page.points.length - 1;
    const [dx, dy] = STEPS[key];
    const [x, y] = this.page.points[node];
    let [found, least] = [node, Infinity];
    this.page.points.forEach(([cx, cy], other) => {
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (ahead > 1 && ahead + 2 * aside < least) [found, least] = [other, ahead + 2 * aside];
    });
    return found;
  }
}
