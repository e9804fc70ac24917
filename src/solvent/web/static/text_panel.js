// The instance as text, to read, copy and change. What is typed is read as one types; what cannot be read is said in
// place, with its line, and the board stays as it was until the text can be read again.

import { post } from "./api.js";
import { button, h, show } from "./dom.js";
import { placeOf } from "./json_places.js";
import { debounce } from "./pagination.js";

const PAUSE = 250; // milliseconds without a key before the text is read
const MAX_LETTERS = 400_000; // more would make a text area slow; such files are edited elsewhere

let panels = 0;

export class TextPanel {
  // `textOf(loaded)` is what is shown of a position, and `load(text)` reads it: a domain may show a part of it alone.
  constructor(bench, { summary = "As text", label = "The instance as text", textOf = null, load = null } = {}) {
    this.bench = bench;
    this.textOf = textOf;
    this.load = load;
    const name = `text-message-${++panels}`;
    this.applied = null; // the text that the position on the bench was last read from or written as
    this.isBurst = false; // whether the last step on the bench came from typing here: one burst is one undo
    this.gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
    this.message = h("p", { class: "quiet", id: name, role: "status" });
    this.area = h("textarea", {
      class: "source",
      rows: 14,
      wrap: "off",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-label": label,
      "aria-describedby": name,
      oninput: () => this.#typed(),
      onscroll: () => (this.gutter.scrollTop = this.area.scrollTop),
      onblur: () => (this.isBurst = false),
    });
    this.read = debounce(() => this.#read(), PAUSE);
    this.element = h(
      "details",
      { class: "as-text", ontoggle: () => this.element.open && this.show() },
      h("summary", {}, summary),
      h("div", { class: "source-frame" }, this.gutter, this.area),
      this.message,
    );
  }

  // Show the position on the bench, unless it is what was typed here.
  show() {
    if (!this.element.open) return;
    const text = this.#now;
    if (text === this.applied && !this.failed) return;
    this.applied = text;
    this.failed = false;
    const isLong = text.length > MAX_LETTERS;
    this.area.value = isLong ? text.slice(0, MAX_LETTERS) : text;
    this.area.readOnly = isLong;
    this.#say(isLong ? "Only the beginning is shown, and it cannot be changed here: it is too long." : "Change it here, and the board follows.");
    this.#number(null);
  }

  // An editor may hold what is not finished, and write that its own way.
  get #now() {
    return this.#textOf(this.bench.loaded);
  }

  #textOf(loaded) {
    return this.textOf ? this.textOf(loaded) : ((loaded === this.bench.loaded ? this.bench.active?.asText?.() : null) ?? loaded.text);
  }

  #typed() {
    this.#number(null);
    this.read();
  }

  async #read() {
    const text = this.area.value;
    if (this.area.readOnly) return;
    if (text === this.applied) {
      if (this.failed) this.#isBack();
      return;
    }
    const taken = this.load ? null : this.bench.active?.takeText?.(text, { remember: !this.isBurst, typed: true }); // what only an editor can read
    if (taken) {
      this.applied = this.#now;
      await taken;
      return this.#isRead();
    }
    let loaded;
    try {
      loaded = await (this.load?.(text) ?? post("load", { text, domain: this.bench.domain.name }));
    } catch (error) {
      if (this.area.value === text) this.#complain(error);
      return;
    }
    if (this.area.value !== text) return; // more was typed meanwhile
    this.failed = false;
    this.applied = this.#textOf(loaded);
    await this.bench.set(loaded, { remember: !this.isBurst, typed: true });
    this.#isRead();
  }

  // What was wrong was taken back, key by key: the board shows this text already.
  #isBack() {
    this.failed = false;
    this.#say("The board shows this.");
    this.#number(null);
  }

  #isRead() {
    this.failed = false;
    this.isBurst = true;
    this.#say("Read. The board follows.");
    this.#number(null);
  }

  #complain(error) {
    this.failed = true;
    const { line = null, column = 1 } = error.where?.line ? error.where : (placeOf(this.area.value, error.where?.path) ?? {});
    this.#number(line);
    this.area.setAttribute("aria-invalid", "true");
    this.message.className = "warning";
    show(this.message, h("strong", {}, "Not read yet: "), error.message, line ? [" ", button(`Go to line ${line}`, () => this.#goTo(line, column ?? 1), { class: "link" })] : null);
  }

  #say(message) {
    this.area.removeAttribute("aria-invalid");
    this.message.className = "quiet";
    this.message.textContent = message;
  }

  #goTo(line, column) {
    const lines = this.area.value.split("\n");
    const begin = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const at = begin + Math.min(column - 1, lines[line - 1]?.length ?? 0);
    this.area.focus();
    this.area.setSelectionRange(at, begin + (lines[line - 1]?.length ?? 0));
  }

  // Number the lines, and mark the one that cannot be read.
  #number(wrong) {
    const count = this.area.value.split("\n").length;
    show(
      this.gutter,
      Array.from({ length: count }, (_, index) => (index + 1 === wrong ? h("mark", {}, `${index + 1}\n`) : `${index + 1}\n`)),
    );
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
