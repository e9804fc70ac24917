// The title of what is drawn. That of a template or an example goes as soon as the board is another one, and comes back
// with it; what the author typed stays.

import { h } from "/static/dom.js";

const TEMPLATE = /^(Blank|Stripes|Blocks) \d+×\d+/;

// Whether the title is the author's own: what was opened under another name begins with "my-" once it was changed.
const isOwn = ({ name, title, crumbs }) => Boolean(crumbs) || name.startsWith("my-") || (!name && !TEMPLATE.test(title ?? ""));

export class TitleField {
  constructor(bench) {
    this.bench = bench;
    this.given = isOwn(bench) ? null : bench.title; // the title of what it began as
    this.input = h("input", { type: "text", maxlength: 80, autocomplete: "off", value: this.given === null ? (bench.title ?? "") : "", onchange: () => this.#rename() });
    this.element = h("label", { class: "inline title-field" }, "Title ", this.input);
    this.fallback = this.usual = "";
  }

  #rename() {
    this.bench.rename(this.input.value.trim() || this.fallback, this.usual);
  }

  // Follow the drawing: `usual` is what it is called without a title, `isChanged` whether it is another than it began as.
  follow(usual, isChanged) {
    this.fallback = this.given !== null && !isChanged ? this.given : "";
    this.input.placeholder = this.usual = usual;
    this.#rename();
  }
}
