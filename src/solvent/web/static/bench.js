// One instance on the bench: its board, its questions, and everything there is to say about it. What a domain adds is
// in its own `workbench.js`; without one, the domain's picture is shown.

import { domainNamed, fetchFile, get, post, work } from "./api.js";
import { answerCard, hintCard, sameCard } from "./answer_card.js";
import { button, h, notice, picture, save, show } from "./dom.js";
import { EarlierCards } from "./earlier_cards.js";
import { errorCard } from "./error_card.js";
import { baseName, capital, count } from "./format.js";
import { split } from "./puzzle_names.js";
import { Jobs } from "./jobs.js";
import { optionFields } from "./option_fields.js";
import { secondOpinion } from "./second_opinion.js";
import { keepSection } from "./keep.js";
import { proofButton } from "./proof_player.js";
import { linkTo, textFrom } from "./share.js";
import { bringIntoSight } from "./sight.js";
import { TextPanel } from "./text_panel.js";

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
  if (parts[0] === "edit") await bench.setMode("edit");
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
  const [domain, payload, name = "", title = ""] = rest; // at and edit
  try {
    return { domain, text: await textFrom(payload), name, title: title || name };
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
    this.closeProof = null; // ends stepping through a proof, while that goes on
    this.textPanel = new TextPanel(this);
    this.leaving = []; // what to do when the page is left
    this.onEdited = null; // called when another instance than the one that was opened is on the bench
    this.undoButton = button("↶ Undo", () => this.undo(), { title: "Ctrl+Z", disabled: true });
    this.redoButton = button("↷ Redo", () => this.redo(), { title: "Ctrl+Y", disabled: true });
    this.stage = h("div", { class: "stage" }); // where the board is
    this.tools = h("div", { class: "tools" }); // the domain's own controls, under the board
    this.panel = h("div", { class: "sections" }); // sections of the domain's own, beside the board
    this.mode = "play"; // or "edit"
    this.editor = null; // what the domain's `editor.js` returned, once it was wanted
    this.room = { stage: h("div", { class: "stage" }), tools: h("div", { class: "tools" }), panel: h("div", { class: "sections" }) }; // the editor's
    this.answers = h("div", { class: "answers", "aria-live": "polite" });
    this.cards = new EarlierCards(this.answers); // which position each of them is about
    this.bar = h("div", { class: "jobs" });
    this.trouble = h("div", {});
    this.jobs = new Jobs(this.bar);
    this.place = place;
    this.address = location.hash; // what this page has put there; another one is where someone is going
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
        this.#heading(),
        this.domain.editor ? this.#modes() : null,
      ),
      h(
        "div",
        { class: "bench" },
        h("div", { class: "left" }, this.stage, this.tools, this.room.stage, this.room.tools, this.#remarks()),
        h(
          "div",
          { class: "right" },
          this.bar,
          this.trouble,
          this.panel,
          this.room.panel,
          this.#questions(),
          this.answers,
          keepSection(this, this.textPanel),
        ),
      ),
    );
    document.addEventListener("keydown", this.onKey);
    const mount = this.domain.workbench ? (await import(`/domains/${this.domain.name}/workbench.js`)).default : picturePart;
    this.part = (await mount(this)) ?? {};
    this.#showMode();
    await this.part.show?.(this.loaded);
    if (this.given) this.showAnswer(this.given);
  }

  leave() {
    clearTimeout(this.keeping);
    this.jobs.stop();
    document.removeEventListener("keydown", this.onKey);
    this.player?.pause();
    for (const leave of this.leaving) leave();
    this.part?.leave?.();
    this.editor?.leave?.();
  }

  onLeave(action) {
    this.leaving.push(action);
  }

  // What an address holds beside the position.
  get link() {
    return { name: this.name, title: this.title === this.name ? "" : this.title };
  }

  #heading() {
    this.headline = h("h1", {});
    this.#headed();
    return this.headline;
  }

  #headed(usual = this.loaded.page?.title) {
    const [domainTitle] = split(this.domain.title);
    const own = this.title && this.title === this.name ? baseName(this.name).replaceAll("_", " ").trim() : this.title; // of a file, its name alone
    const [heading] = split(own || usual || domainTitle); // what follows the name is for the gallery
    this.heading = this.crumbs && this.title ? this.title : capital(heading);
    this.headline.textContent = this.heading;
    document.title = `${this.heading} · Solvent`;
  }

  // Give it another title, which the address holds too; `usual` is what it is called without one.
  rename(title, usual) {
    const isNew = title !== this.title;
    this.title = title;
    this.#headed(usual);
    if (isNew) this.#keepAddress();
  }

  // What every request about the position holds.
  get instance() {
    return { text: this.loaded.text, domain: this.domain.name, name: this.name };
  }

  // Wait until the position has all that was done: a part may send actions in its own time. Its `ready` returns why
  // nothing can be asked about the position as it stands, in the player's words, or null.
  async ready() {
    const why = await this.active?.ready?.();
    if (why) throw Object.assign(new Error(why), { kind: "option" });
  }

  // Put another position on the bench. `how.remember` false: it does not count as a step that can be undone.
  async set(loaded, how = {}) {
    if (how.remember !== false) {
      this.past.push(this.loaded);
      this.future.length = 0; // in place: an undo that waits for this step holds the list
    }
    this.cards.moved(this.loaded.text, loaded.text);
    this.loaded = loaded;
    if (this.mode === "edit") this.onEdited?.();
    this.#refreshUndo();
    show(this.trouble);
    this.closeProof?.();
    await this.active?.show?.(loaded, how);
    this.textPanel.show();
    this.#keepAddress();
  }

  // What shows the position and takes the keys: the domain's page to play on, or its editor.
  get active() {
    return this.mode === "edit" ? this.editor : this.part;
  }

  // Change between playing and editing; the position stays. The other one is shown anew when its turn comes.
  async setMode(mode) {
    if (mode === this.mode || !this.domain.editor) return;
    const why = await this.active?.ready?.();
    if (why && mode === "play") return notice(why); // what is not finished cannot be played
    this.closeProof?.();
    this.player?.pause();
    this.jobs.stop();
    show(this.answers);
    show(this.trouble);
    if (mode === "edit") {
      this.mounting ??= import(`/domains/${this.domain.name}/editor.js`).then(({ default: mount }) => mount(this, this.room)); // once, also for a double click
      this.editor = (await this.mounting) ?? {};
    }
    this.mode = mode;
    this.#showMode();
    await this.active.show?.(this.loaded, { entered: true });
    this.#keepAddress();
  }

  #showMode() {
    const isEditing = this.mode === "edit";
    for (const [name, element] of Object.entries(this.room)) {
      element.hidden = !isEditing;
      this[name].hidden = isEditing;
    }
    for (const choice of this.modeButtons ?? []) choice.setAttribute("aria-pressed", String(choice.dataset.mode === this.mode));
    this.place.classList.toggle("editing", isEditing);
  }

  #modes() {
    const choice = (mode, label) => button(label, () => this.attempt(() => this.setMode(mode)), { "data-mode": mode, "aria-pressed": String(mode === this.mode) });
    this.modeButtons = [choice("play", "Play"), choice("edit", "Edit")];
    return h("div", { class: "join modes", role: "group", "aria-label": "Play or edit" }, this.modeButtons);
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

  // Change the instance by an action of the domain's editor; returns the new position, or null if it cannot be done: an
  // editor may say why by its `refused`.
  async edit(action, how = {}) {
    try {
      const loaded = await post("edit", { ...this.instance, action });
      await this.set(loaded, { ...how, action });
      return loaded;
    } catch (error) {
      if (error.kind === "option") (this.editor?.refused ?? notice)(error.message);
      else this.complain(error);
      return null;
    }
  }

  // Load a text and put it on the bench.
  async setText(text, how = {}) {
    await this.set(await post("load", { text, domain: this.domain.name }), how);
    this.onEdited?.();
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
    await this.active?.ready?.();
    if (!from.length) return;
    to.push(this.loaded);
    await this.set(from.pop(), { remember: false, turned: true });
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
    const steps = answer.certificate && this.active?.showStep && this.domain.can.includes("steps") ? proofButton(this, answer, about) : null;
    this.cards.add(answerCard(answer, { asks, name: this.name, more: [more, steps], second }), about.text, this.loaded.text);
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
    bringIntoSight(this.trouble); // the board fills a small screen
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
    return this.attempt(async () => save(this.fileName(ending), await fetchFile("export", { ...this.instance, certificate, stats, ending })));
  }

  // A name for a file: that of the file it came from, else its title.
  fileName(ending) {
    const words = this.heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    return `${baseName(this.name) || words.slice(0, 60) || this.domain.name}.${ending}`;
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
    let about = this.loaded;
    const explained = await this.work("explain", "Explaining…", { seconds: SECONDS }, { begun: (loaded) => (about = loaded) });
    if (!explained) return null;
    const more = this.part?.explained?.(explained, about) ?? [];
    this.cards.add(
      h(
        "article",
        { class: "card explanation" },
        h("header", {}, h("span", { class: "asks" }, "Explained")),
        explained.sections.filter((section) => !this.part?.showsSection?.(section, explained.data)).map(({ heading, lines }) => [h("h3", {}, heading), h("pre", { class: "lines" }, lines.join("\n"))]),
        explained.svg && !this.part?.drawsExplanations ? picture(explained.svg, "What the explanation points at", { class: "drawn" }) : null,
        more,
        explained.certificates ? h("p", { class: "checked" }, `✓ It rests on ${count(explained.certificates, "checked certificate")}.`) : null,
        sameCard(explained),
      ),
      about.text,
      this.loaded.text,
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

  // Let the address follow the position, so that reloading comes back to it. Steps are undone by undo, not by going back.
  #keepAddress() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(async () => {
      const address = await linkTo(this.domain.name, this.loaded.text, { ...this.link, mode: this.mode });
      if (!this.place.isConnected || location.hash !== this.address) return; // on the way to another page
      history.replaceState(null, "", address);
      this.address = location.hash;
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
    } else if (this.mode === "edit" || !this.player?.key(event)) {
      this.active?.key?.(event);
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
