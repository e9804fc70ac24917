// Watch a search: the tiles it expands as a growing heat, and the situations it finds as a growing graph. What comes is
// kept in its order, so that a search of a few milliseconds can be looked at as slowly as one likes, and again.

import { button, h } from "/static/dom.js";
import { count } from "/static/format.js";
import { Player } from "/static/player.js";
import { SituationGraph } from "./situation_graph.js";

const MILLISECONDS_A_STEP = 60;
const SECONDS = 20;
const NOTE = "Watched tile by tile. Unwatched, the search leaps from one point of interest to the next; the verdict is the same.";

// Ask whether the dungeon can be won, and show how that is found out. Tile by tile, since a search from one point of
// interest to the next passes over most of them.
export async function watchSearch(page) {
  const { bench } = page;
  page.lookUp();
  page.lookAt("map");
  page.player?.close();
  const shown = new Watched(page);
  const on = { watch: ({ steps }) => shown.add(steps) };
  let about = bench.loaded;
  on.begun = (loaded) => (about = loaded);
  const answer = await bench.work("ask", "Searching…", { question: "solvable", seconds: SECONDS, options: { macros: false }, watch: true }, on);
  shown.end();
  if (!answer) return;
  bench.showAnswer(answer, about);
  if (!shown.steps.length) page.say("There was nothing to search for: the answer needed no search.");
}

class Watched {
  constructor(page) {
    this.page = page;
    this.steps = [];
    this.totals = new Map(); // of the steps that are shown: place -> how often it was expanded
    this.graph = new SituationGraph((place) => page.map.mark(...page.marks.ringAt(place)));
    this.player = null;
  }

  add(steps) {
    this.steps.push(...steps);
    if (!this.player) this.#begin();
    this.player.growTo(this.steps.length);
  }

  end() {
    if (!this.player) return;
    this.player.growing = false;
    this.player.refresh();
  }

  #begin() {
    const { page } = this;
    this.player = new Player({
      label: "Step of the search",
      title: "The search",
      pace: MILLISECONDS_A_STEP,
      show: (at, before) => this.#show(at, before),
      text: (at) => (at ? `Step ${at} of ${this.steps.length}: ${describe(this.steps[at - 1])}.` : `${count(this.steps.length, "step")} so far.`),
      close: () => {
        page.closePlayer();
        page.marks.clear();
      },
      below: [h("p", { class: "quiet" }, NOTE), this.graph.element],
    });
    this.player.element.classList.add("card");
    this.player.growing = true;
    Object.assign(this.player, { events: [] });
    page.openPlayer(this.player);
    this.player.play();
  }

  #show(at, before) {
    if (at < before) this.totals.clear();
    for (const step of this.steps.slice(at < before ? 0 : before, at)) {
      for (const [floor, row, column, more] of step.tiles ?? []) {
        const place = `${floor},${row},${column}`;
        this.totals.set(place, (this.totals.get(place) ?? 0) + more);
      }
    }
    const last = this.steps[at - 1];
    const heat = [...this.totals].map(([place, times]) => [...place.split(",").map(Number), times]);
    this.page.marks.heat(heat, last?.situation?.at ?? null);
    this.graph.show(this.steps.slice(0, at).filter(({ situation }) => situation).map(({ situation }) => situation));
  }
}

function describe({ tiles, situation }) {
  if (situation) return situation.from === null ? `begin with ${situation.have}` : `${situation.did}; then in hand: ${situation.have}`;
  if (tiles.length > 1) return `expand ${count(tiles.length, "tile")}`;
  return `expand row ${tiles[0][1]}, column ${tiles[0][2]}`;
}

export const watchButton = (page) => button("Watch the search", () => watchSearch(page), { title: "See how it is found out whether this can be won" });
