// Verdicts while one draws: PASS or FAIL, the walk that loses, what stays closed, and fixes to click on.

import { post, work } from "/static/api.js";
import { statusBadge } from "/static/badges.js";
import { button, h, rememberedBox, s, show } from "/static/dom.js";
import { capital } from "/static/format.js";
import { LiveVerdicts } from "/static/live_verdicts.js";
import { wantsLessMotion } from "/static/player.js";
import { copySvg } from "/static/safe_svg.js";
import { paragraphs } from "../paragraphs.js";
import { halfWay, trail } from "../trail.js";

const QUESTIONS = ["solvable", "losable"];
const PAUSE = 500; // milliseconds after the verdicts: who goes on drawing needs no fixes yet
const SECONDS = 20; // of looking for fixes; the next stroke ends it
const MORE_SECONDS = 60;

export class Verdicts {
  constructor(editor) {
    this.editor = editor;
    this.found = new Map(); // answers about what is on the bench
    this.drawn = null; // how to draw what was found, on whichever map is shown
    this.stopper = null;
    this.live = new LiveVerdicts(editor.bench, { questions: QUESTIONS, answered: (answer, about) => this.#answered(answer, about) });
    this.fixes = h("div", { class: "fix-list", role: "status" });
    this.box = rememberedBox("dungeon-editor-walk", true, () => this.draw());
    this.toggle = h("label", { class: "field check", hidden: true }, h("span", {}, "Show it on the map"), this.box);
    this.element = h("div", { class: "verdicts" }, this.live.element, this.toggle, this.fixes);
    this.chips = button("", () => this.element.closest("section").scrollIntoView({ behavior: wantsLessMotion() ? "auto" : "smooth" }), { class: "verdict-chips", title: "Show why" });
    editor.bench.onLeave(() => this.stop());
  }

  stop() {
    clearTimeout(this.timer);
    this.stopper?.abort();
  }

  refresh() {
    this.stop();
    this.stopper = new AbortController();
    this.found.clear();
    this.chips.setAttribute("aria-busy", "true");
    this.drawn = null;
    this.toggle.hidden = true;
    this.draw();
    show(this.fixes);
    this.live.refresh();
  }

  #answered(answer, about) {
    this.found.set(answer.question, answer);
    if (this.found.size === QUESTIONS.length) {
      const failing = QUESTIONS.map((question) => this.found.get(question)).find((each) => each.status === "FAIL");
      if (failing) {
        const { signal } = this.stopper;
        this.#locate(failing, about, signal);
        this.timer = setTimeout(() => this.#fix(about, signal), PAUSE);
      }
      performance.mark("dungeon-verdicts");
      this.chips.removeAttribute("aria-busy");
      show(this.chips, QUESTIONS.map((question) => h("span", {}, capital(question), " ", statusBadge(this.found.get(question)))));
    }
    return answer.status === "FAIL" ? h("div", { class: "how" }, paragraphs(answer.description)) : [];
  }

  // Find out where the walk of an answer leads, and draw it.
  async #locate({ certificate, marks }, about, signal) {
    let walk = null;
    if (certificate?.form === "lost walk" && certificate.walk.length) {
      try {
        const { page } = await post("play", { text: about.text, domain: "dungeon", action: { do: "walk", moves: certificate.walk } }, { signal });
        walk = page.track;
      } catch {
        return; // it was stopped, or the level is another by now
      }
    }
    if (signal.aborted) return;
    this.drawn = { walk, marks };
    this.toggle.hidden = false;
    this.draw();
  }

  draw() {
    const { map } = this.editor.canvas;
    if (!map) return;
    map.clear("tints", "lines", "marks", "numbers");
    if (!this.drawn || !this.box.checked) return;
    const { walk, marks } = this.drawn;
    if (marks?.reach) map.tint(marks.reach, map.picture.paints.reach, 0.45);
    if (marks?.shut) map.rim(marks.shut, map.picture.paints.danger);
    if (!walk) return;
    const locate = (place) => map.middle(place);
    map.line(trail(walk.places, locate, map.picture.paints.danger, { width: Math.max(3, 2.4 / map.picture.scale), moves: walk.moves }));
    const { x, y, turn } = halfWay(...walk.places.slice(-2), locate);
    map.layers.numbers.append(copySvg(map.picture.signs.no_return, { transform: `translate(${x} ${y}) rotate(${turn}) scale(${map.picture.sign})`, class: "no-return" }));
    map.layers.numbers.append(s("title", {}, "the moment of no return"));
  }

  async #fix(about, signal, seconds = SECONDS) {
    const { bench } = this.editor;
    show(this.fixes, h("p", { class: "quiet" }, "Looking for fixes…"));
    try {
      const { data } = await work("explain", { text: about.text, domain: "dungeon", name: bench.name, seconds }, { signal });
      if (signal.aborted) return;
      show(
        this.fixes,
        data.fixes?.length
          ? [h("h3", {}, "Fixes, each proved"), h("ul", {}, data.fixes.map((fix) => h("li", {}, this.#button(fix))))]
          : [h("p", { class: "quiet" }, "No single change is known that would fix it."), seconds < MORE_SECONDS ? button("Look longer", () => this.#fix(about, signal, MORE_SECONDS)) : null],
      );
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") show(this.fixes, h("p", { class: "quiet" }, error.message));
    }
  }

  #button(fix) {
    const then = fix.question === "solvable" ? { YES: " It can be lost then.", NO: " It cannot be lost then." }[fix.losable] ?? "" : "";
    const use = () => this.editor.send({ do: "fix", text: fix.text }, [], `Fixed: ${fix.words}.`);
    return button([h("span", { "aria-hidden": "true", class: "fix-sign" }, "✚"), h("span", {}, `${capital(fix.words)}.${then}`)], use, { class: "fix", onpointerenter: () => this.#point(fix), onpointerleave: () => this.draw(), onfocus: () => this.#point(fix), onblur: () => this.draw() });
  }

  // Show where a fix would be.
  #point(fix) {
    const { map } = this.editor.canvas;
    for (const place of fix.where.flat()) {
      const { x, y } = map.middle(place);
      map.mark(s("circle", { cx: x, cy: y, r: map.tile * 0.62, fill: "none", stroke: map.picture.paints.plan, "stroke-width": 4 }));
    }
  }
}
