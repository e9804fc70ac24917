// Show a walk move by move: a plan, a walk that loses, a way out. The slider is every moment of it.

import { button, h, s, show } from "/static/dom.js";
import { build } from "./markup.js";
import { capital, count } from "./track.js";
import { halfWay, trail } from "./trail.js";

const SPEEDS = { slow: 500, walking: 180, quick: 60 };

export class Playback {
  // `track` has the moves of the position it begins at first, `from` of them; `lost` says that its last move loses.
  // `onmove(frame)` shows a moment, `onclose` puts things back, `goOn(moves)` goes on playing after those moves.
  constructor({ track, from, title, lost = false, map, onmove, onclose, goOn, onend = () => {} }) {
    Object.assign(this, { track, from, lost, map, onmove, onclose, goOn, onend });
    this.at = from;
    this.timer = null;
    this.playing = button("▶", () => this.turn(), { "aria-label": "Play", class: "primary" });
    this.slider = h("input", {
      type: "range",
      min: from,
      max: track.length,
      value: from,
      "aria-label": "Move",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.speed = h("select", { "aria-label": "Speed" }, Object.keys(SPEEDS).map((name) => h("option", { selected: name === "walking" }, name)));
    this.said = h("p", { class: "said", role: "status" });
    this.on = button("Continue from here", () => goOn(track.moves.slice(from, this.at)));
    this.element = h(
      "section",
      { class: lost ? "card playback lost" : "card playback", "aria-label": title },
      h("div", { class: "row" }, h("strong", {}, title), h("span", { class: "quiet grow" }, count(track.length - from, "move")), button("✕", () => this.close(), { class: "plain", "aria-label": "Close" })),
      h(
        "div",
        { class: "row" },
        button("⇤", () => this.seek(from), { "aria-label": "To the beginning" }),
        button("←", () => this.step(-1), { "aria-label": "One move back" }),
        this.playing,
        button("→", () => this.step(1), { "aria-label": "One move on" }),
        button("⇥", () => this.seek(track.length), { "aria-label": "To the end" }),
        this.slider,
        this.speed,
      ),
      this.said,
      h("div", { class: "row" }, this.on),
    );
    this.#drawLine();
    this.seek(from);
  }

  get isPlaying() {
    return this.timer !== null;
  }

  turn() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.at >= this.track.length) this.seek(this.from);
    show(this.playing, "❚❚");
    this.playing.setAttribute("aria-label", "Pause");
    const next = () => {
      this.timer = setTimeout(() => {
        this.seek(this.at + 1, { playing: true });
        if (this.at < this.track.length) next();
        else this.pause();
      }, SPEEDS[this.speed.value]);
    };
    next();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    show(this.playing, "▶");
    this.playing.setAttribute("aria-label", "Play");
  }

  step(by) {
    this.seek(this.at + by);
  }

  seek(move, { playing = false } = {}) {
    if (!playing) this.pause();
    this.at = Math.min(this.track.length, Math.max(this.from, move));
    this.slider.value = this.at;
    this.on.disabled = this.at === this.from;
    const done = this.at - this.from;
    const event = this.track.eventBefore(this.at);
    const news = event && event.move > this.from ? `${event.move < this.at ? "last: " : ""}${event.words}` : "";
    const isEnd = this.at === this.track.length;
    const lost = this.lost && isEnd ? " This was the moment of no return." : "";
    this.said.textContent = `Move ${done} of ${this.track.length - this.from}${news ? `: ${news}` : ""}.${lost}`;
    this.onmove(this.track.frame(this.at), this);
    this.onend(isEnd);
  }

  close() {
    this.pause();
    this.map.clear("lines", "numbers");
    this.element.remove();
    this.onclose();
  }

  // The whole walk, with the numbers of its events and, if it loses, bars across its last move.
  #drawLine() {
    const { map, track, from } = this;
    const { plan, danger } = map.picture.paints;
    const paint = this.lost ? danger : plan;
    const locate = (place) => map.middle(place);
    map.clear("lines", "numbers");
    map.line(trail(track.places.slice(from), locate, paint, { width: Math.max(3, 2.4 / map.picture.scale) }));
    const at = new Map();
    this.events.forEach((event, index) => {
      const key = String(track.places[event.move]);
      at.set(key, [...(at.get(key) ?? []), index + 1]);
    });
    for (const [key, numbers] of at) map.layers.numbers.append(badge(locate(key.split(",").map(Number)), numbers, paint, map));
    if (this.lost && track.length > from) {
      const { x, y, turn } = halfWay(...track.places.slice(-2), locate);
      const bars = build(map.picture.signs.no_return, { transform: `translate(${x} ${y}) rotate(${turn}) scale(${map.picture.sign})`, class: "no-return" });
      bars.append(s("title", {}, "the moment of no return"));
      map.layers.numbers.append(bars);
    }
  }

  get events() {
    return this.track.events.filter((event) => event.move > this.from);
  }
}

function badge({ x, y }, numbers, paint, { tile, picture }) {
  const words = numbers.slice(0, 3).join(",") + (numbers.length > 3 ? "…" : "");
  const width = Math.max(18, 8 * words.length + 8);
  return s(
    "g",
    { transform: `translate(${x + tile * 0.42} ${y - tile * 0.42}) scale(${Math.max(1, 0.8 / picture.scale)})`, class: "badge" },
    s("rect", { x: -width / 2, y: -9, width, height: 18, rx: 9, fill: paint, stroke: "#fff", "stroke-width": 1.5 }),
    s("text", { y: 4.3, "font-size": 12, "font-weight": "bold", "text-anchor": "middle", fill: "#fff" }, words),
  );
}

// A list of what happened; pressing one goes there.
export function eventList(events, { from = 0, now, go, place }) {
  show(
    place,
    events.length
      ? h(
          "ol",
          { class: "events" },
          events.map((event) =>
            h(
              "li",
              {},
              button([h("span", {}, capital(event.words)), h("span", { class: "quiet" }, `move ${event.move - from}`)], () => go(event.move), {
                class: event.move > now ? "event later" : "event",
                "aria-current": events.findLast((each) => each.move <= now) === event ? "step" : null,
              }),
            ),
          ),
        )
      : h("p", { class: "quiet" }, "Nothing yet."),
  );
}
