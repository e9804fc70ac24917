// Cards are about a position. One about another position than that on the bench is out of sight, and comes back with
// its position; one that comes too late says so.

import { h } from "./dom.js";

const MAX_KEPT = 12;
const MAX_IN_SIGHT = 4;

export class EarlierCards {
  constructor(place) {
    this.place = place;
    this.about = new WeakMap(); // card -> text of its position
  }

  // Put a card in front; `now` is the text of what is on the bench.
  add(card, text, now) {
    this.about.set(card, text);
    if (text !== now) card.prepend(h("p", { class: "quiet late" }, "About an earlier position."));
    this.place.prepend(card);
    this.#tidy();
  }

  // Another position is on the bench. A card of which nothing is known came while the last one was there.
  moved(before, now) {
    if (before === now) return;
    for (const card of this.place.children) {
      if (!this.about.has(card)) this.about.set(card, before);
      card.hidden = this.about.get(card) !== now;
      if (!card.hidden) card.querySelector(".late")?.remove();
    }
    this.#tidy();
  }

  #tidy() {
    const cards = [...this.place.children];
    const inSight = cards.filter((card) => !card.hidden);
    for (const card of new Set([...inSight.slice(MAX_IN_SIGHT), ...cards.slice(MAX_KEPT)])) card.remove();
  }
}
