// Choose what to fill and by which rules: a bundled rule set or one of your own, a grid of some size, or a graph.

import { post } from "/static/api.js";
import { button, h, show } from "/static/dom.js";
import { errorCard } from "/static/error_card.js";
import { dropZone, fileButton } from "/static/file_drop.js";
import { figure } from "/static/format.js";

const KINDS = {
  json: "rules or a task in JSON",
  txt: "a sample: a map in letters",
  xml: "tiles in XML (<set>)",
  tsx: "a Tiled tileset in XML",
  tsj: "a Tiled tileset in JSON",
  png: "a sample: a picture (PNG)",
};
const MAX_FILE_BYTES = 2 << 20;

export class TaskForm {
  constructor(bench) {
    this.bench = bench;
    this.element = bench.section("Rules and size");
    this.element.classList.add("valency", "making");
    this.now = h("p", {});
    this.element.append(this.now, this.#bundled(), this.#size(), this.#own(), this.#graph());
  }

  show(page) {
    const { kind, size } = page;
    const what =
      kind === "graph"
        ? `a graph of ${figure(page.nodes)} nodes and ${figure(page.edges_in_all)} edges`
        : `a ${kind === "hex" ? "hexagonal grid" : "grid"} of ${size[2] > 1 ? size.join(" × ") : `${size[0]} × ${size[1]}`}`;
    show(this.now, h("strong", {}, page.title || "These rules"), ` on ${what}`);
    const [width, height, depth] = size ?? [20, 20, 1];
    Object.assign(this.width, { value: width });
    Object.assign(this.height, { value: height });
    Object.assign(this.depth, { value: depth });
    this.wraps.forEach((box, axis) => (box.checked = Boolean(page.periodic?.[axis])));
    if (this.thumbs.childElementCount) this.#mark(page);
    else this.#fillThumbs(page);
  }

  // Do it, or say in place why it cannot be done.
  async #make(wanted, trouble, text = null) {
    show(trouble);
    try {
      const loaded = await post("play", { ...this.bench.instance, action: { make: wanted } });
      await this.bench.set(loaded, { action: { make: wanted } });
    } catch (error) {
      show(trouble, errorCard(error, text));
    }
  }

  #bundled() {
    this.thumbs = h("div", { class: "thumbs" });
    this.trouble = h("div", {});
    return h("details", {}, h("summary", {}, "Choose a rule set"), this.thumbs, this.trouble);
  }

  #fillThumbs(page) {
    show(
      this.thumbs,
      page.rule_sets.map(({ name, title }) =>
        button(
          [
            h("img", { src: `/api/pictures/${this.bench.domain.name}/${name}.svg`, alt: "", loading: "lazy", width: 84, height: 64 }),
            h("span", {}, name.replaceAll("_", " ")),
          ],
          () => this.#make({ rules: { bundled: name } }, this.trouble),
          { class: "thumb", title, data: { name } },
        ),
      ),
    );
    this.#mark(page);
  }

  #mark(page) {
    for (const each of this.thumbs.children) {
      each.setAttribute("aria-pressed", String(each.dataset.name.replaceAll("_", " ") === page.title.replaceAll("_", " ")));
    }
  }

  #size() {
    const number = (label) => h("input", { type: "number", min: 1, max: 40000, step: 1, "aria-label": label });
    [this.width, this.height, this.depth] = ["Width", "Height", "Floors"].map(number);
    this.wraps = ["x", "y", "z"].map((axis) => h("input", { type: "checkbox", "aria-label": `wraps around in ${axis}` }));
    const trouble = h("div", {});
    const apply = (event) => {
      event.preventDefault();
      const [width, height, depth] = [this.width, this.height, this.depth].map((field) => field.value || 1);
      const periodic = ["x", "y", "z"].filter((_, axis) => this.wraps[axis].checked).join("") || "none";
      this.#make({ grid: `${width}x${height}x${depth}`, periodic }, trouble);
    };
    return h(
      "form",
      { class: "size", onsubmit: apply },
      h("div", { class: "row" }, this.width, "×", this.height, "×", this.depth, h("button", { type: "submit" }, "Use this size")),
      h(
        "div",
        { class: "row" },
        h("span", { class: "quiet" }, "It wraps around in"),
        ["x", "y", "z"].map((axis, number) => h("label", { class: "wrap" }, this.wraps[number], axis)),
      ),
      trouble,
    );
  }

  #own() {
    const kind = h("select", { "aria-label": "Kind of rules", onchange: () => (learning.hidden = !["txt", "png"].includes(kind.value)) },
      Object.entries(KINDS).map(([ending, help]) => h("option", { value: ending }, help)));
    const learn = h("select", { "aria-label": "How to learn" },
      h("option", { value: "tiled" }, "which cells touch"), h("option", { value: "overlapping" }, "patterns of 3 × 3"));
    const symmetry = h("input", { type: "checkbox" });
    const learning = h("div", { class: "row", hidden: true }, h("label", {}, "Learn ", learn), h("label", {}, symmetry, " turn it too"));
    const area = textArea("Your rules", "Paste rules, a task, a tileset, or a map in letters");
    const trouble = h("div", {});
    let picture = null; // the bytes of a PNG in Base64; a text area cannot show them
    let name = "";
    area.addEventListener("input", () => {
      picture = null;
      kind.value = kindOf(area.value, kind.value);
      learning.hidden = !["txt", "png"].includes(kind.value);
    });
    const use = () => {
      const text = kind.value === "png" ? (picture ?? "") : area.value;
      const rules = { ending: kind.value, text, name };
      if (["txt", "png"].includes(kind.value)) Object.assign(rules, { sample: learn.value, symmetry: symmetry.checked ? 8 : 1 });
      this.#make({ rules }, trouble, text);
    };
    const take = limited(async (file) => {
      name = file.name.replace(/\.[^.]*$/, "");
      const ending = file.name.split(".").pop().toLowerCase();
      if (ending === "png") {
        picture = await inBase64(file);
        area.value = "";
        kind.value = "png";
        area.placeholder = `The picture ${file.name}`;
      } else {
        area.value = await file.text();
        kind.value = { tmx: "tsx", tmj: "tsj" }[ending] ?? (ending in KINDS ? ending : kindOf(area.value, "txt"));
      }
      learning.hidden = !["txt", "png"].includes(kind.value);
    }, trouble);
    return h(
      "details",
      { class: "own" },
      h("summary", {}, "Your own rules"),
      dropZone({ class: "dropping", take }, area, h("div", { class: "row" }, kind, fileButton(take), button("Use these rules", use, { class: "primary" })), learning),
      trouble,
    );
  }

  #graph() {
    const area = textArea("Your graph", "Paste a graph: node-link JSON, GraphML, or CSV with source,target");
    const trouble = h("div", {});
    const take = limited(async (file) => (area.value = await file.text()), trouble);
    const use = () => this.#make({ graph: area.value }, trouble, area.value);
    return h(
      "details",
      { class: "own-graph" },
      h("summary", {}, "A graph instead of a grid"),
      dropZone({ class: "dropping", take }, area, h("div", { class: "row" }, fileButton(take), button("Use this graph", use, { class: "primary" }))),
      trouble,
    );
  }
}

const textArea = (label, placeholder) => h("textarea", { rows: 5, spellcheck: "false", autocomplete: "off", "aria-label": label, placeholder });

// Tell from a text what kind of rules it holds.
function kindOf(text, otherwise) {
  const start = text.trimStart().slice(0, 400);
  if (start.startsWith("{")) return text.includes('"wangsets"') ? "tsj" : "json";
  if (start.startsWith("<")) return /<tileset|<map/.test(text.slice(0, 4000)) ? "tsx" : "xml";
  return start ? "txt" : otherwise;
}

async function inBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters);
}

// Something to take files with, if they are not too large.
function limited(take, trouble) {
  return (file) => {
    const isTooLarge = file.size > MAX_FILE_BYTES;
    show(trouble, isTooLarge ? errorCard({ kind: "too_large", message: `At most ${MAX_FILE_BYTES >> 20} MB can be opened here.` }) : null);
    return isTooLarge ? null : take(file);
  };
}
