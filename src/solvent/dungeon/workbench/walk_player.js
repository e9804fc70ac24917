// Play a walk move by move: a plan, a walk that loses, a way out.

import { button, h, s, show } from "/static/dom.js";
import { capital } from "/static/format.js";
import { Player } from "/static/player.js";
import { copySvg } from "/static/safe_svg.js";
import { halfWay, trail } from "./trail.js";

const MILLISECONDS_A_MOVE = 180;

// `track` has the moves of the position it begins at first, `from` of them; `lost` says that its last move loses.
// `onmove(at)` shows a moment, `goOn(moves)` goes on playing after those moves. The player's `events` are what happens.
export function walkPlayer(map, { track, from, title, lost, onmove, close, goOn }) {
  const events = track.events.filter((event) => event.move > from);
  const on = button("Continue from here", () => goOn(track.moves.slice(from, player.at)));
  const player = new Player({
    label: "Move",
    title,
    first: from,
    last: track.length,
    pace: MILLISECONDS_A_MOVE,
    show: (at) => {
      on.disabled = at === from;
      onmove(at);
    },
    text: (at) => {
      const event = events.findLast((each) => each.move <= at);
      const news = event ? `: ${event.move < at ? "last: " : ""}${event.words}` : "";
      return `Move ${at - from} of ${track.length - from}${news}.${lost && at === track.length ? " This was the moment of no return." : ""}`;
    },
    close,
    below: on,
  });
  player.element.classList.add("card");
  player.element.classList.toggle("lost", lost);
  drawWalk(map, { places: track.places.slice(from), moves: track.moves.slice(from) }, events.map((event) => track.places[event.move]), lost);
  return Object.assign(player, { events });
}

// The whole walk, with the numbers of its events and, if it loses, bars across its last move.
function drawWalk(map, { places, moves }, eventPlaces, lost) {
  const paint = lost ? map.picture.paints.danger : map.picture.paints.plan;
  const locate = (place) => map.middle(place);
  map.clear("lines", "numbers");
  map.line(trail(places, locate, paint, { width: Math.max(3, 2.4 / map.picture.scale), moves }));
  const numbers = eventPlaces.map((_, index) => index + 1);
  for (const [key, listed] of Map.groupBy(numbers, (number) => String(eventPlaces[number - 1]))) map.layers.numbers.append(badge(locate(key.split(",").map(Number)), listed, paint, map));
  if (!lost || places.length < 2) return;
  const { x, y, turn } = halfWay(...places.slice(-2), locate);
  const bars = copySvg(map.picture.signs.no_return, { transform: `translate(${x} ${y}) rotate(${turn}) scale(${map.picture.sign})`, class: "no-return" });
  bars.append(s("title", {}, "the moment of no return"));
  map.layers.numbers.append(bars);
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
