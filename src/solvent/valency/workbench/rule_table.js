// Which modules may touch, as a table for each direction: a row has what may stand beside its module that way. The
// opposite direction follows by itself.

import { h, show } from "/static/dom.js";

const MOST = 40; // modules of which a table can be read

export class RuleTable {
  // `changed({layer, orbital, module, other, allowed})` hears of each cell that was turned.
  constructor(changed) {
    this.changed = changed;
    this.at = [0, 0];
    this.choice = h("select", { "aria-label": "Direction", onchange: () => this.#fill() });
    this.room = h("div", { class: "rules" });
    this.pair = h("p", { class: "touching quiet" }); // the two modules of a cell, side by side
    this.element = h("div", {}, h("label", { class: "row" }, "Direction ", this.choice), this.room, this.pair);
  }

  show(page, sheet) {
    Object.assign(this, { page, sheet });
    const isShown = page.tables && page.modules.length <= MOST;
    this.choice.parentElement.hidden = !isShown;
    show(this.pair);
    if (!isShown) {
      show(this.room, h("p", { class: "quiet" }, "There are too many modules for a table. Edit the rules as text."));
      return;
    }
    const chosen = Number(this.choice.value) || 0;
    show(this.choice, page.tables.map(({ name }, number) => h("option", { value: number, selected: number === chosen }, name)));
    this.#fill();
  }

  #fill() {
    const { modules, tables } = this.page;
    const table = tables[Number(this.choice.value) || 0];
    const hadFocus = this.room.contains(document.activeElement);
    this.at = this.at.map((number) => Math.min(number, modules.length - 1));
    this.cells = modules.map((module, row) => {
      const allowed = new Set(table.rows[row]);
      return modules.map((other, column) =>
        h("td", {
          role: "gridcell",
          class: allowed.has(column) ? "pair allowed" : "pair",
          tabindex: row === this.at[0] && column === this.at[1] ? 0 : -1,
          "aria-selected": String(allowed.has(column)),
          "aria-label": `${other.key} ${table.name} of ${module.key}: ${allowed.has(column) ? "allowed" : "not allowed"}`,
          title: `${other.key} ${table.name} of ${module.key}`,
          onclick: () => this.#turn(table, row, column),
          onpointerenter: () => this.#showPair(table, row, column),
          onfocus: () => this.#showPair(table, row, column),
          onkeydown: (event) => this.#key(event, table),
        }, allowed.has(column) ? "✓" : ""),
      );
    });
    const head = (number, scope) => h("th", { scope, title: modules[number].key }, this.sheet.picture(number, 28), h("span", { class: "hidden" }, modules[number].key));
    show(
      this.room,
      h(
        "table",
        { role: "grid", "aria-label": `What may stand ${table.name} of what` },
        h("thead", {}, h("tr", {}, h("td", {}), modules.map((_, number) => head(number, "col")))),
        h("tbody", {}, this.cells.map((row, number) => h("tr", {}, head(number, "row"), row))),
      ),
    );
    if (this.hasTurned && !hadFocus) this.#showPair(table, ...this.at);
    this.hasTurned = false;
    if (hadFocus) this.cells[this.at[0]][this.at[1]].focus();
  }

  // How the two would look beside each other.
  #showPair(table, module, other) {
    const { modules } = this.page;
    const [x, y] = table.direction ?? [1, 0];
    const pictures = [module, other].map((number) => this.sheet.picture(number, 40));
    if (x < 0 || y < 0) pictures.reverse();
    const isAllowed = table.rows[module].includes(other);
    const way = Math.abs(y) > Math.abs(x) ? "pair-picture upright" : "pair-picture";
    show(this.pair, h("span", { class: way }, pictures), `${modules[other].key} ${table.name} of ${modules[module].key}: ${isAllowed ? "allowed" : "not allowed"}`);
  }

  #turn(table, module, other) {
    this.at = [module, other];
    this.hasTurned = true;
    this.changed({ layer: table.layer, orbital: table.orbital, module, other, allowed: !table.rows[module].includes(other) });
  }

  #key(event, table) {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const [row, column] = this.at;
    if (event.key === " " || event.key === "Enter") this.#turn(table, row, column);
    else if (step) {
      const last = this.cells.length - 1;
      this.cells[row][column].tabIndex = -1;
      this.at = [row + step[0], column + step[1]].map((number) => Math.max(0, Math.min(last, number)));
      const cell = this.cells[this.at[0]][this.at[1]];
      cell.tabIndex = 0;
      cell.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
