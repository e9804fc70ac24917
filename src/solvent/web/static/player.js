// Play something frame by frame: a solution swap by swap, a walk move by move, a fill node by node. Who plays it says how
// many frames there are and how to show one; the controls, the keys and the clock are here.

import { button, h } from "./dom.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];
const LONGEST_WAIT = 1000; // milliseconds that one picture of the screen counts for: a tab that slept goes on where it was
const LOOKS = { playing: ["❚❚", "Pause"], paused: ["▶", "Play"], done: ["↻", "Play again"] };

export const wantsLessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Player {
  // Frames have numbers from `first` to `last`; more may come while `growing`. `show(at, before)` shows one, coming from
  // another; `text(at)` says how far that is; `next(at)` is where one step on leads. A frame lasts `pace` milliseconds.
  // `label` names the slider. `close` puts everything back; `below` stands under the controls.
  constructor({ label, show, text, pace, first = 0, last = 0, next = (at) => at + 1, close = null, title = null, below = [] }) {
    Object.assign(this, { show, text, pace, first, last, next, close });
    this.at = first;
    this.growing = false;
    this.isAtEnd = false; // asked for the end while more may come: it goes along
    this.ticking = null;
    const small = (sign, name, go) => button(sign, go, { "aria-label": name, title: name });
    this.toggle = button("▶", () => (this.isPlaying ? this.pause() : this.play()), { class: "primary toggle" });
    this.slider = h("input", { type: "range", "aria-label": label, oninput: () => this.goTo(Number(this.slider.value)) });
    this.speed = h("select", { "aria-label": "Speed" }, SPEEDS.map((times) => h("option", { value: times, selected: times === 1 }, `×${times}`)));
    this.progress = h("output", { class: "progress" });
    this.element = h(
      "div",
      { class: "player", role: "group", "aria-label": title },
      title ? h("div", { class: "row" }, h("strong", {}, title), button("✕", () => this.close(), { class: "plain", "aria-label": "Close" })) : null,
      h(
        "div",
        { class: "row" },
        small("⇤", "To the beginning", () => this.goTo(this.first)),
        small("←", "One step back", () => this.goTo(this.at - 1)),
        this.toggle,
        small("→", "One step on", () => this.goTo(this.next(this.at))),
        small("⇥", "To the end", () => this.goToEnd()),
        this.slider,
        this.speed,
        this.progress,
      ),
      below,
    );
  }

  get isPlaying() {
    return this.ticking !== null;
  }

  play() {
    if (this.isPlaying) return;
    this.isAtEnd = false;
    if (this.at === this.last && !this.growing) this.goTo(this.first);
    let [then, owed] = [performance.now(), 0];
    const tick = (now) => {
      owed += (Math.min(LONGEST_WAIT, Math.max(0, now - then)) / this.pace) * Number(this.speed.value);
      then = now;
      const whole = Math.floor(owed);
      owed -= whole;
      if (whole && this.at < this.last) this.#show(this.at + whole);
      if (!this.isPlaying) return; // what is shown may have ended it
      if (this.at === this.last && !this.growing) this.pause();
      else this.ticking = requestAnimationFrame(tick);
    };
    this.ticking = requestAnimationFrame(tick);
    this.#show(this.at); // a frame may look different at rest
  }

  pause() {
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.ticking);
    this.ticking = null;
    this.#show(this.at);
  }

  goTo(at) {
    this.isAtEnd = false;
    this.pause();
    this.#show(at);
  }

  goToEnd() {
    this.goTo(this.last);
    this.isAtEnd = this.growing;
  }

  // More frames have come.
  growTo(last) {
    this.last = last;
    if (this.isAtEnd) this.#show(last);
    else this.refresh();
  }

  #show(wanted) {
    const before = this.at;
    this.at = Math.max(this.first, Math.min(this.last, wanted));
    this.show(this.at, before);
    this.refresh();
  }

  // Let the controls say where it is; also after more frames have come.
  refresh() {
    const { at, first, last } = this;
    const state = this.isPlaying ? "playing" : at === last && !this.growing ? "done" : "paused";
    const [sign, name] = LOOKS[state];
    this.element.dataset.state = state;
    this.toggle.textContent = sign;
    this.toggle.title = name;
    this.toggle.setAttribute("aria-label", name);
    Object.assign(this.slider, { min: first, max: last, value: at });
    this.progress.value = this.text(at);
    this.progress.setAttribute("aria-live", this.isPlaying ? "off" : "polite");
    this.slider.setAttribute("aria-valuetext", this.progress.value);
  }

  // Take a key if it is one of ours and nothing else on the page wants it; returns whether it was taken.
  key(event) {
    const { target } = event;
    if (!this.element.isConnected || this.element.closest("[hidden]") || event.defaultPrevented) return false;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    // One that was opened takes keys from most of the page; one that is always there, only its own.
    const isElsewhere = !this.close || (target.closest(".right, summary") && !target.closest(".player-keys"));
    if (isElsewhere && !target.closest(".player")) return false;
    if (event.key === " " && target.closest("button, a, summary")) return false;
    const does = {
      ArrowLeft: () => this.goTo(this.at - 1),
      ArrowRight: () => this.goTo(this.next(this.at)),
      Home: () => this.goTo(this.first),
      End: () => this.goToEnd(),
      " ": () => (this.isPlaying ? this.pause() : this.play()),
      Escape: this.close,
    }[event.key];
    if (!does) return false;
    event.preventDefault();
    does();
    return true;
  }
}
