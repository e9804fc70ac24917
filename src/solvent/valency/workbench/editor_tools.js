// The controls under the editor's board: what a drag does, undo and redo, the view, the seed and the size.

import { button, h } from "/static/dom.js";

// By name: the label, a key of its own, and what to do with it, by mouse and by touch.
export const TOOLS = {
  pin: ["Pin", "p", "Drag over cells to pin the chosen module there", "Draw over cells to pin the chosen module there"],
  erase: ["Erase pins", "e", "Drag over pins to take them away", "Draw over pins to take them away"],
  refill: ["Refill an area", "r", "Drag a rectangle: what is in it is filled anew, all else stays as it is", "Draw a rectangle: what is in it is filled anew, all else stays as it is"],
  move: ["Move", "m", "Scroll the board without changing it", "Move the board without changing it"],
};

export class EditorTools {
  constructor(editor) {
    this.editor = editor;
    this.tool = "pin";
    const { bench, board, room } = editor;
    this.buttons = Object.entries(TOOLS).map(([tool, [label, , help]]) => button(label, () => this.choose(tool), { title: help, "aria-pressed": String(tool === this.tool), data: { tool } }));
    this.undo = button("↶ Undo", () => bench.undo());
    this.redo = button("↷ Redo", () => bench.redo());
    this.seed = h("input", { type: "number", min: 0, step: 1, "aria-label": "Seed", onchange: () => editor.apply({ seed: Math.max(0, Math.floor(Number(this.seed.value) || 0)) }) });
    room.tools.append(
      h("span", { class: "join", role: "group", "aria-label": "Tool" }, this.buttons),
      h("span", { class: "join" }, this.undo, this.redo),
      h(
        "span",
        { class: "join", role: "group", "aria-label": "Zoom" },
        button("−", () => board.setZoom(board.zoom / 1.5), { "aria-label": "Smaller" }),
        button("+", () => board.setZoom(board.zoom * 1.5), { "aria-label": "Larger" }),
      ),
      button("Clear all pins", () => editor.apply({ clear: true })),
      h("label", { class: "seed" }, "Seed ", this.seed),
      button("New seed", () => editor.apply({ seed: crypto.getRandomValues(new Uint16Array(1))[0] })),
      this.#size(),
    );
    board.element.classList.add("drawing");
    board.element.addEventListener("keydown", (event) => this.#key(event));
  }

  #size() {
    const number = (label) => h("input", { type: "number", min: 1, max: 400, step: 1, "aria-label": label, onchange: () => this.#resize() });
    [this.width, this.height, this.depth] = ["Width", "Height", "Floors"].map(number);
    this.wraps = ["x", "y", "z"].map((axis) => h("input", { type: "checkbox", "aria-label": `Wraps around in ${axis}`, onchange: () => this.#resize() }));
    this.boxes = this.wraps.map((box, axis) => h("label", { class: "wrap" }, box, ` wraps in ${"xyz"[axis]}`));
    this.floors = h("span", { class: "row" }, "×", this.depth);
    this.sizes = h("span", { class: "row" }, h("span", {}, "Size"), this.width, "×", this.height, this.floors, this.boxes);
    return this.sizes;
  }

  show(page) {
    const { bench, room } = this.editor;
    this.undo.disabled = !bench.past.length;
    this.redo.disabled = !bench.future.length;
    room.tools.hidden = page.is_too_large;
    this.seed.value = page.seed;
    this.sizes.hidden = page.kind === "graph";
    if (!page.size) return;
    [this.width.value, this.height.value, this.depth.value] = page.size;
    this.floors.hidden = this.boxes[2].hidden = page.size[2] < 2;
    this.wraps.forEach((box, axis) => (box.checked = Boolean(page.periodic?.[axis])));
  }

  choose(tool) {
    this.tool = tool;
    for (const each of this.buttons) each.setAttribute("aria-pressed", String(each.dataset.tool === tool));
    this.editor.board.element.classList.toggle("drawing", tool !== "move");
    this.editor.refresh();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const found = Object.keys(TOOLS).find((tool) => TOOLS[tool][1] === event.key);
    if (found) this.choose(found);
  }

  #resize() {
    const [width, height, depth] = [this.width, this.height, this.depth].map((field) => Math.max(1, Math.floor(Number(field.value) || 1)));
    const periodic = ["x", "y", "z"].filter((_, axis) => this.wraps[axis].checked).join("") || "none";
    return this.editor.apply({ make: { grid: `${width}x${height}${depth > 1 ? `x${depth}` : ""}`, periodic } });
  }
}
