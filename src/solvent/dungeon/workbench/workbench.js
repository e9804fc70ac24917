// The page of a dungeon: walk in it, watch plans and walks that lose, see what leads to what, and fix it.

import { post } from "/static/api.js";
import { button, h, show, stylesheet } from "/static/dom.js";
import { EarlierCards } from "/static/earlier_cards.js";
import { capital, count } from "/static/format.js";
import { generateCard } from "/static/generate_form.js";
import { wantsLessMotion } from "/static/player.js";
import { whenNarrow } from "/static/screen.js";
import { SolveSession } from "/static/solve_session.js";
import { answers, FIXES } from "./answers.js";
import { hintButton } from "./hint_button.js";
import { Inventory } from "./inventory.js";
import { DungeonMap } from "./map.js";
import { Movement } from "./movement.js";
import { Overlays } from "./overlays.js";
import { showStep } from "./proof_steps.js";
import { RoomGraph } from "./room_graph.js";
import { rulesForm } from "./rules_form.js";
import { watchButton } from "./search_watch.js";
import { SignLegend } from "./sign_legend.js";
import { Track } from "./track.js";
import { trail } from "./trail.js";
import { eventList, walkPlayer } from "./walk_player.js";
import { WinBadge } from "./win_badge.js";

const LONGEST_TRAIL = 40; // moves that are drawn behind the player
const MILLISECONDS_A_TILE = 55; // when several moves were made at once
const HELP = "Arrow keys or W A S D walk. Press a tile to walk there, a lever to pull it. Numbers take stairs, E pulls a lever, R returns to the start where the rules let you. + and - zoom, 0 shows all.";

export default async function mount(bench) {
  await stylesheet("/domains/dungeon/dungeon.css");
  return new Page(bench).part;
}

const isPlain = (event, letter) => event.key.toLowerCase() === letter && !event.ctrlKey && !event.metaKey && !event.altKey;

class Page {
  constructor(bench) {
    this.bench = bench;
    this.map = null;
    this.track = null; // of the position on the bench
    this.shownMove = 0; // the moment of it that the map shows
    this.player = null; // of a walk, while one is watched
    this.marks = new Overlays();
    this.turn = Promise.resolve(); // what is played is played one after the other, each on the outcome of the last
    this.movement = new Movement(bench, { play: (action) => this.play(action) });
    this.inventory = new Inventory();
    this.rooms = new RoomGraph(bench);
    this.signs = new SignLegend();
    this.badge = new WinBadge(bench, { explain: (answer) => this.showLost(answer), play: (action) => this.play(action) });
    this.status = h("p", { class: "dungeon-status", role: "status" });
    this.ways = h("div", { class: "row ways" });
    this.below = h("div", { class: "below" }); // the player, while there is one
    this.hints = h("div", { class: "hints", "aria-live": "polite" }); // near the map, also where a screen is narrow
    this.hintCards = new EarlierCards(this.hints);
    this.shownText = ""; // of the position that they know
    this.frame = h("div", { class: "dungeon-frame", role: "application", tabindex: 0, "aria-label": "Map of the dungeon", title: "", "aria-description": HELP });
    this.floors = h("div", { class: "row floors", role: "group", "aria-label": "Floors" });
    this.switches = h("p", { class: "quiet switches" }); // what states they are in
    this.home = button([h("kbd", {}, "R"), " Return to the start"], () => this.make("r"), { hidden: true });
    this.reset = button("Reset", () => this.#startOver());
    this.events = h("div", {});
    this.eventsTitle = null;
    this.rules = rulesForm(bench, (rules) => this.change({ do: "rules", rules }));
    this.session = new SolveSession(bench, { step: "move", next: "Next dungeon", done: "Goal reached" });
    this.#build();
    this.part = {
      ...answers(this),
      drawsExplanations: true,
      show: (loaded, how) => this.show(loaded, how),
      showsSection: (section, { fixes }) => section.heading === FIXES && fixes.length > 0,
      key: (event) => this.key(event),
      ready: () => Promise.all([this.movement.answered, this.turn]).then(() => null),
      showStep: (step) => showStep(this, step),
      refused: (message) => this.say(message, "refused"),
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
    bench.stage.append(h("div", { class: "dungeon-bar" }, this.badge.badge, this.floors, zoom), this.frame);
    this.asMap = button("Map", () => this.lookAt("map"), { "aria-pressed": "true" });
    this.asRooms = button("Rooms", () => this.lookAt("rooms"), { "aria-pressed": "false" });
    this.playing = h(
      "div",
      { class: "playing" },
      this.movement.pad(),
      h("div", { class: "grow" }, this.ways, h("div", { class: "row" }, this.home, bench.undoButton, bench.redoButton, this.reset, hintButton(this))),
    );
    bench.tools.append(
      h(
        "div",
        { class: "dungeon-tools" },
        this.marks.legend,
        this.status,
        this.badge.alarm,
        this.below,
        this.inventory.element,
        this.switches,
        this.playing,
        this.session.element,
        h(
          "div",
          { class: "row" },
          h("span", { class: "join", role: "group", "aria-label": "View" }, this.asMap, this.asRooms),
          watchButton(this),
          button("Heat map", () => this.showHeat(), { title: "Where the search for a plan looks, and how often" }),
        ),
        this.badge.live,
        h("p", { class: "quiet help" }, HELP),
        h("details", { class: "card" }, h("summary", {}, "Rules"), this.rules.element),
        generateCard(bench, { title: "Make a new dungeon" }),
      ),
    );
    bench.panel.append(this.signs.element);
    // Beside the map, which then stays in sight; in one column right below it.
    this.leaveNarrow = whenNarrow((narrow) => (narrow ? this.below.after(this.hints) : bench.panel.prepend(this.hints)));
    const section = bench.section("What happened", this.events);
    section.classList.add("player-keys");
    this.eventsTitle = section.querySelector("h2");
  }

  get view() {
    return this.rooms.isShown ? this.rooms.view : this.map?.view;
  }

  // Another position is on the bench.
  async show(loaded, how = {}) {
    const { picture } = loaded.page;
    this.hintCards.moved(this.shownText, loaded.text);
    this.shownText = loaded.text;
    const same = this.map?.picture.id === picture.id;
    if (same) loaded.page.picture = this.map.picture; // all positions that can be undone to share it
    this.player?.close();
    if (!same) this.#newMap(picture);
    if (["reach", "hint", "change"].includes(this.marks.kind)) this.marks.clear();
    const before = this.track;
    this.track = new Track(loaded.page.track);
    const behind = same && before && this.track.extends(before) && !wantsLessMotion() ? before.length : this.track.length;
    this.shownMove = Math.min(behind, this.track.length);
    this.#catchUp();
    this.rules.show(loaded.page.rules);
    this.#refresh();
    this.sayLast(how);
    this.badge.show(loaded);
    if (this.rooms.isShown) await this.rooms.draw();
    if (this.track.won && how.action && !how.turned) this.session.solved({ moves: this.track.length });
  }

  #newMap(picture) {
    const before = this.map;
    this.map = new DungeonMap(picture, { ontap: (place) => this.tapped(place) });
    if (before) this.map.view.adopt(before.view);
    this.signs.show(picture);
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
    this.map.line(trail(this.track.places.slice(begin, this.shownMove + 1), (place) => this.map.middle(place), "#1b1b1b", { faint: true, width: 3, moves: this.track.moves.slice(begin, this.shownMove) }));
    if (!isThere) this.catching = setTimeout(() => this.#catchUp(), MILLISECONDS_A_TILE);
  }

  // Everything beside the map that depends on the position.
  #refresh() {
    const { bench, track, map } = this;
    const now = track.frame(track.length);
    this.inventory.show(now.have, map.picture, track.length);
    this.reset.disabled = !track.length;
    this.home.hidden = !map.picture.returns;
    this.home.disabled = track.won || String(track.places.at(-1)) === String(map.picture.start);
    const here = this.movesHere();
    show(
      this.ways,
      here.length && !track.won ? [h("span", { class: "quiet" }, "From here:"), here.map(({ key, words, move }) => button([key ? h("kbd", {}, key) : null, ` ${capital(words)}`], () => this.make(move)))] : null,
    );
    const states = [...now.switches].map(([name, state]) => `${name} ${state}`);
    show(this.switches, states.length ? `Switches: ${states.join(", ")}.` : null);
    this.listEvents();
  }

  waysHere() {
    const place = String(this.track.places.at(-1));
    return this.map.picture.ways.map((way, number) => ({ ...way, move: String(number) })).filter((way) => String(way.from) === place);
  }

  leversHere() {
    const place = String(this.track.places.at(-1));
    return this.map.picture.levers.filter((lever) => lever.from.some((from) => String(from) === place));
  }

  // Ways and levers, with the key that each has.
  movesHere() {
    const keyed = [...this.waysHere(), ...this.leversHere()];
    return keyed.map((each, index) => ({ ...each, key: index < 9 ? String(index + 1) : null }));
  }

  // Play by the rules when all before it was played; `action` may be a function that says then what, or null.
  play(action) {
    this.turn = this.turn.then(() => {
      const now = typeof action === "function" ? action() : action;
      return now && this.bench.play(now);
    });
    return this.turn;
  }

  async #startOver() {
    if (await this.play({ do: "back", to: 0 })) this.session.restart();
  }

  // Make it another dungeon than the one that was opened; returns what is on the bench then, or null.
  async change(action) {
    const changed = await this.play(action);
    if (changed) this.bench.onEdited?.();
    return changed;
  }

  make(move) {
    return this.play({ do: "walk", moves: [move] });
  }

  listEvents() {
    const { player, track } = this;
    this.eventsTitle.textContent = player ? "What happens" : "What happened";
    if (player) eventList(player.events, { place: this.events, from: player.first, now: player.at, go: (move) => player.goTo(move) });
    else eventList(track.events, { place: this.events, now: track.length, go: (move) => this.play({ do: "back", to: move }) });
  }

  // Say what the last move did; it is read aloud as well.
  sayLast(how = {}) {
    const { track } = this;
    const last = track.events.at(-1);
    if (track.won) this.say(`★ You reached the goal in ${count(track.length, "move")}.`, "won");
    else if (last && last.move === track.length && !how.turned) this.say(`${capital(last.words)}.`);
    else this.say(track.length ? `${count(track.length, "move")} made.` : "You stand at the start.");
  }

  say(message, kind = "") {
    this.status.textContent = message;
    this.status.className = `dungeon-status ${kind}`;
    if (kind === "refused" && !wantsLessMotion()) this.map.player.firstChild.animate?.([{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], 220);
  }

  tapped(place) {
    this.frame.focus({ preventScroll: true });
    if (this.player) return;
    const here = this.movesHere();
    const isHere = String(place) === String(this.track.places.at(-1));
    const lever = this.leversHere().find((each) => String(each.at) === String(place));
    if (lever && (!isHere || here.length === 1)) this.make(lever.move);
    else if (!isHere) this.play({ do: "go", to: place });
    else if (here.length === 1) this.make(here[0].move);
  }

  key(event) {
    if (event.target.closest(".right, summary") && !event.target.closest(".player-keys")) return;
    if (event.target.closest("button") && (event.key === " " || event.key === "Enter")) return;
    const zooms = { "+": 1.4, "=": 1.4, "-": 1 / 1.4 };
    if (event.key in zooms && !event.ctrlKey && !event.metaKey) this.view?.zoom(zooms[event.key]);
    else if (event.key === "0" && !event.ctrlKey && !event.metaKey) this.view?.fit();
    else if (this.player) return;
    else if (/^[1-9]$/.test(event.key) && this.movesHere()[event.key - 1]) this.make(this.movesHere()[event.key - 1].move);
    else if (isPlain(event, "e") && this.leversHere().length) this.make(this.leversHere()[0].move);
    else if (isPlain(event, "r") && this.map.picture.returns) this.make("r");
    else this.movement.key(event);
  }

  // Show moves from a position that was on the bench; `onend(isEnd)` is called for each of them. Returns the player, or
  // null if they cannot be made.
  async watch(base, moves, { title, lost = false, onend = () => {} }) {
    if (!lost) this.session.revealed();
    if (!moves.length) return null;
    const walked = await this.bench.attempt(() => post("play", { text: base.text, domain: this.bench.domain.name, action: { do: "walk", moves } }));
    if (!walked) return null;
    if (walked.page.picture.id !== this.map.picture.id) {
      this.say("The dungeon has changed since. Ask again.", "refused");
      return null;
    }
    this.player?.close();
    this.lookAt("map");
    clearTimeout(this.catching);
    const track = new Track(walked.page.track);
    const player = walkPlayer(this.map, {
      track,
      from: base.page.track.moves.length,
      title,
      lost,
      onmove: (at) => {
        const frame = track.frame(at);
        this.map.show(frame);
        this.inventory.show(frame.have, this.map.picture, at);
        this.listEvents();
        onend(at === track.length);
      },
      close: () => this.closePlayer(),
      goOn: async (made) => {
        this.closePlayer();
        if (this.bench.loaded.text !== base.text) await this.bench.set(base);
        await this.play({ do: "walk", moves: made });
      },
    });
    this.openPlayer(player);
    player.goTo(player.first);
    return player;
  }

  // Show a player in place of the controls: there is no walking while something is watched.
  openPlayer(player) {
    this.bench.player = this.player = player;
    this.playing.hidden = this.status.hidden = this.badge.hidden = true;
    show(this.below, player.element);
  }

  closePlayer() {
    if (!this.player) return;
    this.player.pause();
    this.player = null;
    this.map.clear("lines", "numbers");
    show(this.below);
    this.playing.hidden = this.status.hidden = this.badge.hidden = false;
    this.resume();
  }

  // Show the position on the bench again.
  resume() {
    this.shownMove = this.track.length;
    this.#catchUp();
    this.#refresh();
  }

  async lookAt(view) {
    this.asMap.setAttribute("aria-pressed", String(view === "map"));
    this.asRooms.setAttribute("aria-pressed", String(view === "rooms"));
    this.marks.legend.classList.toggle("away", view === "rooms");
    if (view === "rooms") {
      this.player?.close();
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
    if (answer && !answer.stats.heat?.length) this.say("There was nothing to search for: the answer needed no search.");
  }

  // What can still be reached of a lost game, and what stays shut.
  async showLost(known) {
    const answer = known ?? (await this.bench.ask("solvable", { showIt: false }));
    if (!answer) return;
    this.lookUp();
    if (answer.marks?.reach?.length) this.marks.reach(answer.marks);
    else this.bench.showAnswer(answer);
  }

  // Bring the map into sight, after something was pressed that shows on it.
  lookUp() {
    this.bench.stage.scrollIntoView({ block: "nearest", behavior: wantsLessMotion() ? "auto" : "smooth" });
  }

  leave() {
    this.leaveNarrow();
    clearTimeout(this.catching);
    this.rooms.hide();
  }
}
