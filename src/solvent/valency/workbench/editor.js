// Edit a task: paint pins by dragging, erase them, fill a part anew, weigh modules, and write rules as a table and as
// text. After each change it is filled again, and what clashes is shown where it cannot be.

import { post } from "/static/api.js";
import { button, h, notice, show, stylesheet } from "/static/dom.js";
import { figure } from "/static/format.js";
import { LiveVerdicts } from "/static/live_verdicts.js";
import { TextPanel } from "/static/text_panel.js";
import { downloads } from "./answer_details.js";
import { Board, nothing, sameCluster } from "./board.js";
import { EditorTools, TOOLS } from "./editor_tools.js";
import { Floors } from "./floors.js";
import { KeptNodes } from "./kept_nodes.js";
import { LiveFill } from "./live_fill.js";
import { ModuleForm } from "./module_form.js";
import { ModulePalette } from "./module_palette.js";
import { RuleTable } from "./rule_table.js";
import { Strokes } from "./strokes.js";
import { WeightSliders } from "./weight_sliders.js";

const PATIENCE = 200; // milliseconds before what stood there fades, and before a search is shown at work

export default async function mount(bench, room) {
  await stylesheet("/domains/valency/valency.css");
  return new Editor(bench, room);
}

class Editor {
  constructor(bench, room) {
    Object.assign(this, { bench, room, answer: null });
    room.stage.classList.add("valency");
    room.tools.classList.add("valency");
    this.board = new Board({
      extends: true,
      select: () => this.#describe(),
      hover: () => {},
      choose: () => this.#stroke(this.board.chosen),
      remove: () => this.apply({ pin: { nodes: this.board.chosen } }),
      floor: () => this.floors.show(),
      describe: (node) => this.#words(node),
    });
    this.tools = new EditorTools(this);
    this.palette = new ModulePalette(() => this.tools.choose("pin"));
    this.strokes = new Strokes(this.board, {
      isDrawing: () => this.tools.tool !== "move",
      isArea: () => this.tools.tool === "refill",
      passed: (nodes) => this.#preview(nodes),
      done: (nodes) => this.#stroke(nodes),
    });
    this.floors = new Floors(this.board);
    this.about = h("p", { class: "about quiet", role: "status" });
    this.kept = new KeptNodes(this.board, (nodes) => this.apply({ pin: { nodes } }));
    this.live = new LiveFill(this.board, { patience: PATIENCE, begun: () => clearTimeout(this.fading) });
    this.verdicts = new LiveVerdicts(bench, {
      questions: ["solvable"],
      options: { solvable: { trace: true } },
      watch: (news) => this.live.take(news),
      answered: (answer, about) => this.#answered(answer, about),
    });
    this.downloads = h("div", {});
    this.weights = new WeightSliders({ changed: (weights, how) => this.#weigh(weights, how), removed: (remove) => this.apply({ remove }) });
    this.moduleForm = new ModuleForm((add) => this.apply({ add }));
    this.table = new RuleTable((pair) => this.apply({ pair }));
    this.text = new TextPanel(bench, {
      summary: "The rules as text",
      label: "The rules as text",
      textOf: (loaded) => loaded.page.rules_text ?? "",
      load: async (rules) => (await this.ready(), post("edit", { ...bench.instance, action: { rules } })),
    });
    this.#sections();
  }

  #sections() {
    const section = (title, ...children) => h("section", { class: "card valency" }, h("h2", {}, title), children);
    const palette = section("Module to pin", this.palette.element);
    palette.classList.add("pinning");
    this.room.panel.append(
      palette,
      section("Can it be filled?", this.verdicts.element, this.downloads),
      section("Modules and weights", this.weights.element, this.moduleForm.element),
      section("What may touch", this.table.element, this.text.element),
    );
  }

  async show(loaded, how = {}) {
    const { page } = loaded;
    const isTooLarge = page.is_too_large;
    this.tools.show(page);
    this.room.panel.hidden = isTooLarge;
    if (isTooLarge) {
      show(this.room.stage, h("p", {}, "This is too large to edit here. Edit it as text, or choose a smaller size."));
      return;
    }
    const before = this.board.page && sameCluster(this.board.page, page) ? this.board.look.modules : null;
    this.kept.follow(loaded, how);
    await this.board.put(page);
    if (!this.board.frame.isConnected) show(this.room.stage, this.floors.element, this.board.frame, this.about, this.kept.element);
    this.answer = null;
    this.board.set({ ...nothing(), modules: before });
    clearTimeout(this.fading);
    if (before) this.fading = setTimeout(() => this.board.set({ faded: true }), PATIENCE);
    this.floors.show();
    this.palette.show(page, this.board.sheet);
    this.weights.show(page, this.board.sheet);
    this.moduleForm.show(page);
    this.table.show(page, this.board.sheet);
    this.text.element.hidden = page.rules_text === null;
    this.text.show();
    this.#describe();
    this.live.begin();
    this.verdicts.refresh();
  }

  leave() {
    clearTimeout(this.fading);
    this.verdicts.stop();
    this.board.leave();
  }

  refused(message) {
    notice(message);
  }

  // What belongs in a picture of the board.
  pictureBody() {
    return { certificate: this.answer?.certificate ?? null };
  }

  #answered(answer, about) {
    if (about !== this.bench.loaded) return [];
    clearTimeout(this.fading);
    this.answer = answer;
    const { certificate } = answer;
    if (certificate?.form === "refutation") this.board.set({ ...nothing(), clash: answer.marks.clash });
    else if (certificate) this.board.set({ ...nothing(), modules: certificate.modules });
    this.board.element.dataset.answered = answer.verdict;
    this.board.element.dataset.number = Number(this.board.element.dataset.number || 0) + 1;
    this.floors.show();
    this.#describe();
    show(this.downloads, answer.verdict === "YES" ? downloads(this.bench, answer) : null);
    if (answer.verdict === "YES") return [h("p", {}, `${figure(certificate.modules.filter((module) => module >= 0).length)} filled, checked.`)];
    return answer.verdict === "NO" ? [h("p", {}, "What is ringed cannot all hold."), h("p", { class: "quiet" }, answer.description.join(" "))] : [];
  }

  // While a stroke is drawn, what it pins stands there already.
  #preview(nodes) {
    if (this.tools.tool !== "pin") return;
    const free = nodes.filter((node) => !this.board.empty.has(node));
    this.board.look.painted = new Map(free.map((node) => [node, this.palette.chosen]));
    this.board.paintNodes(free);
  }

  // One stroke is one step that can be undone.
  async #stroke(nodes) {
    const { board, tools } = this;
    const free = nodes.filter((node) => !board.empty.has(node));
    if (!free.length || tools.tool === "move") return;
    if (tools.tool === "erase") await this.apply({ pin: { nodes: free } });
    else if (tools.tool === "pin") {
      this.#preview(free);
      if (!(await this.apply({ pin: { nodes: free, name: board.page.modules[this.palette.chosen].key } }))) board.set({ painted: null });
    } else {
      const modules = this.answer?.certificate?.modules;
      if (modules) await this.apply({ refill: { nodes: free, modules, seed: newSeed() } });
      else notice("There is no fill yet to keep around it.");
    }
  }

  // A slider sends more than can be answered: what comes meanwhile goes with the next. One drag is one step to undo.
  #weigh(weights, { begins }) {
    this.wished = { ...this.wished, ...weights };
    this.isNewDrag ||= begins;
    this.weighing ??= this.#enqueue(async () => {
      while (this.wished) {
        const [wished, remember] = [this.wished, Boolean(this.isNewDrag)];
        this.wished = this.isNewDrag = null;
        await this.bench.edit({ weights: wished }, { remember });
      }
      this.weighing = null;
    });
  }

  // Changes are sent one after the other, each about what the one before made.
  apply(action) {
    return this.#enqueue(() => this.bench.edit(action));
  }

  #enqueue(does) {
    this.last = (this.last ?? Promise.resolve()).then(does);
    return this.last;
  }

  async ready() {
    await this.last;
    return null;
  }

  #describe() {
    const { board } = this;
    board.refreshDescription();
    const [, , help, touched] = TOOLS[this.tools.tool];
    const count = board.chosen.length;
    const words = board.selected === null ? `${matchMedia("(hover: none)").matches ? touched : help}.` : this.#words(board.selected);
    this.about.textContent = count > 1 ? `${figure(count)} cells selected, to ${words}` : words;
  }

  // Say anew what can be done, after another tool was chosen.
  refresh() {
    if (this.board.page) this.#describe();
  }

  #words(node) {
    const { board } = this;
    const held = board.held(node);
    const pick = board.picks.get(node);
    const what = held === -2 ? "stays empty" : held >= 0 ? board.page.modules[held].key : "not filled";
    const clashes = board.look.clash?.nodes.includes(node) ? ", part of the clash" : "";
    const pinned = pick ? (board.kept.has(node) ? ", kept" : ", pinned") : "";
    return `${board.geometry.name(node)}: ${what}${pinned}${clashes}.`;
  }
}

const newSeed = () => crypto.getRandomValues(new Uint16Array(1))[0];
