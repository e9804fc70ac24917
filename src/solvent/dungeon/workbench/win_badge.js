// "Can it still be won?", asked in the background after each move; and the move after which it cannot be any more.
//
// All that is said rests on an answer with a checked certificate. Two things follow without asking: what comes after a
// lost position is lost, and the rest of a plan is a plan if the checker accepts it from here.

import { post, work } from "/static/api.js";
import { button, h, rememberedBox, show } from "/static/dom.js";
import { wantsLessMotion } from "/static/player.js";

const SECONDS = 3; // of looking on the side; to know for sure, ask
const PAUSE = 60; // milliseconds after a move before asking, so that quick players do not ask in vain
const MAX_KEPT = 2000;
const SIGNS = { YES: ["pass", "✓", "Can still be won"], UNKNOWN: ["unknown", "?", "Not known whether it can still be won"] };

export class WinBadge {
  // `explain(answer)` shows what a NO points at; without an answer it has to ask. `play(action)` makes a move.
  constructor(bench, { explain, play }) {
    Object.assign(this, { bench, explain, play });
    this.known = new Map(); // situation -> answer to "solvable", certified unless it is UNKNOWN
    this.lost = null; // the last position that is known to be lost: {level, moves, answer}
    this.won = null; // the last one from which it can be won: {level, moves, plan}
    this.winnable = new Set(); // levels that could be won from some position, and so from their start
    this.asking = null; // an AbortController while a question is under way
    this.loaded = null;
    this.badge = h("span", { class: "win-badge", role: "status" });
    this.alarm = h("div", { class: "no-return-alarm", role: "alert", "aria-live": "assertive" });
    this.toggle = rememberedBox("dungeon.live", true, () => this.show(this.loaded));
    this.live = h("label", { class: "switch" }, this.toggle, "Say after each move whether it can still be won");
    bench.onLeave(() => this.stop());
  }

  set hidden(isHidden) {
    this.badge.hidden = this.alarm.hidden = isHidden;
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }

  // Another position is on the bench.
  show(loaded) {
    this.stop();
    this.loaded = loaded;
    show(this.alarm);
    if (!this.toggle.checked || loaded.page.track.won) return this.#draw(null);
    const answer = this.#look(loaded);
    if (answer) return this.#found(loaded, answer);
    this.#draw(null, "looking");
    const asking = (this.asking = new AbortController());
    return this.#ask(loaded, asking);
  }

  // An answer that was asked for elsewhere.
  learn(answer, about) {
    if (answer.question !== "solvable" || !["YES", "NO"].includes(answer.verdict) || !answer.certificate) return;
    this.#keep(about, answer);
    if (about.text === this.loaded?.text && this.toggle.checked) this.show(this.loaded);
  }

  // What is known of a position: itself, or that it comes after a lost one.
  #look(loaded) {
    const kept = this.known.get(loaded.page.situation);
    if (kept) return kept;
    const { lost } = this;
    return lost && lost.level === level(loaded) && isAfter(loaded, lost.moves) ? lost.answer : null;
  }

  #keep(loaded, answer) {
    this.known.set(loaded.page.situation, answer);
    if (this.known.size > MAX_KEPT) this.known.delete(this.known.keys().next().value);
  }

  async #ask(loaded, asking) {
    const { signal } = asking;
    try {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (signal.aborted) return;
      const answer = await this.#answer(loaded, signal);
      if (signal.aborted) return;
      this.#found(loaded, answer);
      if (answer.verdict === "NO") await this.#blame(loaded, signal);
    } catch (error) {
      if (error.name !== "AbortError" && this.asking === asking) this.#draw({ verdict: "UNKNOWN", reason: error.message });
    }
  }

  async #answer(loaded, signal) {
    const kept = this.#look(loaded);
    if (kept) return kept;
    const instance = { text: loaded.text, domain: this.bench.domain.name };
    const certificate = this.#restOfPlan(loaded);
    let answer = null;
    if (certificate && (await work("check", { ...instance, certificate }, { signal })).accepted) answer = { question: "solvable", verdict: "YES", certified: true, certificate };
    answer ??= await work("ask", { ...instance, question: "solvable", seconds: SECONDS }, { signal });
    if (answer.verdict !== "UNKNOWN" && !answer.certified) answer = { verdict: "UNKNOWN", reason: "there is no certificate" };
    this.#keep(loaded, answer);
    return answer;
  }

  // The plan known from an earlier position, where the player has followed it so far; the checker has to accept it.
  #restOfPlan(loaded) {
    const { won } = this;
    if (!won || won.level !== level(loaded) || won.certificate.form !== "plan" || !isAfter(loaded, won.moves)) return null;
    const made = loaded.page.track.moves.slice(won.moves.length);
    const { plan } = won.certificate;
    return made.length < plan.length && made.every((move, index) => move === plan[index]) ? { ...won.certificate, plan: plan.slice(made.length) } : null;
  }

  #found(loaded, answer) {
    const { moves } = loaded.page.track;
    if (answer.verdict === "YES") {
      this.won = { level: level(loaded), moves, certificate: answer.certificate };
      this.winnable.add(level(loaded));
    }
    if (answer.verdict === "NO") {
      if (!this.#isLost(loaded)) this.lost = { level: level(loaded), moves, answer };
      if (!this.asking && this.won) {
        this.asking = new AbortController();
        this.#blame(loaded, this.asking.signal).catch(() => {});
      }
    }
    this.#draw(answer);
  }

  #isLost(loaded) {
    return this.lost?.level === level(loaded) && isAfter(loaded, this.lost.moves);
  }

  // Find the move after which it could not be won any more, between the last position from which it could and this one,
  // and say so. What is lost stays lost, so halving finds it; each answer on the way is checked like any other.
  async #blame(loaded, signal) {
    const { won } = this;
    const { moves } = loaded.page.track;
    if (!won || won.level !== level(loaded) || !isAfter(loaded, won.moves)) return;
    let [good, bad, culprit] = [won.moves.length, moves.length, loaded];
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      const there = await post("play", { text: loaded.text, domain: this.bench.domain.name, action: { do: "back", to: middle } }, { signal });
      const answer = await this.#answer(there, signal);
      if (signal.aborted || answer.verdict === "UNKNOWN") return;
      if (answer.verdict === "YES") good = middle;
      else [bad, culprit] = [middle, there];
    }
    if (signal.aborted || good === bad) return;
    this.won = null; // it is said once
    this.#announce(culprit.page.track.did, bad);
  }

  #announce(did, move) {
    show(
      this.alarm,
      h("p", {}, h("strong", {}, h("span", { "aria-hidden": "true" }, "✗ "), "That was the point of no return: "), `${did}. The goal can no longer be reached.`),
      h(
        "div",
        { class: "row" },
        button("Undo that move", () => this.play({ do: "back", to: move - 1 }), { class: "primary" }),
        button("Show what can still be reached", () => this.explain(this.known.get(this.loaded.page.situation))),
        button("Walk on", () => show(this.alarm)),
      ),
    );
    this.alarm.scrollIntoView({ block: "nearest", behavior: wantsLessMotion() ? "auto" : "smooth" });
  }

  #draw(answer, state = null) {
    this.badge.dataset.state = state ?? answer?.verdict ?? "off";
    if (!answer) return show(this.badge, state ? h("span", { class: "quiet" }, "Can it still be won?…") : null);
    const [kind, sign, words] = SIGNS[answer.verdict] ?? ["fail", "✗", this.winnable.has(level(this.loaded)) ? "Lost: the goal can no longer be reached" : "The goal cannot be reached from here"];
    return show(this.badge, h("span", { class: `verdict ${kind}`, title: answer.reason }, h("span", { "aria-hidden": "true" }, sign), ` ${words}`));
  }
}

// Which dungeon, by which rules.
const level = (loaded) => loaded.page.situation.split("-")[0];

function isAfter(loaded, moves) {
  const made = loaded.page.track.moves;
  return moves.length <= made.length && moves.every((move, index) => move === made[index]);
}
