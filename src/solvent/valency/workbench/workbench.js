// The page of Valency: fill a grid or graph and watch it collapse, pin modules and fill around them, see what clashes.

import { verdictBadge } from "/static/badges.js";
import { button, h, notice, picture, show, stylesheet } from "/static/dom.js";
import { capital, figure } from "/static/format.js";
import { optionFields } from "/static/option_fields.js";
import { downloads, leftOutList, reasonsIn, suggestionList } from "./answer_details.js";
import { Board, nothing, sameCluster } from "./board.js";
import { FillPlayer } from "./fill_player.js";
import { PinPanel } from "./pin_panel.js";
import { TaskForm } from "./task_form.js";

const MAX_REMEMBERED = 12;
const MAX_NAMED = 8;
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
      floor: () => this.#floors(),
      describe: (node) => this.describe(node),
    });
    this.fillPlayer = new FillPlayer(this.board);
    bench.player = this.fillPlayer.player;
    bench.stage.classList.add("valency");
    bench.tools.classList.add("valency");
    this.about = h("p", { class: "about quiet" });
    this.verdict = h("p", { class: "found", role: "status" }); // the answer about what is shown, in one line
    this.floors = h("div", { class: "floors", role: "group", "aria-label": "Floors" });
    this.pinPanel = new PinPanel(bench, this.board, { describe: (node, how) => this.describe(node, how) });
    this.taskForm = new TaskForm(bench);
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
      h("span", { class: "join", role: "group", "aria-label": "View" }, this.views),
      h(
        "span",
        { class: "join", role: "group", "aria-label": "Zoom" },
        button("−", () => this.board.setZoom(this.board.zoom / 1.5), { "aria-label": "Smaller" }),
        button("+", () => this.board.setZoom(this.board.zoom * 1.5), { "aria-label": "Larger" }),
      ),
      h("label", { class: "auto" }, this.auto, " Fill again after each change"),
      this.fillPlayer.element,
      h("details", { class: "how" }, h("summary", {}, "How it is filled"), this.options.element),
    );
  }

  // A new task, or the same with something changed.
  async show(loaded, how = {}) {
    const { page } = loaded;
    this.bench.jobs.stop(); // what is being worked out is about what stood here before
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
    if (!this.board.frame.isConnected) show(this.bench.stage, this.floors, this.board.frame, this.about, this.verdict);
    this.fillPlayer.end();
    show(this.verdict);
    const known = this.fills.get(loaded.text);
    this.board.set({ ...nothing(), modules: before, faded: before ? true : null });
    if (known) this.#mark(known, { play: false });
    this.#view(this.board.view);
    this.#floors();
    this.#selected();
    const isWished = how.fill || (how.action && this.auto.checked);
    if (!known && isWished) this.fill(how.action?.pick || how.action?.unpick !== undefined ? { before } : {});
  }

  // With other rules the title it was opened under no longer fits.
  #title(page) {
    const heading = this.bench.place.querySelector(".heading h1");
    this.opened ??= { title: page.title, heading: heading?.textContent };
    const title = page.title || "Rules of your own";
    if (heading) heading.textContent = page.title === this.opened.title ? this.opened.heading : capital(title);
  }

  async #showTooLarge(page) {
    const text = h(
      "p",
      {},
      `This page shows up to ${figure(page.most_nodes)} nodes one by one, and this has ${figure(page.nodes)}. It can still be asked about here; the command `,
      h("code", {}, "solvent solve FILE -o fill.png"),
      " fills it and writes the picture.",
    );
    show(this.bench.stage, text);
    if (page.nodes > MAX_PICTURED) return;
    await this.bench.attempt(async () => this.bench.stage.append(picture(await this.bench.draw(), "The task", { class: "drawn" })));
  }

  leave() {
    this.fillPlayer.end();
    this.board.leave();
  }

  // Ask for a fill and play it; `before` is what stood there, if only what changes is to be played.
  async fill({ question = "solvable", before = null } = {}) {
    this.before = before;
    await this.bench.ask(question, { options: { ...this.options.values(), trace: true } });
    this.before = null;
  }

  async #useSeed(seed, how = {}) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      notice("A seed is a whole number from 0.");
      this.seed.value = this.bench.loaded.page.seed;
    } else if (seed !== this.bench.loaded.page.seed) await this.bench.play({ seed }, how);
    else if (how.fill) await this.fill();
  }

  // An answer to anything: mark it, and offer what can be done with it.
  answered(answer) {
    if (this.bench.loaded.page.is_too_large) return answer.verdict === "YES" ? [downloads(this.bench, answer)] : [];
    if (answer.certificate) {
      this.fills.delete(this.bench.loaded.text);
      this.fills.set(this.bench.loaded.text, answer);
      while (this.fills.size > MAX_REMEMBERED) this.fills.delete(this.fills.keys().next().value);
      this.#mark(answer, { before: this.before });
    }
    else this.#showVerdict(answer);
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

  #showVerdict({ verdict, certificate, certified, reason }) {
    const filled = certificate?.modules?.filter((module) => module >= 0).length ?? 0;
    const out = certificate?.left_out?.length ?? 0;
    const text =
      verdict === "YES"
        ? `${figure(filled)} filled${out ? `, ${figure(out)} left out` : ""}`
        : verdict === "NO"
          ? "what is ringed cannot all hold"
          : (reason ?? "");
    show(this.verdict, verdictBadge(verdict), ` ${text}${certified ? ", checked" : ""}`);
    this.verdict.dataset.number = ++this.answers;
  }

  #mark(answer, { before = null, play = true } = {}) {
    this.#showVerdict(answer);
    const { certificate, stats } = answer;
    if (certificate.form === "refutation") {
      this.#showClash(answer.marks.clash);
      const first = certificate.nodes[0];
      if (first !== undefined && !certificate.nodes.some((node) => this.board.geometry.floorOf(node) === this.board.floor)) this.board.showFloor(this.board.geometry.floorOf(first));
    } else {
      const leftOut = new Map((certificate.left_out ?? []).map((entry) => [entry.node, { proved: "proof" in entry }]));
      this.reasons = reasonsIn(answer, this.board.geometry);
      this.fillPlayer.begin(certificate.modules, stats.order ?? null, { before, leftOut, play });
    }
    this.#floors();
    this.#selected();
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
    const usual = "Point at a cell to see what it is; click or use the arrow keys to select one.";
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
    const text = named ? `: ${named.join(", ")}${number > named.length ? "…" : ""}` : "";
    return `${number} of ${page.modules.length} could stand here${text}.`;
  }

  #floors() {
    const { geometry, floor, look } = this.board;
    if (geometry.floors < 2) {
      show(this.floors);
      return;
    }
    const marked = new Set([...(look.clash?.nodes ?? []), ...look.leftOut.keys()].map((node) => geometry.floorOf(node)));
    const label = (number) => `Floor ${number}${marked.has(number) ? " ●" : ""}`;
    if (geometry.floors <= 8) {
      show(
        this.floors,
        Array.from({ length: geometry.floors }, (_, number) => button(label(number), () => this.board.showFloor(number), { "aria-pressed": String(number === floor) })),
      );
      return;
    }
    const slider = h("input", { type: "range", min: 0, max: geometry.floors - 1, value: floor, "aria-label": "Floor", oninput: () => this.board.showFloor(Number(slider.value)) });
    if (this.floors.contains(document.activeElement) && this.floors.querySelector("input")) this.floors.querySelector("output").textContent = label(floor);
    else show(this.floors, slider, h("output", {}, label(floor)));
  }
}
