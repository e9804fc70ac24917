// The page of a dungeon: walk in it, watch plans and walks that lose, see what leads to what, and mend it.

import { post } from "/static/api.js";
import { button, h, show } from "/static/dom.js";
import { answering, MENDS } from "./answers.js";
import { hinting } from "./hint_button.js";
import { Inventory } from "./inventory.js";
import { DungeonMap } from "./map.js";
import { Marks } from "./overlays.js";
import { eventList, Playback } from "./walk_player.js";
import { RoomGraph } from "./room_graph.js";
import { newDungeon, rulesForm } from "./forms.js";
import { capital, count, Track } from "./track.js";
import { trail } from "./trail.js";
import { Walking } from "./movement.js";

const LONGEST_TRAIL = 40; // moves that are drawn behind the player
const MILLISECONDS_A_TILE = 55; // when several moves were made at once
const HELP = "Arrow keys or W A S D walk. Press a tile to walk there, numbers to take stairs. + and - zoom, 0 shows all.";

export default function mount(bench) {
  loadStyle("/domains/dungeon/dungeon.css");
  return new Page(bench).part;
}

class Page {
  constructor(bench) {
    this.bench = bench;
    this.map = null;
    this.track = null; // of the position on the bench
    this.shownMove = 0; // the moment of it that the map shows
    this.playback = null;
    this.marks = new Marks();
    this.walking = new Walking(bench, { refused: (message) => this.tell(message, "refused") });
    this.inventory = new Inventory();
    this.rooms = new RoomGraph(bench);
    this.status = h("p", { class: "dungeon-status", role: "status" });
    this.ways = h("div", { class: "row ways" });
    this.below = h("div", { class: "below" }); // the playback, while there is one
    this.frame = h("div", { class: "dungeon-frame", role: "application", tabindex: 0, "aria-label": "Map of the dungeon", title: "", "aria-description": HELP });
    this.floors = h("div", { class: "row floors", role: "group", "aria-label": "Floors" });
    this.undo = button("Undo", () => bench.undo());
    this.redo = button("Redo", () => bench.redo());
    this.reset = button("Reset", () => bench.reset());
    this.events = h("div", {});
    this.eventsTitle = null;
    this.rules = rulesForm(bench, (rules) => this.walking.act({ do: "rules", rules }));
    this.#build();
    const answers = answering(this);
    this.part = {
      drawsExplanations: true,
      show: (loaded, how) => this.show(loaded, how),
      answered: answers.answered,
      explained: answers.explained,
      tells: (section, { mends }) => section.heading === MENDS && mends.length > 0,
      key: (event) => this.key(event),
      settle: () => this.walking.settle(),
      leave: () => this.leave(),
    };
  }

  #build() {
    const { bench } = this;
    const zoom = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", () => this.view?.zoom(1.4), { "aria-label": "Closer" }),
      button("−", () => this.view?.zoom(1 / 1.4), { "aria-label": "Farther" }),
      button("◎", () => this.lookAt("map") && this.map.showPlayer(), { "aria-label": "To the player" }),
      button("⤢", () => this.view?.fit(), { "aria-label": "All of it" }),
    );
    bench.stage.classList.add("dungeon-stage");
    bench.stage.append(h("div", { class: "dungeon-bar" }, this.floors, zoom), this.frame);
    this.asMap = button("Map", () => this.lookAt("map"), { "aria-pressed": "true" });
    this.asRooms = button("Rooms", () => this.lookAt("rooms"), { "aria-pressed": "false" });
    this.playing = h(
      "div",
      { class: "playing" },
      this.walking.pad(),
      h("div", { class: "grow" }, this.ways, h("div", { class: "row" }, this.undo, this.redo, this.reset, hinting(this))),
    );
    bench.tools.append(
      h(
        "div",
        { class: "dungeon-tools" },
        this.marks.legend,
        this.status,
        this.below,
        this.inventory.element,
        this.playing,
        h(
          "div",
          { class: "row" },
          h("span", { class: "join", role: "group", "aria-label": "View" }, this.asMap, this.asRooms),
          button("Heat map", () => this.showHeat(), { title: "Where the search for a plan looks, and how often" }),
        ),
        h("p", { class: "quiet help" }, HELP),
        h("details", { class: "card" }, h("summary", {}, "Rules"), this.rules.element),
        newDungeon(bench),
      ),
    );
    const section = bench.section("What happened", this.events);
    section.classList.add("happened");
    this.eventsTitle = section.querySelector("h2");
  }

  get view() {
    return this.rooms.isShown ? this.rooms.view : this.map?.view;
  }

  get calm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  // Another position is on the bench.
  async show(loaded, how = {}) {
    const { picture } = loaded.page;
    const same = this.map?.picture.id === picture.id;
    if (same) loaded.page.picture = this.map.picture; // all positions that can be undone to share it
    this.playback?.close();
    if (!same) this.#newMap(picture);
    if (["reach", "hint", "change"].includes(this.marks.kind)) this.marks.clear();
    const before = this.track;
    this.track = new Track(loaded.page.track);
    const behind = same && before && this.track.extends(before) && !this.calm ? before.length : this.track.length;
    this.shownMove = Math.min(behind, this.track.length);
    this.#catchUp();
    this.rules.show(loaded.page.rules);
    this.#refresh();
    this.say(how);
    if (this.rooms.isShown) await this.rooms.draw();
  }

  #newMap(picture) {
    const before = this.map;
    this.map = new DungeonMap(picture, { ontap: (place) => this.tapped(place) });
    if (before) this.map.view.adopt(before.view);
    this.marks.on(this.map, { same: false });
    show(this.frame, this.map.svg);
    const named = picture.floors.map((floor, number) => [floor, number]).filter(([floor]) => floor.rows * floor.columns > 1);
    show(
      this.floors,
      named.length > 1 ? [button("All floors", () => this.map.view.fit()), named.map(([floor, number]) => button(floor.name || `Floor ${number + 1}`, () => this.map.showFloor(number)))] : null,
    );
    if (this.rooms.isShown) this.lookAt("map");
  }

  // Walk on, tile by tile, to where the position is; at once if it is only one.
  #catchUp() {
    clearTimeout(this.catching);
    const behind = this.track.length - this.shownMove;
    if (behind > 0) this.shownMove += Math.max(1, Math.ceil(behind / 14));
    const isThere = this.shownMove >= this.track.length;
    this.map.show(this.track.frame(this.shownMove), { won: isThere && this.track.won });
    const begin = Math.max(0, this.shownMove - LONGEST_TRAIL);
    this.map.clear("lines");
    this.map.line(trail(this.track.places.slice(begin, this.shownMove + 1), (place) => this.map.middle(place), "#1b1b1b", { faint: true, width: 3 }));
    if (!isThere) this.catching = setTimeout(() => this.#catchUp(), MILLISECONDS_A_TILE);
  }

  // Everything beside the map that depends on the position.
  #refresh() {
    const { bench, track, map } = this;
    const now = track.frame(track.length);
    this.inventory.show(now.have, map.picture, track.length);
    this.undo.disabled = !bench.canUndo;
    this.redo.disabled = !bench.canRedo;
    this.reset.disabled = !bench.canUndo;
    const here = this.waysHere();
    show(
      this.ways,
      here.length && !track.won ? [h("span", { class: "quiet" }, "From here:"), here.map((way, index) => button([h("kbd", {}, String(index + 1)), ` ${capital(way.words)}`], () => this.walking.act({ do: "walk", moves: [way.move] })))] : null,
    );
    this.listEvents();
  }

  waysHere() {
    const place = String(this.track.places.at(-1));
    return this.map.picture.ways.map((way, number) => ({ ...way, move: String(number) })).filter((way) => String(way.from) === place);
  }

  listEvents() {
    const { playback, track } = this;
    this.eventsTitle.textContent = playback ? "What happens" : "What happened";
    if (playback) eventList(playback.events, { place: this.events, from: playback.from, now: playback.at, go: (move) => playback.seek(move) });
    else eventList(track.events, { place: this.events, now: track.length, go: (move) => this.walking.act({ do: "back", to: move }) });
  }

  // Say what the last move did; it is read aloud as well.
  say(how = {}) {
    const { track } = this;
    const last = track.events.at(-1);
    if (track.won) this.tell(`★ You reached the goal in ${count(track.length, "move")}.`, "won");
    else if (last && last.move === track.length && !how.turned) this.tell(`${capital(last.words)}.`);
    else this.tell(track.length ? `${count(track.length, "move")} made.` : "You stand at the start.");
  }

  tell(message, kind = "") {
    this.status.textContent = message;
    this.status.className = `dungeon-status ${kind}`;
    if (kind === "refused" && !this.calm) this.map.player.firstChild.animate?.([{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], 220);
  }

  tapped(place) {
    this.frame.focus({ preventScroll: true });
    if (this.playback) return;
    const here = this.waysHere();
    if (String(place) !== String(this.track.places.at(-1))) this.walking.act({ do: "go", to: place });
    else if (here.length === 1) this.walking.act({ do: "walk", moves: [here[0].move] });
  }

  key(event) {
    if (event.target.closest(".right, summary") && !event.target.closest(".happened")) return;
    if (event.target.closest("button") && (event.key === " " || event.key === "Enter")) return;
    const zooms = { "+": 1.4, "=": 1.4, "-": 1 / 1.4 };
    if (event.key in zooms && !event.ctrlKey && !event.metaKey) this.view?.zoom(zooms[event.key]);
    else if (event.key === "0" && !event.ctrlKey && !event.metaKey) this.view?.fit();
    else if (this.playback) this.#keyOfPlayback(event);
    else if (/^[1-9]$/.test(event.key) && this.waysHere()[event.key - 1]) this.walking.act({ do: "walk", moves: [this.waysHere()[event.key - 1].move] });
    else this.walking.key(event);
  }

  #keyOfPlayback(event) {
    const does = {
      ArrowLeft: () => this.playback.step(-1),
      ArrowRight: () => this.playback.step(1),
      Home: () => this.playback.seek(0),
      End: () => this.playback.seek(Infinity),
      " ": () => this.playback.turn(),
      Escape: () => this.playback.close(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // Show moves from a position that was on the bench. Returns the playback, or null if they cannot be made.
  async watch(base, moves, { title, lost = false, onend = () => {} }) {
    if (!moves.length) return null;
    let walked;
    try {
      walked = await post("play", { text: base.text, domain: this.bench.domain.name, action: { do: "walk", moves } });
    } catch (error) {
      this.bench.complain(error);
      return null;
    }
    if (walked.page.picture.id !== this.map.picture.id) {
      this.tell("The dungeon has changed since. Ask again.", "refused");
      return null;
    }
    this.playback?.close();
    this.lookAt("map");
    clearTimeout(this.catching);
    const playback = new Playback({
      track: new Track(walked.page.track),
      from: base.page.track.moves.length,
      title,
      lost,
      map: this.map,
      onend,
      onmove: (frame, playing) => {
        this.map.show(frame);
        this.inventory.show(frame.have, this.map.picture, frame.move);
        if (this.playback === playing) this.listEvents();
      },
      onclose: () => {
        this.playback = null;
        this.playing.hidden = this.status.hidden = false;
        this.shownMove = this.track.length;
        this.#catchUp();
        this.#refresh();
      },
      goOn: async (made) => {
        this.playback?.close();
        if (this.bench.loaded.text !== base.text) await this.bench.set(base);
        await this.walking.act({ do: "walk", moves: made });
      },
    });
    this.playback = playback;
    this.playing.hidden = this.status.hidden = true; // nobody walks while a walk is watched
    show(this.below, playback.element);
    this.listEvents();
    return playback;
  }

  async lookAt(view) {
    this.asMap.setAttribute("aria-pressed", String(view === "map"));
    this.asRooms.setAttribute("aria-pressed", String(view === "rooms"));
    this.marks.legend.classList.toggle("away", view === "rooms");
    if (view === "rooms") {
      this.playback?.close();
      await this.rooms.draw();
      show(this.frame, this.rooms.svg);
    } else if (this.rooms.isShown) {
      this.rooms.hide();
      show(this.frame, this.map.svg);
    }
  }

  // Tile by tile, since a search from one point of interest to the next passes over most of them.
  async showHeat() {
    this.lookUp();
    const answer = await this.bench.ask("solvable", { options: { profile: true, macros: false } });
    if (answer && !answer.stats.heat?.length) this.tell("There was nothing to search for: the answer came without.");
  }

  // Bring the map into sight, after something was pressed that shows on it.
  lookUp() {
    this.bench.stage.scrollIntoView({ block: "nearest", behavior: this.calm ? "auto" : "smooth" });
  }

  leave() {
    clearTimeout(this.catching);
    this.playback?.pause();
    this.rooms.hide();
  }
}

function loadStyle(address) {
  if (document.querySelector(`link[href="${address}"]`)) return;
  document.head.append(h("link", { rel: "stylesheet", href: address }));
}
