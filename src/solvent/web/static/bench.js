// One instance on the bench: its board, its questions, and everything there is to say about it. What a domain adds is
// in its own `workbench.js`; without one, the domain's picture is shown.

import { domainNamed, fetchFile, get, post, work } from "./api.js";
import { answerCard, hintCard, sameCard } from "./answer_card.js";
import { button, copy, h, notice, picture, save, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { baseName, capital } from "./format.js";
import { split } from "./gallery.js";
import { Jobs } from "./jobs.js";
import { optionFields } from "./option_fields.js";
import { secondOpinion } from "./second_opinion.js";
import { linkTo, textFrom } from "./share.js";

const SECONDS = 20;

export async function open(place, parts) {
  const given = await find(parts);
  let loaded;
  try {
    loaded = await post("load", { text: given.text, domain: given.domain });
    if (given.remarks) loaded.remarks = [...new Set([...given.remarks, ...loaded.remarks])];
  } catch (error) {
    place.append(h("h1", {}, given.title), errorCard(error, given.text));
    return null;
  }
  const bench = new Bench(place, await domainNamed(loaded.domain), loaded, given);
  await bench.begin();
  if (given.stored) given.stored(bench);
  return () => bench.leave();
}

// Return {domain, text, name, title} for an address.
async function find([kind, ...rest]) {
  if (kind === "example") {
    const found = await get(`/api/examples/${rest.map(encodeURIComponent).join("/")}`);
    return { domain: found.domain, text: found.text, name: `${found.name}.txt`, title: found.title };
  }
  if (kind === "file") {
    const found = await get(`/api/files/${encodeURIComponent(rest[0])}`);
    const crumbs = [["#/files", "Your files"]];
    return { domain: found.domain, text: found.text, name: found.name.split("/").pop().slice(-200), title: found.name, remarks: found.remarks, crumbs };
  }
  if (kind === "result") return (await import("./runs/result.js")).findResult(rest);
  const [domain, payload, name] = rest;
  try {
    return { domain, text: await textFrom(payload), name: name ?? "", title: name || "" };
  } catch {
    throw new Error("This address is damaged: the instance in it cannot be unpacked.");
  }
}

export class Bench {
  constructor(place, domain, loaded, { name, title, answer = null, crumbs = null }) {
    this.domain = domain; // as the API describes it
    this.loaded = loaded; // the position now: {text, page, …}
    this.name = name || "";
    this.given = answer; // an answer that came with the instance, from a store
    this.past = [];
    this.future = [];
    this.part = null; // what the domain's own module returned
    this.player = null; // what the arrow keys play, while it is on the page
    this.leaving = []; // what to do when the page is left
    this.undoButton = button("↶ Undo", () => this.undo(), { title: "Ctrl+Z", disabled: true });
    this.redoButton = button("↷ Redo", () => this.redo(), { title: "Ctrl+Y", disabled: true });
    this.stage = h("div", { class: "stage" }); // where the board is
    this.tools = h("div", { class: "tools" }); // the domain's own controls, under the board
    this.panel = h("div", { class: "sections" }); // sections of the domain's own, beside the board
    this.answers = h("div", { class: "answers", "aria-live": "polite" });
    this.bar = h("div", { class: "jobs" });
    this.trouble = h("div", {});
    this.jobs = new Jobs(this.bar);
    this.place = place;
    this.title = title;
    this.crumbs = crumbs; // how one gets back: [[address, name], …]; the title is then a name, and stays as it is
    this.onKey = (event) => this.#key(event);
  }

  async begin() {
    const [domainTitle] = split(this.domain.title);
    this.place.append(
      h(
        "div",
        { class: "heading" },
        h("p", { class: "crumbs" }, (this.crumbs ?? [["#/", "Gallery"]]).map(([href, name]) => [h("a", { href }, name), " › "]), domainTitle),
        h("h1", {}, this.crumbs ? this.title : capital(this.title || this.loaded.page?.title || domainTitle)),
      ),
      h(
        "div",
        { class: "bench" },
        h("div", { class: "left" }, this.stage, this.tools, this.#remarks()),
        h(
          "div",
          { class: "right" },
          this.bar,
          this.trouble,
          this.panel,
          this.#questions(),
          this.answers,
          this.#file(),
        ),
      ),
    );
    document.addEventListener("keydown", this.onKey);
    const mount = this.domain.workbench ? (await import(`/domains/${this.domain.name}/workbench.js`)).default : picturePart;
    this.part = (await mount(this)) ?? {};
    await this.part.show?.(this.loaded);
    if (this.given) this.showAnswer(this.given);
  }

  leave() {
    this.jobs.stop();
    document.removeEventListener("keydown", this.onKey);
    this.player?.pause();
    for (const leave of this.leaving) leave();
    this.part?.leave?.();
  }

  onLeave(action) {
    this.leaving.push(action);
  }

  // What every request about the position holds.
  get instance() {
    return { text: this.loaded.text, domain: this.domain.name, name: this.name };
  }

  // Wait until the position has all that was done: a part may send actions in its own time. Its `ready` returns why
  // nothing can be asked about the position as it stands, in the player's words, or null.
  async ready() {
    const why = await this.part?.ready?.();
    if (why) throw Object.assign(new Error(why), { kind: "option" });
  }

  // Put another position on the bench. `how.remember` false: it does not count as a step that can be undone.
  async set(loaded, how = {}) {
    if (how.remember !== false) {
      this.past.push(this.loaded);
      this.future.length = 0; // in place: an undo that waits for this step holds the list
    }
    this.loaded = loaded;
    this.#refreshUndo();
    show(this.trouble);
    await this.part?.show?.(loaded, how);
    this.#keepAddress();
  }

  // Do something by the rules of the domain; returns the new position, or null if it cannot be done: a part may say why
  // by its `refused`.
  async play(action, how = {}) {
    try {
      const loaded = await post("play", { ...this.instance, action });
      await this.set(loaded, { ...how, action });
      return loaded;
    } catch (error) {
      if (error.kind === "option") (this.part?.refused ?? notice)(error.message);
      else this.complain(error);
      return null;
    }
  }

  // Load a text and put it on the bench.
  async setText(text, how = {}) {
    await this.set(await post("load", { text, domain: this.domain.name }), how);
  }

  get canUndo() {
    return this.past.length > 0;
  }

  // Let the last step not count: it led back to where it began.
  dropStep() {
    this.past.pop();
    this.#refreshUndo();
  }

  #refreshUndo() {
    this.undoButton.disabled = !this.past.length;
    this.redoButton.disabled = !this.future.length;
  }

  undo() {
    return this.#turn(this.past, this.future);
  }

  redo() {
    return this.#turn(this.future, this.past);
  }

  async #turn(from, to) {
    await this.part?.ready?.();
    if (!from.length) return;
    to.push(this.loaded);
    await this.set(from.pop(), { remember: false, turned: true });
  }

  // Back to the first position.
  async reset() {
    if (this.past.length) await this.set(this.past[0]);
  }

  // Ask a question and show the answer; returns it, or null if it was stopped or went wrong.
  async ask(question, { seconds = SECONDS, options = {}, proof = true, showIt = true } = {}) {
    let about = this.loaded;
    const begun = (loaded) => (about = loaded);
    const answer = await this.work("ask", `${question}?`, { question, seconds, options, proof }, { begun });
    if (answer && showIt) this.showAnswer(answer, about);
    return answer;
  }

  // Show an answer about a position in full; the domain may add to it and mark it on the board.
  showAnswer(answer, about = this.loaded) {
    const more = this.part?.answered?.(answer, about) ?? [];
    const asks = this.domain.questions[answer.question];
    const second = answer.certificate && this.domain.second_checker ? secondOpinion(this.domain.name, about.text, answer.certificate) : null;
    this.answers.prepend(answerCard(answer, { asks, name: this.name, more, second }));
    while (this.answers.children.length > 4) this.answers.lastChild.remove();
  }

  // Do long work about the position with a bar and a stop button. `on` hears of events, and by `begun` which position it
  // is about. Returns the reply, or null.
  async work(verb, label, body, on = {}) {
    show(this.trouble);
    return this.attempt(async () => {
      await this.ready();
      on.begun?.(this.loaded);
      return this.jobs.run(label, (signal, progress) => work(verb, { ...this.instance, ...body }, { signal, on: { progress, ...on } }));
    });
  }

  // Do something; what goes wrong is shown. Returns what it returns, or null.
  async attempt(action) {
    try {
      return await action();
    } catch (error) {
      this.complain(error);
      return null;
    }
  }

  complain(error) {
    show(this.trouble, errorCard(error));
  }

  // Add a section beside the board.
  section(title, ...children) {
    const made = h("section", { class: "card" }, h("h2", {}, title), children);
    this.panel.append(made);
    return made;
  }

  // A certificate, or null, is drawn with the instance by the domain's own Python.
  async draw(body = {}) {
    await this.ready();
    return (await post("draw", { ...this.instance, ...body })).svg;
  }

  // Save what a YES holds as a file for another program.
  export({ certificate, stats }, ending) {
    return this.attempt(async () => save(this.#fileName(ending), await fetchFile("export", { ...this.instance, certificate, stats, ending })));
  }

  #fileName(ending) {
    return `${baseName(this.name) || this.domain.name}.${ending}`;
  }

  // The domain's questions, each a button; and what else every domain that can is asked for.
  #questions() {
    const options = optionFields(this.domain.solve_options, { leaveOut: ["profile", "trace"] });
    const seconds = h("input", { type: "number", min: 1, max: 60, value: SECONDS, "aria-label": "seconds" });
    const proof = h("input", { type: "checkbox", checked: true });
    const asked = (question) => () =>
      this.ask(question, { seconds: Number(seconds.value) || SECONDS, options: options.values(), proof: proof.checked });
    return h(
      "section",
      { class: "card questions" },
      h("h2", {}, "Ask"),
      h(
        "div",
        { class: "row" },
        Object.entries(this.domain.questions).map(([name, asks]) =>
          button(`${capital(name)}?`, asked(name), { title: asks, class: "primary" }),
        ),
        this.domain.can.includes("explain") ? button("Explain", () => this.explain()) : null,
      ),
      h(
        "details",
        {},
        h("summary", {}, "How"),
        h("label", { class: "field" }, h("span", {}, "seconds"), seconds, h("small", { class: "quiet" }, "after that the answer is UNKNOWN")),
        h("label", { class: "field check" }, h("span", {}, "proof"), proof, h("small", { class: "quiet" }, "without, some answers come sooner and uncertified")),
        options.element,
      ),
    );
  }

  // Explain the instance as a whole; returns the explanation, or null.
  async explain() {
    const explained = await this.work("explain", "Explaining…", { seconds: SECONDS });
    if (!explained) return null;
    const more = this.part?.explained?.(explained) ?? [];
    this.answers.prepend(
      h(
        "article",
        { class: "card explanation" },
        h("header", {}, h("span", { class: "asks" }, "Explained")),
        explained.sections.filter((section) => !this.part?.showsSection?.(section, explained.data)).map(({ heading, lines }) => [h("h3", {}, heading), h("pre", { class: "lines" }, lines.join("\n"))]),
        explained.svg && !this.part?.drawsExplanations ? picture(explained.svg, "What the explanation points at", { class: "drawn" }) : null,
        more,
        explained.certificates ? h("p", { class: "checked" }, `✓ It rests on ${explained.certificates} checked certificates.`) : null,
        sameCard(explained),
      ),
    );
    return explained;
  }

  #remarks() {
    if (!this.loaded.remarks.length) return null;
    return h(
      "details",
      { class: "card" },
      h("summary", {}, "What reading it assumed"),
      h("ul", {}, this.loaded.remarks.map((line) => h("li", {}, line))),
    );
  }

  // The instance as a file: share, save, convert.
  #file() {
    const chosen = h("select", { "aria-label": "Format" }, Object.entries(this.domain.formats).map(([name, help]) => h("option", { value: name, title: help }, name)));
    const copyLink = async () => {
      await this.ready();
      const link = await linkTo(this.domain.name, this.loaded.text, this.name);
      await copy(`${location.origin}/${link}`, "The link is copied: it holds this very position.");
    };
    const saveAs = async () => {
      await this.ready();
      const { text } = await post("format", { ...this.instance, format: chosen.value });
      save(this.#fileName(chosen.value === Object.keys(this.domain.formats)[0] ? "txt" : chosen.value), text);
    };
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "Keep"),
      h(
        "div",
        { class: "row" },
        button("Copy link", () => this.attempt(copyLink)),
        button("Save picture", () => this.attempt(async () => save(this.#fileName("svg"), await this.draw(), "image/svg+xml"))),
        h("span", { class: "join" }, chosen, button("Save as", () => this.attempt(saveAs))),
      ),
      this.#text(),
    );
  }

  // The instance as text, written when it is opened.
  #text() {
    const shown = h("pre", { class: "text", tabindex: 0 });
    return h(
      "details",
      { ontoggle: (event) => (shown.textContent = event.target.open ? this.loaded.text : "") },
      h("summary", {}, "As text"),
      shown,
    );
  }

  // Let the address follow the position, so that reloading comes back to it. Steps are undone by undo, not by going back.
  #keepAddress() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(async () => {
      const address = await linkTo(this.domain.name, this.loaded.text, this.name);
      if (this.place.isConnected) history.replaceState(null, "", address);
    }, 150);
  }

  #key(event) {
    if (event.target.closest("input, textarea, select, dialog")) return;
    const turn = event.ctrlKey || event.metaKey;
    if (turn && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (event.shiftKey) this.redo();
      else this.undo();
    } else if (turn && event.key.toLowerCase() === "y") {
      event.preventDefault();
      this.redo();
    } else if (!this.player?.key(event)) {
      this.part?.key?.(event);
    }
  }
}

// For domains without a page of their own: their picture, and what an answer adds to it.
function picturePart(bench) {
  const draw = (body = {}) =>
    bench.attempt(async () => show(bench.stage, picture(await bench.draw(body), `A picture of this ${bench.domain.name} instance`, { class: "drawn" })));
  if (bench.domain.can.includes("hint")) {
    bench.tools.append(
      button("Hint", async () => {
        const found = await bench.work("hints", "Looking for the next step…", { seconds: SECONDS });
        const [hint] = found?.hints ?? [];
        if (!hint) return;
        bench.answers.prepend(hintCard(hint));
        await draw({ move: hint.move, highlights: hint.data.highlights ?? null });
      }),
    );
  }
  return {
    show: () => draw(),
    answered(answer) {
      if (answer.certificate) draw({ certificate: answer.certificate });
      return [];
    },
  };
}
