// Verdicts that follow an editor: after each change the questions are asked again, and an answer about an older text is
// dropped. Each has its mark, its colour and its words by PASS and FAIL.

import { work } from "./api.js";
import { statusBadge } from "./badges.js";
import { h, show } from "./dom.js";

const SECONDS = 3; // for one question; after that it is UNKNOWN, and the button below asks for longer
const PAUSE = 20; // milliseconds: a drag changes many cells in a row

export class LiveVerdicts {
  // `questions` are names; `answered(answer, about)` hears each answer that is still about what is on the bench, and may
  // return elements to show with it. `options` go with each question, by its name. `watch(news)`, if given, hears how the
  // search for an answer gets on.
  constructor(bench, { questions = bench.domain.asked_on_save, answered = () => [], options = {}, seconds = SECONDS, watch = null } = {}) {
    Object.assign(this, { bench, questions, answered, options, seconds, watch });
    this.stopper = null;
    this.rows = new Map(questions.map((question) => [question, h("div", { class: "live-row", "data-question": question })]));
    this.element = h("div", { class: "live-verdicts", role: "status", "aria-live": "polite" }, [...this.rows.values()]);
    bench.onLeave(() => this.stop());
  }

  stop() {
    clearTimeout(this.timer);
    this.stopper?.abort();
  }

  // Ask again about what is on the bench now.
  refresh() {
    this.stop();
    this.stopper = new AbortController();
    const { signal } = this.stopper;
    const about = this.bench.loaded;
    this.element.setAttribute("aria-busy", "true");
    this.timer = setTimeout(async () => {
      await Promise.all(this.questions.map((question) => this.#ask(question, about, signal)));
      if (!signal.aborted) this.element.removeAttribute("aria-busy");
    }, PAUSE);
  }

  async #ask(question, about, signal) {
    const body = { text: about.text, domain: this.bench.domain.name, question, seconds: this.seconds, options: this.options[question] ?? {}, watch: Boolean(this.watch) };
    const on = { watch: (news) => signal.aborted || this.watch?.(news) };
    const row = this.rows.get(question);
    try {
      const answer = await work("ask", body, { signal, on });
      if (signal.aborted) return;
      const more = this.answered(answer, about) ?? [];
      show(row, statusBadge(answer), h("span", { class: "asks" }, this.bench.domain.questions[question]), h("strong", {}, answer.verdict), more);
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return;
      show(row, h("span", { class: "warning" }, error.message));
    }
  }
}
