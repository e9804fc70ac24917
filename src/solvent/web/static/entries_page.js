// A file that lists several instances, each with files of its own: choose one, and add what it still needs.

import { about, post } from "./api.js";
import { base64, tooLarge } from "./base64.js";
import { button, h, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { count } from "./format.js";
import { droppedFiles } from "./dropped_files.js";
import { debounce } from "./pagination.js";
import { linkTo } from "./share.js";

const MANY = 12; // entries, from which on a search is worth its place

let pending = null; // what to begin with: {file, entries, others}

// Go to the list if a file is one; returns whether it is. `others` are files that came with it.
export async function openList(file, others) {
  const { entries } = await post("entries", { text: await file.text() });
  if (!entries.length) return false;
  pending = { file, entries, others };
  if (location.hash === "#/entries") window.dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = "#/entries";
  return true;
}

export async function open(place) {
  if (pending) new EntryList(place, pending).begin();
  else place.append(h("h1", {}, "Choose from a list"), h("p", {}, "Open a file that lists several tasks, such as a ", h("code", {}, "samples.xml"), ", together with its pictures and tile sets."), h("p", {}, h("a", { href: "#/open", class: "button" }, "Open a list")));
}

class EntryList {
  constructor(place, { file, entries, others }) {
    Object.assign(this, { place, file, entries });
    this.others = new Map(); // name -> the files that are called so; in folders there may be several
    this.wanted = null; // the entry that is opened once its files are there
    this.summary = h("p", { role: "status" });
    this.trouble = h("div", {});
    this.list = h("ul", { class: "entries" });
    this.search = h("input", { type: "search", placeholder: "Words in the name", "aria-label": "Search the list", oninput: debounce(() => this.#draw()) });
    this.#keep(others);
  }

  begin() {
    const chooser = h("input", { type: "file", multiple: true, class: "hidden", "aria-label": "Add files", tabindex: -1, onchange: () => this.#add([...chooser.files]) });
    this.place.append(
      h("p", { class: "crumbs" }, h("a", { href: "#/open" }, "Open your own"), " › ", this.file.name),
      h("h1", {}, "Choose an entry"),
      h(
        "div",
        { class: "entry-list", ondragover: (event) => event.preventDefault(), ondrop: (event) => this.#dropped(event) },
        this.summary,
        h("div", { class: "row filters" }, button("Add files…", () => chooser.click()), chooser, this.entries.length >= MANY ? this.search : null),
        this.trouble,
        this.list,
      ),
    );
    this.#draw();
  }

  #keep(files) {
    for (const file of files) this.others.set(file.name, [...(this.others.get(file.name) ?? []).filter((old) => old.folder !== file.folder), file]);
  }

  #missing({ needs }) {
    return needs.filter((name) => !this.others.has(name));
  }

  #draw() {
    const ready = this.entries.filter((entry) => !this.#missing(entry).length);
    this.summary.textContent = ready.length === this.entries.length ? `${count(ready.length, "entry", "entries")}; each can be opened.` : `${count(this.entries.length, "entry", "entries")}; ${ready.length || "none"} can be opened now. For the others, drop the files they need here.`;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = [...ready, ...this.entries.filter((entry) => !ready.includes(entry))].filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    show(this.list, shown.map((entry) => h("li", {}, this.#row(entry))), shown.length ? null : h("li", {}, "No name has all of these words."));
  }

  #row(entry) {
    const missing = this.#missing(entry);
    return button([h("strong", {}, entry.name), h("span", { class: "quiet" }, entry.about), missing.length ? h("span", { class: "needs" }, `needs ${missing.join(", ")}`) : null], () => this.#choose(entry), { class: "entry" });
  }

  async #choose(entry) {
    this.wanted = null;
    show(this.trouble);
    const missing = this.#missing(entry);
    if (missing.length) {
      this.wanted = entry;
      show(this.trouble, h("section", { class: "card trouble", role: "alert" }, h("p", {}, h("strong", {}, `${entry.name} needs ${missing.join(" and ")}. `), "Drop it on this page, or add it with the button above.", missing.every((name) => /\.png$/i.test(name)) ? null : " Its pictures, if it has any, belong with it.")));
      this.trouble.scrollIntoView({ block: "nearest" });
      return;
    }
    try {
      const loaded = await post("open", { name: this.file.name, data: await sent(this.file), files: await this.#filesFor(entry), entry: entry.name });
      location.hash = await linkTo(loaded.domain, loaded.text, { name: this.file.name, title: entry.name });
    } catch (error) {
      show(this.trouble, errorCard(error));
      this.trouble.scrollIntoView({ block: "nearest" });
    }
  }

  // What an entry needs, and what these files may name in turn: those of a folder that is called alike, else all that
  // no entry asks for.
  async #filesFor({ needs }) {
    const asked = new Set(this.entries.flatMap((entry) => entry.needs));
    const alike = new Set(needs.map((name) => name.replace(/\.[^.]*$/, "")));
    const all = [...this.others.values()].flat();
    const inFolder = all.filter(({ folder = "" }) => alike.has(folder.split("/").pop()));
    const more = inFolder.length ? inFolder : all.filter(({ name, folder }) => !asked.has(name) && !folder);
    const chosen = new Map([...more, ...needs.map((name) => this.others.get(name)[0])].map((file) => [file.name, file]));
    const { body_bytes: most } = await about();
    if ([this.file, ...chosen.values()].reduce((sum, { size }) => sum + size, 0) > most * 0.74) throw tooLarge(most * 0.74);
    return Object.fromEntries(await Promise.all([...chosen].map(async ([name, file]) => [name, await sent(file)])));
  }

  async #add(files) {
    this.#keep(files);
    this.#draw();
    if (this.wanted && !this.#missing(this.wanted).length) await this.#choose(this.wanted);
  }

  async #dropped(event) {
    event.preventDefault(); // so that they are not opened by themselves
    await this.#add(await droppedFiles(event.dataTransfer));
  }
}

const sent = async (file) => base64(new Uint8Array(await file.arrayBuffer()));
