// One step of a proof on the map: how everything stands then, the walk it tells, what can be reached, what it is about.

import { trail } from "./trail.js";

// Show a step on the page of a dungeon; null puts everything back.
export function showStep(page, step) {
  const { map } = page;
  page.player?.close();
  page.lookAt("map");
  page.playing.hidden = page.status.hidden = page.badge.hidden = step !== null; // they are about the position on the bench
  standBeside(page.bench.stage, step !== null);
  map.clear("lines", "numbers");
  if (!step) {
    page.marks.clear();
    page.resume();
    return;
  }
  clearTimeout(page.catching);
  const { frame, path, reach = [], rims = [], rings = [] } = step.marks;
  if (frame) {
    const shown = frameOf(frame);
    map.show(shown);
    page.inventory.show(shown.have, map.picture, null);
  }
  if (path) {
    if (!path.lost) page.session.revealed();
    const paint = path.lost ? map.picture.paints.danger : map.picture.paints.plan;
    map.line(trail(path.places, (place) => map.middle(place), paint, { width: Math.max(3, 2.4 / map.picture.scale), moves: path.moves }));
  }
  page.marks.step({ reach, rims, rings });
}

// Where the screen is narrow, the map stays in sight above the steps, and what is below it stays where it is.
function standBeside(stage, isBeside) {
  if (stage.classList.contains("beside-proof") === isBeside) return;
  stage.parentElement.style.minHeight = isBeside ? `${stage.parentElement.offsetHeight}px` : "";
  stage.classList.toggle("beside-proof", isBeside);
  if (isBeside) requestAnimationFrame(() => document.querySelector(".proof-steps .player")?.scrollIntoView({ block: "nearest" }));
}

// How everything stands, as Track has it, from what the server says of a state.
function frameOf({ place, taken = [], there = [], gates = [], goal = true, switches = [], blocks = [], have }) {
  const numbers = (pairs, wanted) => new Set(pairs.filter(([, isSo]) => isSo === wanted).map(([number]) => number));
  return { place, taken: new Set(taken), absent: numbers(there, false), open: numbers(gates, true), goal, switches: new Map(switches), blocks: new Map(blocks), have };
}
