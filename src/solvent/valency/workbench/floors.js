// Which floor of a board is shown: a button for each, or a slider where there are many.

import { button, h, show } from "/static/dom.js";

const MAX_BUTTONS = 8;

export class Floors {
  constructor(board) {
    this.board = board;
    this.element = h("div", { class: "floors", role: "group", "aria-label": "Floors" });
  }

  // Show which floor is shown, and on which something is marked.
  show() {
    const { geometry, floor, look } = this.board;
    if (geometry.floors < 2) {
      show(this.element);
      return;
    }
    const marked = new Set([...(look.clash?.nodes ?? []), ...(look.lit?.nodes ?? []), ...look.leftOut.keys()].map((node) => geometry.floorOf(node)));
    const label = (number) => `Floor ${number}${marked.has(number) ? " ●" : ""}`;
    if (geometry.floors <= MAX_BUTTONS) {
      const hadFocus = this.element.contains(document.activeElement);
      show(
        this.element,
        Array.from({ length: geometry.floors }, (_, number) => button(label(number), () => this.board.showFloor(number), { "aria-pressed": String(number === floor) })),
      );
      if (hadFocus) this.element.children[floor].focus();
      return;
    }
    const slider = h("input", { type: "range", min: 0, max: geometry.floors - 1, value: floor, "aria-label": "Floor", oninput: () => this.board.showFloor(Number(slider.value)) });
    if (this.element.contains(document.activeElement) && this.element.querySelector("input")) this.element.querySelector("output").textContent = label(floor);
    else show(this.element, slider, h("output", {}, label(floor)));
  }
}
