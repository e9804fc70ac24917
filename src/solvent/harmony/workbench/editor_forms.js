// The editor's controls beside its palette: size, scrambling, the chosen colour, and what each row wants.

import { button, h, show } from "/static/dom.js";
import { rowLetter } from "./cells.js";
import { MOST_COLS, MOST_ROWS } from "./draft.js";

const MOST_SWAPS = 1000; // that the server plays backwards at a time
const FEW_ROWS = 8;
const KEYS = [
  ["Arrow keys", "go over the board"],
  ["Space or Enter", "do what is chosen: pick a tile, paint, give or take a move"],
  ["0 to 9", "set the moves of the tile; two digits in quick succession are one number"],
  ["+ · -", "one move more · less"],
  ["R, B, G …", "paint the colour that begins so; again for the next such colour"],
  ["Shift + arrow keys", "paint on"],
  ["Delete", "take the tile off"],
  ["Ctrl+Z · Ctrl+Y", "undo · redo"],
];

export class EditorForms {
  constructor(editor) {
    this.editor = editor;
    const { bench } = editor;
    this.undo = button("↶", () => bench.undo(), { "aria-label": "Undo", title: "Undo (Ctrl+Z)" });
    this.redo = button("↷", () => bench.redo(), { "aria-label": "Redo", title: "Redo (Ctrl+Y)" });
    this.steps = h("span", { class: "join", role: "group", "aria-label": "Undo and redo" }, this.undo, this.redo);
    this.rows = stepper("Rows", MOST_ROWS, (rows) => editor.resize(rows, editor.draft.cols));
    this.cols = stepper("Columns", MOST_COLS, (cols) => editor.resize(editor.draft.rows, cols));
    this.sizes = h(
      "div",
      { class: "row" },
      this.rows.element,
      this.cols.element,
      button("All home", () => editor.solve(), { title: "Put every tile in its row, with no moves: the solved board" }),
      button("Clear", () => editor.clear(), { title: "Take all tiles off the board" }),
    );
    this.scrambling = this.#scrambling();
    this.colour = this.#colour();
    this.list = h("div", { class: "row-targets" });
    this.targets = h("details", { class: "card", open: editor.draft.rows <= FEW_ROWS }, h("summary", {}, h("strong", {}, "What each row wants")), h("p", { class: "quiet" }, "Or choose a colour and press the tab of a row."), this.list);
    this.help = h(
      "details",
      { class: "rules" },
      h("summary", {}, "How to draw"),
      h("p", {}, "A board that is played backwards from its solved position can be solved. Colours and moves can also be set freely; the verdict says what that does. To copy a board from elsewhere, press Clear, then paint its tiles and set their moves."),
      h("table", { class: "for-keyboards" }, h("tbody", {}, KEYS.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, does))))),
    );
    this.look = "";
  }

  #scrambling() {
    const swaps = h("input", { type: "number", min: 1, max: MOST_SWAPS, value: 8, inputmode: "numeric" });
    const seed = h("input", { type: "number", min: 0, max: 999_999_999, value: 1, inputmode: "numeric" });
    const go = (more) => {
      if (!swaps.reportValidity() || !seed.reportValidity()) return;
      this.editor.scramble(Number(swaps.value) || 1, Number(seed.value) || 0, more);
    };
    const next = () => {
      seed.value = String((Number(seed.value) || 0) + 1);
      go(false);
    };
    return h(
      "div",
      { class: "row scrambling", role: "group", "aria-label": "Scramble by playing backwards" },
      h("label", { class: "inline" }, "Scramble ", swaps, " moves"),
      h("label", { class: "inline" }, "seed ", seed),
      button("Scramble", () => go(false), { class: "primary", title: "Play so many moves backwards from the solved board; the same seed gives the same board" }),
      button("Next seed", next, { title: "Scramble with the next seed" }),
      button("Add to it", () => go(true), { title: "Play so many moves backwards from the board as it stands" }),
    );
  }

  #colour() {
    this.name = h("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 40, onchange: () => this.editor.renameColour(this.name.value) });
    this.remove = button("Remove this colour", () => this.editor.removeColour(), { title: "Take the colour and all its tiles off the board" });
    return h("div", { class: "row chosen-colour" }, h("label", { class: "inline" }, "Name ", this.name), this.remove);
  }

  show(draft) {
    const { bench, palette } = this.editor;
    this.undo.disabled = !bench.past.length;
    this.redo.disabled = !bench.future.length;
    this.rows.show(draft.rows);
    this.cols.show(draft.cols);
    this.colour.hidden = palette.colour === null;
    if (palette.colour !== null) this.name.value = palette.colour.toLowerCase();
    this.remove.disabled = draft.palette.length < 2;
    const look = JSON.stringify([draft.palette, draft.targets]);
    if (look !== this.look) this.#showTargets(draft);
    this.look = look;
  }

  #showTargets({ palette, targets }) {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.row : null;
    const choice = (row) => {
      const option = (name) => h("option", { value: name, selected: name === targets[row] }, name.toLowerCase());
      const none = targets[row] === null ? h("option", { value: "", selected: true }, "choose…") : null;
      const made = h("select", { data: { row }, onchange: () => made.value && this.editor.retarget(row, made.value) }, none, palette.map(option));
      return h("label", { class: "inline" }, `Row ${rowLetter(row)} `, made);
    };
    show(this.list, targets.map((_, row) => choice(row)));
    if (focused) this.list.querySelector(`[data-row="${focused}"]`)?.focus();
  }
}

// A number with a button on each side.
function stepper(label, most, changed) {
  const lower = label.toLowerCase();
  let isTyping = false; // what arrives meanwhile is not written over it
  const field = h("input", { type: "number", min: 1, max: most, inputmode: "numeric", "aria-label": label, oninput: () => (isTyping = true), onblur: () => (isTyping = false), onchange: () => set(Number(field.value)) });
  const shown = { value: 1 };
  const set = (value) => {
    isTyping = false;
    const next = Math.max(1, Math.min(most, Math.round(value) || shown.value));
    field.value = String(next);
    changed(next);
  };
  const [less, more] = [button("−", () => set(shown.value - 1), { "aria-label": `Fewer ${lower}` }), button("+", () => set(shown.value + 1), { "aria-label": `More ${lower}` })];
  return {
    element: h("span", { class: "join stepper", role: "group", "aria-label": label }, h("span", { class: "label" }, label), less, field, more),
    show(value) {
      shown.value = value;
      if (!isTyping) field.value = String(value);
      less.disabled = value <= 1;
      more.disabled = value >= most;
    },
  };
}
