// Pin modules: a palette of what fits the selected node, and a list of what is pinned.

import { button, h, show } from "/static/dom.js";

const MAX_SHOWN = 90;
const MANY = 16; // modules beyond which they can be searched
const MAX_PINS = 40;

export class PinPanel {
  constructor(bench, board, { describe }) {
    this.bench = bench;
    this.board = board;
    this.describe = describe;
    this.where = h("p", { class: "where" });
    this.search = h("input", { type: "search", placeholder: "Find a module", "aria-label": "Find a module", oninput: () => this.#palette() });
    this.choices = h("div", { class: "palette", role: "group", "aria-label": "Modules that fit here", onkeydown: (event) => this.#key(event) });
    this.pins = h("div", { class: "pins" });
    this.element = bench.section("Pin a module", this.where, this.search, this.choices, this.pins);
    this.element.classList.add("valency", "pinning");
  }

  show() {
    const { board } = this;
    const node = board.selected;
    this.search.hidden = node === null || board.page.modules.length <= MANY;
    if (node === null) {
      show(this.where, "Select a cell on the board, then choose what has to stand there.");
      show(this.choices);
    } else {
      show(this.where, h("strong", {}, board.geometry.name(node)), ": ", this.describe(node, { short: true }));
      this.#palette();
    }
    this.#list();
  }

  // Bring the keyboard to the palette.
  focus() {
    this.choices.querySelector("button")?.focus();
  }

  #palette() {
    const { board } = this;
    const { page } = board;
    const node = board.selected;
    if (board.empty.has(node)) {
      show(this.choices, h("p", { class: "quiet" }, "A node without neighbours stays empty."));
      return;
    }
    const fitting = page.fits ? page.fits[page.class_of[node]] : page.modules.map((_, number) => number);
    const pick = board.picks.get(node);
    const possible = page.candidate_sets && !pick ? new Set(page.candidate_sets[page.candidates[node]]) : null;
    const wanted = this.search.hidden ? "" : this.search.value.trim().toLowerCase();
    const found = fitting.filter((number) => page.modules[number].key.toLowerCase().includes(wanted));
    const variants = Map.groupBy(fitting, (number) => page.modules[number].name);
    const wholes = [...variants].filter(([name, numbers]) => numbers.length > 1 && name.toLowerCase().includes(wanted));
    show(
      this.choices,
      found.slice(0, MAX_SHOWN).map((number) => this.#choice(node, page.modules[number].key, number, pick, possible)),
      found.length > MAX_SHOWN ? h("p", { class: "quiet" }, `… and ${found.length - MAX_SHOWN} more: search for them.`) : null,
      wholes.length && wholes.length <= MANY
        ? h(
            "div",
            { class: "row wholes" },
            wholes.map(([name]) =>
              button(`any ${name}`, () => this.#pin(node, name), { "aria-pressed": String(pick?.name === name), class: "small" }),
            ),
          )
        : null,
    );
  }

  #choice(node, key, number, pick, possible) {
    const clashes = possible !== null && !possible.has(number);
    const isPinned = pick?.name === key;
    return button(
      [this.board.sheet.picture(number, 28), h("span", {}, key), clashes ? h("span", { class: "quiet", "aria-hidden": "true" }, "✗") : null],
      () => (isPinned ? this.remove(node) : this.#pin(node, key)),
      {
        class: clashes ? "module clashing" : "module",
        "aria-pressed": String(isPinned),
        title: clashes ? `${key} fits here, but not with what is pinned or asked for elsewhere` : `Pin ${key} here`,
        "aria-label": `${key}${clashes ? ", clashes with something elsewhere" : ""}`,
      },
    );
  }

  async #pin(node, name) {
    const back = document.activeElement?.closest?.(".palette") ? name : null;
    await this.bench.play({ pick: { node, name } });
    if (back) [...this.choices.querySelectorAll("button")].find((each) => each.getAttribute("aria-pressed") === "true")?.focus();
  }

  remove(node) {
    if (this.board.picks.has(node)) this.bench.play({ unpick: node });
  }

  #list() {
    const { page, geometry } = this.board;
    if (!page.picks.length) {
      show(this.pins);
      return;
    }
    show(
      this.pins,
      h("h3", {}, `Pinned: ${page.picks.length}`),
      h(
        "ul",
        {},
        page.picks.slice(0, MAX_PINS).map((pick) =>
          h(
            "li",
            {},
            button(`${geometry.name(pick.node)} ${pick.name}`, () => this.board.select(pick.node), { class: "link", title: "Show it on the board" }),
            pick.ignored ? h("span", { class: "quiet" }, ` ignored: ${pick.ignored}`) : null,
            button("×", () => this.remove(pick.node), { class: "plain", "aria-label": `Unpin ${geometry.name(pick.node)}` }),
          ),
        ),
        page.picks.length > MAX_PINS ? h("li", { class: "quiet" }, `… and ${page.picks.length - MAX_PINS} more`) : null,
      ),
      button("Clear all pins", () => this.bench.play({ clear: true })),
    );
  }

  // Arrow keys go from module to module; Escape leads back to the board.
  #key(event) {
    const buttons = [...this.choices.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.board.element.focus();
    else if (step && at >= 0) buttons[(at + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
