// Paint nodes on the canvas of a board: what stands there, what may still stand there, or how much there is to choose.

import { countPaint } from "./colours.js";
import { HEXAGON } from "./geometry.js";

const SMALLEST_NUMBER = 13; // pixels of a cell in which a number can be read

export class NodePainter {
  constructor(board) {
    this.board = board;
  }

  node(brush, node) {
    const [x, y] = this.board.geometry.centre(node).map((at) => at * this.board.scale);
    if (this.board.geometry.floorOf(node) !== this.board.floor) return;
    if (this.board.view === "candidates" && this.board.page.counts) {
      this.#paintCount(brush, node, x, y);
      return;
    }
    const module = this.board.held(node);
    const options = this.board.look.options?.get(node);
    if (options && options.length !== 1 && this.board.page.kind === "square") {
      this.#paintOptions(brush, options, x, y);
      return;
    }
    if (module < 0) {
      this.#paintUndecided(brush, node, x, y, module);
      return;
    }
    if (this.board.page.kind === "square") {
      const [left, top] = [Math.round(x - this.board.pixels / 2), Math.round(y - this.board.pixels / 2)];
      brush.globalAlpha = 1;
      brush.clearRect(left, top, this.board.pixels, this.board.pixels);
      brush.globalAlpha = this.#alpha(node);
      this.#paintCell(brush, module, left, top);
    } else {
      const box = Math.max(2, Math.round(this.board.sheet.box * this.board.scale));
      brush.globalAlpha = this.#alpha(node);
      if (brush.globalAlpha < 1 || this.board.page.kind === "graph") this.#shape(brush, x, y, this.board.ground, 1);
      brush.globalAlpha = this.#alpha(node);
      this.board.sheet.paint(brush, module, Math.round(x - box / 2), Math.round(y - box / 2), box);
    }
    brush.globalAlpha = 1;
  }

  #paintCell(brush, module, left, top, size = this.board.pixels) {
    const { paint, is_flat: isFlat } = this.board.page.modules[module];
    brush.fillStyle = isFlat || size < 3 ? paint : "#f0efe9"; // what can be seen through stands on the ground of an empty cell
    brush.fillRect(left, top, size, size);
    if (!isFlat && size >= 3) this.board.sheet.paint(brush, module, left, top, size);
  }

  // All that may still stand on a node, side by side.
  #paintOptions(brush, options, x, y) {
    const { pixels, ground } = this.board;
    this.#shape(brush, x, y, ground, 1);
    const across = Math.ceil(Math.sqrt(options.length));
    const size = Math.floor((pixels * 0.84) / Math.max(1, across));
    if (size < 4) return;
    const [left, top] = [x - (size * across) / 2, y - (size * Math.ceil(options.length / across)) / 2].map(Math.round);
    options.forEach((module, number) => {
      const [column, row] = [number % across, Math.floor(number / across)];
      this.#paintCell(brush, module, left + column * size, top + row * size, size - 1);
    });
  }

  // What does not clash is faded, and so is what was filled before something was pinned.
  #alpha(node) {
    if (this.board.look.clash) return this.board.clashing.has(node) ? 1 : 0.4;
    if (!this.board.look.faded || this.board.picks.has(node)) return 1;
    return 0.45;
  }

  #paintUndecided(brush, node, x, y, module) {
    if (module === -2) {
      if (this.board.page.kind !== "square") this.#shape(brush, x, y, null, 0.5);
      return;
    }
    const paint = this.board.undecided ? this.board.undecided[this.board.page.candidates[node]] : this.board.ground;
    this.#shape(brush, x, y, paint, 1);
  }

  #paintCount(brush, node, x, y) {
    const number = this.board.page.counts[node];
    if (this.board.empty.has(node)) return;
    const { paint, ink } = countPaint(number, this.board.most);
    this.#shape(brush, x, y, paint, 1);
    if (this.board.pixels / this.board.ratio < SMALLEST_NUMBER) return;
    brush.fillStyle = ink;
    brush.font = `600 ${Math.round(this.board.pixels * (number > 99 ? 0.36 : 0.46))}px system-ui, sans-serif`;
    brush.textAlign = "center";
    brush.textBaseline = "middle";
    brush.fillText(String(number), x, y + this.board.pixels * 0.03);
  }

  // The shape of a node in one colour: a cell with a thin rim, a hexagon, or a disc; without a colour, its outline.
  #shape(brush, x, y, paint, part) {
    brush.globalAlpha = 1;
    brush.fillStyle = paint ?? this.board.line;
    if (this.board.page.kind === "square") {
      const [left, top] = [Math.round(x - this.board.pixels / 2), Math.round(y - this.board.pixels / 2)];
      const rim = this.board.pixels >= 6 ? Math.max(1, Math.round(this.board.ratio / 2)) : 0;
      brush.clearRect(left, top, this.board.pixels, this.board.pixels);
      brush.fillRect(left, top, this.board.pixels - rim, this.board.pixels - rim);
      return;
    }
    brush.beginPath();
    if (this.board.page.kind === "hex") {
      const size = this.board.scale * part * (this.board.pixels >= 8 ? 0.965 : 1);
      HEXAGON.forEach(([dx, dy]) => brush.lineTo(x + dx * size, y + dy * size));
    } else {
      brush.arc(x, y, 15 * this.board.scale * part, 0, 2 * Math.PI);
    }
    brush.closePath();
    if (paint) brush.fill();
    if (this.board.page.kind === "graph") {
      brush.strokeStyle = this.board.line;
      brush.lineWidth = Math.max(1, 1.4 * this.board.scale);
      brush.setLineDash(paint ? [] : [3 * this.board.scale, 3 * this.board.scale]);
      brush.stroke();
      brush.setLineDash([]);
    }
  }

  edges(brush) {
    const idle = new Set(this.board.page.idle_edges);
    brush.strokeStyle = this.board.line;
    brush.lineWidth = Math.max(1, 2.5 * this.board.scale);
    brush.globalAlpha = this.board.look.clash ? 0.5 : 1;
    this.board.page.edges.forEach(([a, b], edge) => {
      brush.setLineDash(idle.has(edge) ? [5 * this.board.scale, 5 * this.board.scale] : []);
      brush.beginPath();
      brush.moveTo(...this.board.page.points[a].map((at) => at * this.board.scale));
      brush.lineTo(...this.board.page.points[b].map((at) => at * this.board.scale));
      brush.stroke();
    });
    brush.setLineDash([]);
    brush.globalAlpha = 1;
  }
}
