// The looks of all modules, cut from one sheet that the server draws, in the size in which they are shown.

const LONGEST_SIDE = 4096; // of a canvas that every browser takes

export class Sheet {
  constructor({ svg, columns, rows, box }) {
    this.columns = columns;
    this.rows = rows;
    this.box = box; // units of the side of a box; a square cell is 32
    this.svg = svg;
    this.image = null;
    this.cut = null; // {size, canvas}
  }

  async load() {
    const address = URL.createObjectURL(new Blob([this.svg], { type: "image/svg+xml" }));
    const image = new Image(this.columns * this.box, this.rows * this.box);
    image.src = address;
    await image.decode();
    URL.revokeObjectURL(address);
    this.image = image;
    return this;
  }

  // Paint a module with its box at x, y, `size` pixels wide.
  paint(brush, module, x, y, size) {
    const { canvas, size: own } = this.#cutTo(size);
    const [column, row] = [module % this.columns, Math.floor(module / this.columns)];
    brush.drawImage(canvas, column * own, row * own, own, own, x, y, size, size);
  }

  // A small picture of one module, for a list.
  picture(module, size) {
    const sharp = Math.round(size * (window.devicePixelRatio || 1));
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = sharp;
    canvas.style.width = canvas.style.height = `${size}px`;
    canvas.setAttribute("aria-hidden", "true");
    const [column, row] = [module % this.columns, Math.floor(module / this.columns)];
    const brush = canvas.getContext("2d");
    // Drawn whole and clipped by the small canvas: browsers cut a part out of a vector picture only as pixels.
    brush.drawImage(this.image, -column * sharp, -row * sharp, this.columns * sharp, this.rows * sharp);
    return canvas;
  }

  #cutTo(wanted) {
    const size = Math.max(1, Math.min(wanted, Math.floor(LONGEST_SIDE / Math.max(this.columns, this.rows))));
    if (this.cut?.size === size) return this.cut;
    const canvas = document.createElement("canvas");
    canvas.width = this.columns * size;
    canvas.height = this.rows * size;
    canvas.getContext("2d").drawImage(this.image, 0, 0, canvas.width, canvas.height);
    this.cut = { size, canvas };
    return this.cut;
  }
}
