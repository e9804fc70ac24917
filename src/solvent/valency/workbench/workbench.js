// The page of Valency: fill a grid or graph and watch it collapse, pin modules and fill around them, see what clashes.

import { statusBadge } from "/static/badges.js";
import { button, h, notice, picture, show, stylesheet } from "/static/dom.js";
import { figure } from "/static/format.js";
import { optionFields } from "/static/option_fields.js";
import { downloads, leftOutList, reasonsIn, suggestionList } from "./answer_details.js";
import { Board, nothing, sameCluster } from "./board.js";
import { FillPlayer } from "./fill_player.js";
import { Floors } from "./floors.js";
import { LiveFill } from "./live_fill.js";
import { MapPicture } from "./map_picture.js";
import { PinPanel } from "./pin_panel.js";
import { TaskForm } from "./task_form.js";
import { WorldView } from "./world_view.js";

const MAX_REMEMBERED = 12;
const SECONDS = 20;
const LOOKS_TO_SEE = 4; // of a fill that was watched; of fewer it is played once more
const MAX_NAMED = 8;
const isTouched = matchMedia("(hover: none)");
const MAX_PICTURED = 400_000; // nodes of which a picture is drawn where they are too many for the board

export default async function mount(bench) {
  await stylesheet("/domains/valency/valency.css"); // the board measures its place
  return new Valency(bench);
}

class Valency {
  constructor(bench) {
    this.bench = bench;
    this.drawsExplanations = true; // what clashes is marked on the board itself
    this.answers = 0; // how many have been shown
    this.fills = new Map(); // answers by the text of the task, so that undo brings them back
    this.reasons = new Map(); // what is known about nodes that are left out
    this.board = new Board({
      select: () => this.#selected(),
      hover: (node) => this.#describe(node ?? this.board.selected),
      choose: () => this.pinPanel.focus(),
      remove: (node) => this.pinPanel.remove(node),
      floor: () => this.floors.show(),
      describe: (node) => this.describe(node),
    });
    this.fillPlayer = new FillPlayer(this.board);
    bench.player = this.fillPlayer.player;
    bench.stage.classList.add("valency");
    bench.tools.classList.add("valency");
    this.about = h("p", { class: "about quiet" });
    this.verdict = h("p", { class: "found", role: "status" }); // the answer about what is shown, in one line
    this.floors = new Floors(this.board);
    this.live = new LiveFill(this.board, { begun: () => this.fillPlayer.end() });
    this.pinPanel = new PinPanel(bench, this.board, { describe: (node, how) => this.describe(node, how) });
    this.taskForm = new TaskForm(bench);
    this.mapPicture = new MapPicture(bench, () => this.pictureBody());
    this.ignored = h("p", { class: "ignored-pins", role: "status" }); // pins that take no part, and why
    this.#tools();
  }

  #tools() {
    const { bench } = this;
    this.seed = h("input", { type: "number", min: 0, step: 1, "aria-label": "Seed", onchange: () => this.#useSeed(Number(this.seed.value)) });
    this.auto = h("input", { type: "checkbox", checked: true });
    this.views = [
      ["modules", "Modules"],
      ["candidates", "Candidates"],
    ].map(([view, label]) => button(label, () => this.#view(view), { "aria-pressed": String(view === "modules"), data: { view }, title: bench.domain.views[view] }));
    this.options = optionFields(bench.domain.solve_options, {
      leaveOut: ["seed", "trace", "profile"],
      choices: { solver: bench.loaded.page.solvers },
    });
    bench.tools.append(
      button("Fill", () => this.fill(), { class: "primary fill" }),
      button("New seed", () => this.#useSeed(crypto.getRandomValues(new Uint16Array(1))[0], { fill: true }), { title: "Fill it another way" }),
      h("label", { class: "seed" }, "Seed ", this.seed),
      h("span", { class: "join" }, bench.undoButton, bench.redoButton),
      h("span", { class: "join", role: "group", "aria-label": "View" }, this.views, this.mapPicture.button),
      h(
        "span",
        { class: "join", role: "group", "aria-label": "Zoom" },
        button("−", () => this.board.setZoom(this.board.zoom / 1.5), { "aria-label": "Smaller" }),
        button("+", () => this.board.setZoom(this.board.zoom * 1.5), { "aria-label": "Larger" }),
      ),
      (this.worldButton = button("World without end", () => this.#openWorld(), { title: "Scroll for ever through chunks that these rules make" })),
      h("label", { class: "auto" }, this.auto, " Fill again after each change"),
      this.fillPlayer.element,
      h("details", { class: "how" }, h("summary", {}, "How it is filled"), this.options.element),
    );
  }

  // A new task, or the same with something changed.
  async show(loaded, how = {}) {
    const { page } = loaded;
    this.bench.jobs.stop(); // what is being worked out is about what stood here before
    if (this.world) this.#closeWorld();
    this.worldButton.hidden = page.kind === "graph";
    this.seed.value = page.seed;
    this.#title(page);
    this.taskForm.show(page);
    this.reasons = new Map();
    this.bench.tools.hidden = this.pinPanel.element.hidden = page.is_too_large;
    if (page.is_too_large) {
      await this.#showTooLarge(page);
      return;
    }
    const before = this.board.page && sameCluster(this.board.page, page) ? this.board.look.modules : null;
    await this.board.put(page);
    if (!this.board.frame.isConnected) show(this.bench.stage, this.floors.element, this.board.frame, this.mapPicture.element, this.about, this.ignored, this.verdict);
    this.fillPlayer.end();
    show(this.verdict);
    const known = this.fills.get(loaded.text);
    this.board.set({ ...nothing(), modules: before, faded: before ? true : null });
    if (known) this.#mark(known, { play: false });
    this.#view(this.board.view);
    this.floors.show();
    this.#selected();
    this.#showIgnored(loaded, how);
    this.mapPicture.show(page);
    const isNew = how.entered || !(how.action || how.turned); // a board opens filled
    const isWished = how.fill || isNew || (how.action && this.auto.checked);
    if (!known && isWished) this.fill(isNew && !how.fill ? { quiet: true } : how.action?.pick || how.action?.unpick !== undefined ? { before } : {});
  }

  // Pins that take no part, and what a change left out, are said and not just drawn.
  #showIgnored({ page, remarks }, { action = null }) {
    const ignored = page.picks.filter((pick) => pick.ignored);
    const named = ignored.slice(0, MAX_NAMED).map((pick) => `${pick.name} on ${this.board.geometry.name(pick.node)} (${pick.ignored})`);
    const more = ignored.length > named.length ? ` and ${figure(ignored.length - named.length)} more` : "";
    const news = action ? remarks.filter((line) => line.startsWith("Left out")) : []; // the others stand below the board
    this.ignored.textContent = [named.length ? `Pins that are ignored: ${named.join(", ")}${more}.` : "", ...news].filter(Boolean).join(" ");
  }

  // With other rules the title it was opened under no longer fits.
  #title(page) {
    this.opened ??= { title: page.title, given: this.bench.title };
    this.bench.rename(page.title === this.opened.title ? this.opened.given : page.title || "Rules of your own");
  }

  async #showTooLarge(page) {
    const text = h(
      "p",
      {},
      `This page shows up to ${figure(page.most_nodes)} nodes one by one, and this has ${figure(page.nodes)}. It can still be asked about here, and the fill downloaded.`,
    );
    show(this.bench.stage, text);
    if (page.nodes > MAX_PICTURED) return;
    await this.bench.attempt(async () => this.bench.stage.append(picture(await this.bench.draw(), "The task", { class: "drawn" })));
  }

  // Show the world that the rules go on to, instead of the board.
  #openWorld() {
    this.bench.jobs.stop();
    this.fillPlayer.end();
    this.world?.leave();
    const { page } = this.bench.loaded;
    this.world = new WorldView(this.bench, { sheet: this.board.sheet, page, seed: page.seed, ended: () => this.#closeWorld() });
    show(this.bench.stage, this.world.element);
    this.world.canvas.focus();
  }

  #closeWorld() {
    this.world?.leave();
    this.world = null;
    show(this.bench.stage, this.floors.element, this.board.frame, this.about, this.verdict);
    this.worldButton.focus();
  }

  leave() {
    this.world?.leave();
    this.fillPlayer.end();
    this.board.leave();
  }

  // Ask for a fill and show it as it comes about; `before` is what stood there, if only what changes is to be played.
  // `quiet`: a fill is marked on the board, without a card.
  async fill({ question = "solvable", before = null, quiet = false } = {}) {
    this.before = before;
    this.live.begin();
    let about = this.bench.loaded;
    const body = { question, seconds: SECONDS, options: { ...this.options.values(), trace: true }, watch: true };
    const on = { begun: (loaded) => (about = loaded), watch: (news) => about === this.bench.loaded && this.live.take(news) };
    const answer = await this.bench.work("ask", `${question}?`, body, on);
    if (!answer || about !== this.bench.loaded || this.bench.mode === "edit") return;
    if (quiet && answer.verdict === "YES") this.answered(answer);
    else this.bench.showAnswer(answer, about);
    this.before = null;
    this.live.begin();
  }

  async #useSeed(seed, how = {}) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      notice("A seed is a whole number from 0.");
      this.seed.value = this.bench.loaded.page.seed;
    } else if (seed !== this.bench.loaded.page.seed) await this.bench.play({ seed }, how);
    else if (how.fill) await this.fill();
  }

  // An answer to anything: mark it if it is about the board as it stands, and offer what can be done with it.
  answered(answer, about = this.bench.loaded) {
    if (about.page.is_too_large) return answer.verdict === "YES" ? [downloads(this.bench, answer)] : [];
    const isHere = about.text === this.bench.loaded.text && this.bench.mode !== "edit";
    if (answer.certificate) {
      this.fills.delete(about.text);
      this.fills.set(about.text, answer);
      while (this.fills.size > MAX_REMEMBERED) this.fills.delete(this.fills.keys().next().value);
      if (isHere) this.#mark(answer, { before: this.before });
    } else if (isHere) this.#showVerdict(answer);
    if (answer.verdict === "YES") {
      return [leftOutList(this, answer), downloads(this.bench, answer)];
    }
    return [
      h(
        "div",
        { class: "row" },
        answer.verdict === "NO" ? button("Why not, and what would help?", () => this.bench.explain(), { class: "primary" }) : null,
        button("Fill what can be filled", () => this.fill({ question: "partial" })),
      ),
    ];
  }

  #showVerdict(answer) {
    const { verdict, certificate, certified, reason } = answer;
    const filled = certificate?.modules?.filter((module) => module >= 0).length ?? 0;
    const out = certificate?.left_out?.length ?? 0;
    const text =
      verdict === "YES"
        ? `${figure(filled)} filled${out ? `, ${figure(out)} left out` : ""}`
        : verdict === "NO"
          ? "what is ringed cannot all hold"
          : (reason ?? "");
    show(this.verdict, statusBadge(answer), ` ${text}${certified ? ", checked" : ""}`);
    this.verdict.dataset.number = ++this.answers;
  }

  #mark(answer, { before = null, play = true } = {}) {
    this.#showVerdict(answer);
    this.mapPicture.refresh();
    const { certificate, stats } = answer;
    if (certificate.form === "refutation") {
      this.#showClash(answer.marks.clash);
      const first = certificate.nodes[0];
      if (first !== undefined && !certificate.nodes.some((node) => this.board.geometry.floorOf(node) === this.board.floor)) this.board.showFloor(this.board.geometry.floorOf(first));
    } else {
      const leftOut = new Map((certificate.left_out ?? []).map((entry) => [entry.node, { proved: "proof" in entry }]));
      this.reasons = reasonsIn(answer, this.board.geometry);
      this.fillPlayer.begin(certificate.modules, stats.order ?? null, { before, leftOut, play: play && this.live.looks < LOOKS_TO_SEE });
    }
    this.floors.show();
    this.#selected();
  }

  // A step of a proof: what it uses is lit, and only what is known by then stands there. Null when it is over.
  showStep(step, { certificate } = {}) {
    if (!step) {
      const known = this.fills.get(this.bench.loaded.text);
      if (known) this.#mark(known, { play: false });
      return;
    }
    this.fillPlayer.end();
    const { filled, nodes = [], links = [], held = [], ends = false } = step.marks;
    const modules = filled === undefined ? null : certificate.modules.map((module, node) => (node < filled ? module : -1));
    this.board.set({ ...nothing(), modules, lit: { nodes, links, ends }, options: new Map(held) });
    const floor = nodes.length ? this.board.geometry.floorOf(nodes.at(-1)) : this.board.floor;
    if (!nodes.some((node) => this.board.geometry.floorOf(node) === this.board.floor)) this.board.showFloor(floor);
    this.floors.show();
    this.board.refreshDescription();
  }

  // What belongs in a picture of the board: the fill or the clash that it shows.
  pictureBody() {
    const { certificate = null } = this.fills.get(this.bench.loaded.text) ?? {};
    return { certificate };
  }

  #showClash(clash) {
    this.fillPlayer.end();
    this.board.set({ ...nothing(), clash });
  }

  // An explanation: what it points at is marked, and its suggestions can be tried.
  explained({ data, marks }) {
    if (this.bench.loaded.page.is_too_large) return [];
    if (marks.clash) {
      this.#showClash(marks.clash);
      this.#selected();
    }
    for (const { node, candidates } of data.left_out ?? []) {
      this.reasons.set(node, candidates.map(({ module, removed_by: by }) => `${module}: ${by.join("; ")}`).join(". "));
    }
    return [suggestionList(this.bench, data.suggestions ?? [])];
  }

  #view(view) {
    this.board.view = view;
    for (const each of this.views) each.setAttribute("aria-pressed", String(each.dataset.view === view));
    this.views[1].disabled = !this.bench.loaded.page.counts;
    if (this.board.page) this.board.paint();
  }

  #selected() {
    this.board.refreshDescription();
    this.pinPanel.show();
    this.#describe(this.board.selected);
  }

  #describe(node) {
    if (!this.board.page) return;
    const usual = isTouched.matches ? "Tap a cell to see what it is." : "Point at a cell to see what it is; click or use the arrow keys to select one.";
    this.about.textContent = node === null ? usual : this.describe(node);
  }

  // Say what a node is, holds, and could hold.
  describe(node, { short = false } = {}) {
    const { page, geometry, look, picks } = this.board;
    const parts = short ? [] : [`${geometry.name(node)}:`];
    const pick = picks.get(node);
    const held = this.board.held(node);
    const out = look.leftOut.get(node);
    if (held === -2) parts.push("has no neighbours and stays empty.");
    else if (out) parts.push(out.proved ? "proved impossible." : "given up on.", this.reasons.get(node) ?? "");
    else if (held >= 0) parts.push(`${page.modules[held].key}${pick && !pick.ignored ? ", pinned" : ""}.`);
    else parts.push("not filled.");
    if (pick?.ignored) parts.push(`The pick ${pick.name} is ignored: ${pick.ignored}.`);
    const clashing = look.clash?.nodes.indexOf(node) ?? -1;
    if (clashing >= 0) parts.push(`Number ${clashing + 1} of the clash.`);
    if (held !== -2 && page.counts) parts.push(this.#possible(node));
    return parts.filter(Boolean).join(" ");
  }

  #possible(node) {
    const { page, picks } = this.board;
    const number = page.counts[node];
    if (number === 0) return "Nothing could stand here.";
    if (picks.has(node) && number === 1) return "";
    const numbers = page.candidate_sets?.[page.candidates[node]];
    const named = numbers?.slice(0, MAX_NAMED).map((each) => page.modules[each].key);
    const text = named ? `: ${named.join(", ")}${number > named.length ? " and others" : ""}` : "";
    return `${number} of ${page.modules.length} could stand here${text}.`;
  }
}
