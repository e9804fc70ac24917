// Draw a Harmony board: size, colours and moves, scrambled by playing backwards, with a live verdict.
//
// What is drawn is a draft that may lack tiles. Each step is one on the bench: a finished board by its text, an unfinished
// one as a draft beside the last finished text, so that undo, redo and reloading come back to either.

import { button, h, notice, show, stylesheet } from "/static/dom.js";
import { count } from "/static/format.js";
import { LiveVerdicts } from "/static/live_verdicts.js";
import { pasteCard } from "/static/paste_card.js";
import { keep, recall } from "/static/storage.js";
import { listen } from "/static/strokes.js";
import { BoardView } from "./board.js";
import { rowLetter, swapName } from "./cells.js";
import { MOST_MOVES, asAction, asPage, brushed, emptied, fromPage, isSame, missing, remarks, renamed, resized, retargeted, solved, withColour, withMoves, withoutColour } from "./draft.js";
import { EditorForms } from "./editor_forms.js";
import { TileInput } from "./input.js";
import { BACK, Palette } from "./palette.js";
import { ProofView } from "./proof_view.js";
import { readProof } from "./refutation.js";

const KEPT = "solvent.harmony.draft"; // {text, draft}: a drawing of this tab and the board it is kept with
const TYPING = 1200; // milliseconds in which another digit belongs to the same number

export default async function mount(bench, room) {
  await Promise.all([stylesheet("/domains/harmony/harmony.css"), stylesheet("/domains/harmony/editor.css")]);
  return new Editor(bench, room);
}

class Editor {
  constructor(bench, room) {
    this.bench = bench;
    this.waiting = 0; // steps that are not on the bench yet
    this.running = Promise.resolve();
    this.typed = { cell: null, text: "", at: 0 }; // digits of a number of moves
    this.draft = this.first = this.#first(); // what it begins with, once
    this.spoken = h("p", { class: "hidden", role: "status" });
    this.view = new BoardView(room.stage);
    this.view.svg.classList.add("editable");
    this.proof = new ProofView(this.view);
    this.palette = new Palette({ chosen: () => this.#chosen(), add: () => this.#addColour() });
    this.#listen();
    this.forms = new EditorForms(this);
    this.togo = h("div", { class: "to-go", role: "status" });
    this.remarks = h("ul", { class: "remarks" });
    this.verdicts = new LiveVerdicts(bench, { questions: ["solvable"], answered: (answer, about) => this.#answered(answer, about) });
    room.stage.append(this.spoken);
    room.tools.classList.add("harmony-editor");
    const verdict = h("section", { class: "card harmony-verdict", "aria-label": "Can it be solved?" }, this.togo, this.verdicts.element, this.remarks);
    room.tools.append(verdict, this.palette.element, this.forms.colour, this.forms.sizes, this.forms.scrambling, this.forms.help);
    this.palette.element.firstChild.append(this.forms.steps);
    room.panel.append(
      this.forms.targets,
      pasteCard((text) => bench.setText(text), { help: "A board in any format that can be opened. A file can be dropped here.", sample: "ROWS 2\nCOLS 2\n\nBOARD\nRED   A1 0  B2 1\n…" }),
    );
  }

  // What to begin with: a drawing of this tab, or the board itself.
  #first() {
    const { text, page } = this.bench.loaded;
    const kept = recall(KEPT, null, "sessionStorage");
    return kept?.text === text ? kept.draft : fromPage(page);
  }

  #listen() {
    listen(this.view, {
      begin: (cell, { byKey = false } = {}) => (byKey && this.palette.name === BACK ? undefined : this.#begin(cell)),
      preview: (cells, brush) => this.#drawBoard(brush ? brushed(this.draft, cells, brush) : this.draft),
      paint: (cells, brush) => this.#paint(cells, brush),
      moved: (cell) => (this.spoken.textContent = this.view.describe(cell)),
      key: (key, cell) => this.#key(key, cell),
    });
    this.input = new TileInput(this.view, { swap: (pair) => this.#playBack(pair), mayPick: () => this.palette.name === BACK && this.#isFree() });
    // The tab of a row takes the colour of the brush.
    this.view.svg.addEventListener("click", (event) => {
      const row = event.target.closest?.(".tab")?.dataset.row;
      if (!row) return;
      if (this.palette.colour === null) notice(`Choose a colour first: then row ${row} will want it.`);
      else this.retarget(row.charCodeAt(0) - 65, this.palette.colour);
    });
  }

  // While a proof is shown the board is not for drawing.
  #isFree() {
    if (this.proof.isOpen) notice("This is a step of the proof. Close it to draw on.");
    return !this.proof.isOpen;
  }

  #begin() {
    return this.palette.name !== BACK && this.#isFree() ? this.palette.brush : undefined;
  }

  #key(key, cell) {
    const { brush } = this.palette;
    if (key === " " || key === "Enter") {
      if (brush) this.#paint([cell], brush);
      return brush !== null;
    }
    if (key === "+" || key === "=" || key === "-") this.#paint([cell], { add: key === "-" ? -1 : 1 });
    else if (key === "Backspace" || key === "Delete") this.#paint([cell], { colour: null });
    else if (/^[0-9]$/.test(key)) this.#typeMoves(cell, key);
    else return this.#paintByLetter(cell, key);
    return true;
  }

  // Digits in quick succession are one number.
  #typeMoves(cell, digit) {
    const now = Date.now();
    const goesOn = this.typed.cell === cell && now - this.typed.at < TYPING && Number(this.typed.text + digit) <= MOST_MOVES;
    this.typed = { cell, text: goesOn ? this.typed.text + digit : digit, at: now };
    if (this.draft.colours[cell] === null) return notice("There is no tile on this cell: give it a colour first.");
    return this.#change(withMoves(this.draft, cell, Number(this.typed.text)), cell);
  }

  // The first letter of a colour paints it; again, the next colour that begins with it.
  #paintByLetter(cell, key) {
    const names = this.draft.palette.filter((name) => key.length === 1 && name.startsWith(key.toUpperCase()));
    if (!names.length) return false;
    this.#paint([cell], { colour: names[(names.indexOf(this.draft.colours[cell]) + 1) % names.length] });
    return true;
  }

  #paint(cells, brush) {
    if (this.#isFree()) this.#change(brushed(this.draft, cells, brush), [...cells].at(-1));
  }

  // Take a draft over, if it is another one; `cell` is where something was done.
  #change(draft, cell = null) {
    if (isSame(draft, this.draft)) this.#refresh();
    else this.commit(draft);
    if (cell !== null) this.spoken.textContent = this.view.describe(cell);
  }

  // Put a draft on the bench, one after the other; it is on the screen at once.
  commit(draft) {
    this.draft = draft;
    this.#refresh();
    return this.inTurn(async () => {
      if (missing(draft).length) await this.bench.set({ ...this.bench.loaded, draft }, { drawn: draft });
      else await this.bench.edit(asAction(draft), { drawn: draft });
    });
  }

  inTurn(work) {
    this.waiting++;
    this.running = this.running.then(work).catch((error) => this.bench.complain(error)).finally(() => this.waiting--);
    return this.running;
  }

  // Swaps played backwards, by hand or by chance, are made by the rules: on a finished board only.
  #backwards(action, words, how = {}) {
    return this.inTurn(async () => {
      const togo = missing(this.draft);
      if (togo.length) return notice(`First finish the board: ${togo.join(", ")}.`);
      const idle = this.draft.palette;
      const loaded = await this.bench.edit(action, { ...how, idle });
      if (loaded) this.spoken.textContent = words;
      return null;
    });
  }

  #playBack(pair) {
    const name = swapName(pair, this.view.cols);
    return this.#backwards({ back: [name] }, `${name} played backwards. Both tiles have a move more.`, { swapped: pair });
  }

  scramble(swaps, seed, more) {
    const begin = () => this.#backwards({ scramble: swaps, seed, more }, `${count(swaps, "swap")} played backwards.`);
    if (more || !missing(this.draft).length) return begin();
    this.commit(solved(this.draft)); // from the solved board, whatever is missing now
    return begin();
  }

  resize(rows, cols) {
    if (rows !== this.draft.rows || cols !== this.draft.cols) this.commit(resized(this.draft, rows, cols, (taken) => this.#spare(taken)));
  }

  retarget(row, name) {
    this.#change(retargeted(this.draft, row, name));
    this.spoken.textContent = `Row ${rowLetter(row)} wants ${name.toLowerCase()}.`;
  }

  solve() {
    this.#change(solved(this.draft));
  }

  clear() {
    this.#change(emptied(this.draft));
  }

  #addColour() {
    const name = this.#spare(this.draft.palette);
    this.commit(withColour(this.draft, name));
    this.palette.chooseColour(name);
  }

  removeColour() {
    if (this.palette.colour !== null) this.commit(withoutColour(this.draft, this.palette.colour));
  }

  async renameColour(text) {
    const [from, to] = [this.palette.colour, text.trim().toUpperCase()];
    if (!to || to === from) return this.#refresh();
    if (this.draft.palette.includes(to)) {
      notice(`There is a colour ${to.toLowerCase()} already.`, "error");
      return this.#refresh();
    }
    if (/[\s#]/.test(to)) {
      notice("A colour's name is one word, without #.", "error");
      return this.#refresh();
    }
    const done = this.commit(renamed(this.draft, from, to));
    this.palette.chooseColour(to);
    return done;
  }

  // A name for one more colour: the next that is easy to tell from the others.
  #spare(taken) {
    const free = this.bench.loaded.page.hues.find(({ name }) => !taken.includes(name))?.name;
    return free ?? `COLOUR${taken.length + 1}`;
  }

  #chosen() {
    this.input.pick(null);
    this.forms.show(this.draft);
  }

  // Another state is on the bench.
  show(loaded, how = {}) {
    if (how.drawn) loaded.draft = how.drawn;
    if (how.drawn && this.waiting > 1) return; // there is more to come
    loaded.draft ??= this.first ?? withIdle(fromPage(loaded.page), how.idle ?? []);
    this.first = null;
    this.draft = loaded.draft;
    keep(KEPT, { text: loaded.text, draft: this.draft }, "sessionStorage");
    if (how.swapped) this.view.swapTiles(how.swapped);
    this.#refresh();
    const isFinished = !missing(this.draft).length;
    // An unfinished draft is kept beside the last finished text; what was said about that is not about the draft.
    this.bench.cards.moved(isFinished ? null : loaded.text, isFinished ? loaded.text : null);
    if (isFinished) this.verdicts.refresh();
    else this.verdicts.stop();
  }

  // The paint of a colour: as the server mixed it, or as it will.
  paint(name) {
    const { palette, hues } = this.bench.loaded.page;
    return palette.find((each) => each.name === name) ?? hues.find((each) => each.name === name) ?? { name, short: name.slice(0, 2), face: "#8b9096", rim: "#5d6166", ink: "#1b1b1b" };
  }

  #drawBoard(draft) {
    this.view.draw(asPage(draft, (name) => this.paint(name)));
  }

  #refresh() {
    const { draft } = this;
    this.view.mark("culprit");
    this.view.mark("followed");
    this.#drawBoard(draft);
    this.input.setPage({ lines: straightLines(draft) });
    this.palette.show(draft, (name) => this.paint(name));
    this.forms.show(draft);
    const togo = missing(draft);
    this.togo.hidden = !togo.length;
    this.verdicts.element.hidden = togo.length > 0;
    const text = togo.length ? `Not finished: ${togo.join(", ")}.` : "";
    if (this.togo.textContent !== text) this.togo.textContent = text;
    show(this.remarks, remarks(draft).map((line) => h("li", {}, line)));
    this.remarks.hidden = !this.remarks.childElementCount;
  }

  // What a live answer adds: how many swaps it takes, or why it cannot be done, and where that shows.
  #answered(answer, about) {
    const { page } = about;
    const full = button("Full answer", () => this.bench.showAnswer(answer, about), { class: "link" });
    if (answer.verdict === "YES") {
      const words = page.solved ? "It is solved as it stands. Scramble it, or play backwards, to make a puzzle." : `Every solution has ${count(page.swaps, "swap")}.`;
      return [h("p", { class: "in-words" }, words, " ", page.solved ? null : full)];
    }
    if (answer.verdict === "UNKNOWN") return [h("p", { class: "in-words" }, "Nothing was found in 3 seconds. ", button("Look longer", () => this.bench.ask("solvable"), { class: "link" }))];
    const { test, text, cells } = readProof(answer, page);
    if (!this.proof.isOpen) this.view.mark("culprit", cells.length <= 6 ? cells : []);
    return [h("p", { class: "in-words because" }, h("strong", {}, `${test}: `), text, " ", full)];
  }

  showStep(step, where) {
    if (!step) {
      this.proof.close();
      return this.#refresh();
    }
    this.input.pick(null);
    return this.proof.show(step, where);
  }

  async ready() {
    await this.running;
    const togo = missing(this.draft);
    return togo.length ? `The board is not finished: ${togo.join(", ")}.` : null;
  }

  // What the server does not take is not on the board either.
  refused = (message) => {
    notice(message, "error");
    this.draft = this.bench.loaded.draft ?? fromPage(this.bench.loaded.page);
    this.#refresh();
  };

  key() {}

  leave() {
    this.view.leave();
  }
}

// Colours that a board has no tile of stay in the palette.
const withIdle = (draft, names) => ({ ...draft, palette: [...new Set([...draft.palette, ...names])] });

// Backwards, any two tiles in one row or column change places, whether they have moves or not.
function straightLines({ rows, cols, colours, moves }) {
  const cells = colours.map((_, cell) => cell).filter((cell) => colours[cell] !== null && moves[cell] < MOST_MOVES);
  const lines = [
    ...Array.from({ length: rows }, (_, row) => cells.filter((cell) => Math.floor(cell / cols) === row)),
    ...Array.from({ length: cols }, (_, col) => cells.filter((cell) => cell % cols === col)),
  ];
  return lines.filter((line) => line.length > 1);
}
