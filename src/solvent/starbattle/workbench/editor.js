// Draw a Star Battle: regions by dragging, size and stars, a live verdict with where two solutions differ, and a repair.
//
// What is drawn is a draft that may lack regions. Each stroke is a step on the bench: a finished board by its text, an
// unfinished one as a draft beside the last finished text, so that undo, redo and reloading come back to either.

import { button, h, notice, show, stylesheet } from "/static/dom.js";
import { LiveVerdicts } from "/static/live_verdicts.js";
import { pasteCard } from "/static/paste_card.js";
import { whenNarrow } from "/static/screen.js";
import { listen } from "/static/strokes.js";
import { LARGEST, LETTERS, SMALLEST, blank, broken, fromPage, fromRows, isSame, mirrored, missing, mostStars, numbered, painted, resized, toRows, turned, unused } from "./draft.js";
import { DraftBoard } from "./draft_board.js";
import { ERASE, NEW, PULL, Palette } from "./palette.js";
import { RepairCard } from "./repair_card.js";
import { TitleField } from "./title_field.js";
import { isPhone } from "./screen.js";
import { Zoom } from "./zoom.js";

const KEPT = "solvent.starbattle.draft"; // {text, draft}: an unfinished drawing and the board it is kept with

export default async function mount(bench, room) {
  await Promise.all([stylesheet("/domains/starbattle/workbench.css"), stylesheet("/domains/starbattle/editor.css")]);
  return new Editor(bench, room);
}

class Editor {
  constructor(bench, room) {
    this.bench = bench;
    this.board = null;
    this.title = new TitleField(bench);
    this.draft = this.first = this.#first(); // what it begins with, once
    this.original = this.draft;
    this.waiting = 0; // strokes that are not on the bench yet
    this.running = Promise.resolve();
    this.pointed = {};
    this.field = h("div", { class: "field-of-battle" });
    this.spoken = h("p", { class: "hidden", role: "status" });
    this.palette = new Palette();
    this.zoom = new Zoom(this.field);
    this.togo = h("div", { class: "to-go", role: "status" });
    this.remarks = h("div", { class: "quiet" });
    this.verdicts = new LiveVerdicts(bench, { questions: ["unique"], answered: (answer, about) => this.#answered(answer, about) });
    this.repairs = new RepairCard(bench, { apply: (repair) => this.#repair(repair), back: () => this.bench.undo() });
    room.stage.append(this.field, this.spoken);
    room.stage.addEventListener("dragover", (event) => event.preventDefault());
    room.stage.addEventListener("drop", (event) => this.#dropped(event));
    this.#tools(room.tools);
    this.verdictCard = h("section", { class: "card drawing-verdict" }, h("h2", {}, "Is it unique?"), this.togo, this.verdicts.element, this.repairs.element, this.remarks);
    room.panel.append(
      pasteCard((text) => this.#paste(text), {
        help: "A letter or digit for each cell, a dot for a cell without a region; or any format that can be opened, such as a puzz.link address. A file can be dropped here or on the board.",
        sample: "AABB\nACCB\n…",
      }),
    );
    // The verdict stands beside the board; on a phone below it and the brushes.
    this.leaveNarrow = whenNarrow((narrow) => (narrow ? this.palette.element.after(this.verdictCard) : room.panel.prepend(this.verdictCard)));
    this.onPaste = (event) => this.#pasted(event);
    document.addEventListener("paste", this.onPaste);
  }

  // What to begin with: an unfinished drawing of this tab, an empty board from a blank template, or the board itself.
  #first() {
    const { text, page } = this.bench.loaded;
    const kept = recall();
    if (kept?.text === text) return kept.draft;
    const isRows = page.regions.every((region, cell) => region === Math.floor(cell / page.size));
    if (isRows && /^Blank\b/.test(this.bench.title ?? "")) return blank(page.size, page.stars);
    return fromPage(page);
  }

  #tools(place) {
    const { bench } = this;
    this.undo = button("↶ Undo", () => bench.undo(), { title: "Ctrl+Z" });
    this.redo = button("↷ Redo", () => bench.redo(), { title: "Ctrl+Y" });
    this.size = h("select", { "aria-label": "Size", onchange: () => this.#resize(Number(this.size.value)) }, range(SMALLEST, LARGEST).map((size) => h("option", { value: String(size) }, `${size}×${size}`)));
    this.stars = h("select", { "aria-label": "Stars", onchange: () => this.#commit({ ...this.draft, stars: Number(this.stars.value) }) });
    place.append(
      this.palette.element,
      h("div", { class: "row" }, this.undo, this.redo, this.zoom.element),
      h("div", { class: "row" }, h("label", { class: "inline" }, "Size ", this.size), h("label", { class: "inline" }, "Stars ", this.stars), this.title.element),
      h(
        "div",
        { class: "row" },
        button("Clear", () => this.#commit(blank(this.draft.size, this.draft.stars)), { title: "Take all cells out of their regions" }),
        button("Turn", () => this.#commit(turned(this.draft)), { title: "Turn the board by a quarter, clockwise" }),
        button("Mirror", () => this.#commit(mirrored(this.draft)), { title: "Swap left and right" }),
      ),
      h(
        "details",
        { class: "rules" },
        h("summary", {}, "How to draw"),
        h("p", {}, "Drag from a cell to extend its region. From an empty cell, a new region begins. A board needs as many regions as rows."),
        h("table", { class: "by-keys" }, h("tbody", {}, KEYS.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, does))))),
      ),
    );
  }

  #resize(size) {
    this.#commit(resized(this.draft, size));
  }

  // The region that a stroke from a cell paints; undefined if none can begin.
  #begin(cell) {
    const { brush } = this.palette;
    const here = this.draft.regions[cell];
    if (brush === ERASE) return null;
    if (typeof brush === "number") return brush;
    if (brush === PULL && here !== null) return here;
    const region = unused(this.draft);
    if (region !== null) return region;
    notice(`All ${this.draft.size} regions are on the board. Drag from one of them to extend it.`);
    return undefined;
  }

  #key(key, cell) {
    if (key === " " || key === "Enter" || key === "+") {
      const before = this.palette.brush;
      if (key === "+") this.palette.brush = NEW;
      const region = this.#begin(cell);
      this.palette.brush = before;
      if (region !== undefined) this.#paint([cell], region);
      return true;
    }
    if (key === "Backspace" || key === "Delete") {
      this.#paint([cell], null);
      return true;
    }
    const region = key.length === 1 ? LETTERS.indexOf(key.toUpperCase()) : -1;
    if (region < 0 || region >= this.draft.size) return false;
    this.#paint([cell], region);
    return true;
  }

  #paint(cells, region) {
    const next = painted(this.draft, cells, region);
    if (next.regions.every((each, cell) => each === this.draft.regions[cell])) {
      this.#refresh();
      this.spoken.textContent = this.board.labelOf(this.board.focused);
      return;
    }
    this.#commit(next);
    this.spoken.textContent = this.board.labelOf(this.board.focused);
  }

  // Put a draft on the bench, one after the other; it is on the screen at once.
  #commit(draft, how = {}) {
    this.draft = draft;
    this.pointed = {};
    this.repairs.forget();
    this.#refresh();
    this.waiting++;
    this.running = this.running.then(async () => {
      const { size, stars, regions } = draft;
      if (missing(draft).length) await this.bench.set({ ...this.bench.loaded, draft }, { drawn: draft, ...how });
      else await this.bench.edit({ size, stars, regions }, { drawn: numbered(draft), ...how });
    });
    this.running = this.running.catch((error) => this.bench.complain(error)).finally(() => this.waiting--);
    return this.running;
  }

  show(loaded, how = {}) {
    if (how.drawn) loaded.draft = how.drawn;
    if (how.drawn && this.waiting > 1) return; // there is more to come
    loaded.draft ??= this.first ?? fromPage(loaded.page);
    this.first = null;
    this.draft = loaded.draft;
    this.pointed = how.pointed ?? {};
    if (!how.keepRepair) this.repairs.forget();
    keep(missing(this.draft).length ? { text: loaded.text, draft: this.draft } : null);
    this.#refresh();
    if (missing(this.draft).length) this.verdicts.stop();
    else this.verdicts.refresh();
  }

  #refresh(draft = this.draft) {
    if (this.board?.size !== draft.size) {
      this.board = new DraftBoard(draft.size, { numbered: !isPhone() });
      listen(this.board, {
        begin: (cell) => this.#begin(cell),
        preview: (cells, region) => this.board.showDraft(painted(this.draft, cells, region)),
        paint: (cells, region) => this.#paint(cells, region),
        moved: (cell) => (this.spoken.textContent = this.board.labelOf(cell)),
        key: (key, cell) => this.#key(key, cell),
      });
      show(this.field, this.board.element);
      this.zoom.show(draft.size);
    }
    this.board.showDraft(draft);
    this.board.showPointed(this.pointed);
    this.palette.show(draft);
    const { bench } = this;
    this.undo.disabled = !bench.past.length;
    this.redo.disabled = !bench.future.length;
    this.size.value = String(draft.size);
    show(this.stars, range(1, mostStars(draft.size)).map((stars) => h("option", { value: String(stars) }, String(stars))));
    this.stars.value = String(draft.stars);
    this.title.follow(`${draft.size}×${draft.size}, ${draft.stars === 1 ? "1 star" : `${draft.stars} stars`}`, !isSame(draft, this.original));
    const togo = missing(draft);
    this.togo.hidden = !togo.length;
    this.verdicts.element.hidden = togo.length > 0;
    const text = togo.length ? `Still to draw: ${togo.join(", ")}.` : "";
    if (this.togo.textContent !== text) this.togo.textContent = text;
    show(this.remarks, broken(draft).map((line) => h("p", {}, line)));
  }

  // What a live answer adds: where two solutions differ, or why there is none; and how to repair it.
  #answered(answer, about) {
    const { page } = about;
    const { changed } = this.pointed;
    this.pointed = changed ? { changed } : {};
    let words = null;
    if (answer.verdict === "YES") words = "It has exactly one solution.";
    else if (answer.verdict === "NO" && answer.certificate?.form === "two solutions") {
      const [one, other] = answer.certificate.solutions.map((pairs) => new Set(pairs.map(([row, col]) => row * page.size + col)));
      const differing = new Map([...[...one].filter((cell) => !other.has(cell)).map((cell) => [cell, 1]), ...[...other].filter((cell) => !one.has(cell)).map((cell) => [cell, 2])]);
      this.pointed.differing = differing;
      words = `It has several solutions. Two of them differ on the ${differing.size} ringed cells: 1 and 2 say which has a star there.`;
    } else if (answer.verdict === "NO") {
      const { why } = page;
      this.pointed.blamed = why ? page.regions.flatMap((region, cell) => (why.regions.includes(region) ? [cell] : [])) : [];
      words = why ? `It has no solution. ${why.text}` : "It has no solution.";
    }
    this.board.showPointed(this.pointed);
    return [words ? h("p", { class: "in-words" }, words) : null, answer.verdict === "NO" ? this.repairs.button : null];
  }

  // Apply a repair that was found; the changed cells are shown.
  #repair({ cells, to }) {
    const { size } = this.draft;
    const changed = cells.map(([row, col]) => row * size + col);
    const regions = [...this.draft.regions];
    changed.forEach((cell, index) => (regions[cell] = to[index]));
    this.draft = { ...this.draft, regions };
    return this.bench.edit({ regions }, { drawn: numbered(this.draft), pointed: { changed }, keepRepair: true });
  }

  // Take a board from a text: rows of letters, which may have gaps, or anything that can be loaded.
  async #paste(text) {
    const rows = fromRows(text, this.draft.stars);
    if (rows) return this.#commit(rows);
    return this.bench.setText(text);
  }

  // The drawing as rows of letters, while it is not finished; the bench has no text for it.
  asText() {
    return missing(this.draft).length ? toRows(this.draft) : null;
  }

  // Take rows with cells that have no region yet; null for everything else, which the bench can read.
  takeText(text, how) {
    const rows = fromRows(text, this.draft.stars);
    return rows && missing(rows).length ? this.#commit(rows, how) : null;
  }

  #pasted(event) {
    if (this.bench.mode !== "edit" || event.target.closest?.("input, textarea, select")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) this.bench.attempt(() => this.#paste(text));
  }

  #dropped(event) {
    event.preventDefault(); // elsewhere on the page a file is opened anew
    const { dataTransfer } = event;
    const [file] = dataTransfer.files;
    const dropped = dataTransfer.getData("text/plain");
    this.bench.attempt(async () => this.#paste(file ? await file.text() : dropped));
  }

  async ready() {
    await this.running;
    const togo = missing(this.draft);
    return togo.length ? `The drawing is not finished: ${togo.join(", ")}.` : null;
  }

  refused(message) {
    notice(message, "error");
  }

  key() {}

  leave() {
    this.zoom.leave();
    this.leaveNarrow();
    document.removeEventListener("paste", this.onPaste);
  }
}

const KEYS = [
  ["Arrow keys", "go over the board"],
  ["Shift + arrow keys", "extend the region of the cell"],
  ["A, B, C …", "paint the cell with that region"],
  ["Space or Enter", "paint the cell with the brush"],
  ["+", "begin a new region"],
  ["Delete", "take the cell out of its region"],
  ["Ctrl+Z · Ctrl+Y", "undo · redo"],
  ["Ctrl+V", "paste a board"],
];

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

function keep(what) {
  try {
    if (what) sessionStorage.setItem(KEPT, JSON.stringify(what));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // a browser may forbid storing
  }
}
