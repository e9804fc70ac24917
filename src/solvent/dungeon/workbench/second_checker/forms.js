// Each form of certificate, as certificates-dungeon.md states it: what it proves, and what is wrong with one.

import { closedSetViolations, easier, safeViolations } from "./closed_sets.js";
import { isNumbers, isObject, numbersOf, placeNumber } from "./places.js";
import { atoms, firstState, play, playAll, requirements } from "./play.js";
import { isCalm, leftToTake, matters, regionOf } from "./situations.js";

const UNKNOWN_FORMS = ["surplus", "within reach", "taken away", "all states"];

const FORMS = {
  plan: { proves: ["solvable: YES", "collectable: YES"], violations: planViolations },
  "closed set": { proves: ["solvable: NO"], violations: (dungeon, state, certificate, notChecked) => closedSetViolations(dungeon, state, certificate, notChecked) },
  "lost walk": { proves: ["losable: YES"], violations: lostWalkViolations },
  safe: { proves: ["losable: NO"], violations: safeViolations },
  "safe, step by step": { proves: ["losable: NO"], violations: safeViolations },
  "plan from home": { proves: ["losable: NO"], violations: homeViolations },
  "closed sets": { proves: ["collectable: NO"], violations: uncollectableViolations },
  walks: { proves: ["accessible: YES"], violations: walksViolations },
  "out of reach": { proves: ["accessible: NO"], violations: unreachableViolations },
  "nothing delicate": {
    proves: ["monotone: YES"],
    violations: (dungeon) => [...matters(dungeon).delicate].filter((number) => !dungeon.pickups[number].renews).map((number) => `pickup ${number} is delicate`),
  },
};

function isMoves(value) {
  return Array.isArray(value) && value.every((move) => typeof move === "string");
}

function planViolations(dungeon, state, { plan, question }) {
  if (!isMoves(plan)) return ["plan: expected a list of moves"];
  const end = playAll(dungeon, state, plan);
  if (end.problem) return [`plan: ${end.problem}`];
  const violations = [];
  if (!dungeon.goals.has(end.state.at)) violations.push("plan: it does not end on a goal");
  if (question === "collectable")
    for (const number of toCollect(dungeon)) if (!end.state.taken.has(number)) violations.push(`plan: pickup ${number} is left behind`);
  return violations;
}

// The pickups that `collectable` is about.
function toCollect(dungeon) {
  const names = dungeon.rules.collect;
  return numbersOf(dungeon.pickups, ({ kind, name }) => kind === "item" && (!names.length || names.includes(name)));
}

// The pickups that `accessible` is about.
function locations(dungeon) {
  const asked = matters(dungeon).itemNames;
  return numbersOf(dungeon.pickups, ({ kind, name }) => {
    if (dungeon.rules.accessibility === "minimal" || kind === "monster") return false;
    return dungeon.rules.accessibility === "full" || (kind === "item" && asked.has(name));
  });
}

function walksViolations(dungeon, state, { walks }) {
  if (!Array.isArray(walks) || !walks.every(isMoves)) return ["walks: expected lists of moves"];
  const ends = walks.map((walk) => playAll(dungeon, state, walk));
  const violations = ends.flatMap(({ problem }, number) => (problem ? [`walk ${number}: ${problem}`] : []));
  if (violations.length) return violations;
  for (const number of locations(dungeon))
    if (!state.taken.has(number) && !ends.some((end) => end.state.taken.has(number))) violations.push(`no walk takes pickup ${number}`);
  if (!ends.some((end) => dungeon.goals.has(end.state.at))) violations.push("no walk ends on a goal");
  return violations;
}

function lostWalkViolations(dungeon, state, certificate, notChecked) {
  const { walk, rescue } = certificate;
  if (!isMoves(walk) || !isMoves(rescue)) return ["walk, rescue: expected lists of moves"];
  const before = playAll(dungeon, state, walk.slice(0, -1));
  if (before.problem) return [`walk: ${before.problem}`];
  const end = playAll(dungeon, before.state, walk.slice(-1));
  if (end.problem) return [`walk: ${end.problem}`];
  const violations = [];
  if (walk.length) {
    const rescued = playAll(dungeon, before.state, rescue);
    if (rescued.problem) violations.push(`rescue: ${rescued.problem}`);
    else if (!dungeon.goals.has(rescued.state.at)) violations.push("rescue: it does not end on a goal");
  } else if (rescue.length) violations.push("rescue: there is nothing to be rescued from");
  if (dungeon.rules.player === "thorough") violations.push(...carelessMoves(dungeon, state, walk));
  violations.push(...closedSetViolations(dungeon, end.state, certificate, notChecked));
  return violations;
}

// Moves of a walk that a thorough player would not make yet: they cannot be undone, and something is left to take.
function carelessMoves(dungeon, first, walk) {
  const important = matters(dungeon);
  let state = first;
  return walk.flatMap((move, number) => {
    const before = state;
    const region = regionOf(dungeon, important, before);
    state = play(dungeon, before, move).state;
    if (region.has(state.at) && isCalm(dungeon, important, before, state)) return [];
    return [...region].some((at) => leftToTake(dungeon, important, { ...before, at }).length) ? [`walk: move ${number + 1} leaves something behind`] : [];
  });
}

function homeViolations(dungeon, state, { plan }) {
  if (!isMoves(plan)) return ["plan: expected a list of moves"];
  const { rules } = dungeon;
  const violations = [];
  if (rules.home !== "always" || dungeon.gateAt.has(dungeon.start)) violations.push("a player cannot always return to the start");
  for (const [number, { kind }] of dungeon.gates.entries()) {
    if (kind === "lock" && rules.keys_counted) violations.push(`gate ${number} takes a key`);
    if (kind === "cracked" && rules.bombs !== null) violations.push(`gate ${number} takes a bomb`);
    if (kind === "soft" && rules.soft === "shut") violations.push(`gate ${number} can fall shut`);
    if (kind === "barrier") violations.push(`gate ${number} depends on a switch`);
  }
  if (dungeon.switches.length) violations.push("there are switches to work");
  if (dungeon.blocks.length && rules.push !== "never") violations.push("there are blocks to push");
  for (const rule of requirements(dungeon))
    if (atoms(rule).some(({ atom, positive }) => atom.is === "switch" || !positive)) violations.push("a requirement may stop to hold");
  const end = playAll(dungeon, firstState(dungeon), plan);
  if (end.problem) violations.push(`plan: ${end.problem}`);
  else if (!dungeon.goals.has(end.state.at)) violations.push("plan: it does not end on a goal");
  return violations;
}

// Goals that ask for everything that is to be collected: closed sets for each of them.
function uncollectableViolations(dungeon, state, { sets }, notChecked) {
  if (!Array.isArray(sets)) return ["sets: expected a list"];
  const wanted = toCollect(dungeon);
  if (dungeon.goals.has(state.at)) return wanted.some((number) => !state.taken.has(number)) ? [] : ["everything was taken"];
  if (wanted.some((number) => dungeon.goals.has(dungeon.pickups[number].place))) notChecked("something to collect lies on a goal");
  const counts = new Map();
  for (const number of wanted) {
    const { name, count } = dungeon.pickups[number];
    counts.set(name, (counts.get(name) ?? (dungeon.rules.items.includes(name) ? 1 : 0)) + count);
  }
  const all = [...counts].map(([name, count]) => ({ is: "item", name, count }));
  const violations = [];
  const shown = new Set();
  for (const [number, set] of sets.entries()) {
    if (!isObject(set, "goals", "states", "waived") || !Array.isArray(set.goals)) return [`sets[${number}]: expected goals and states`];
    const goals = set.goals.map((place) => placeNumber(dungeon, place));
    if (goals.some((place) => !dungeon.goals.has(place))) return [`sets[${number}].goals: expected places of goals`];
    for (const place of goals) shown.add(place);
    const stricter = {
      ...dungeon,
      goals: new Set(goals),
      closed: new Set([...dungeon.goals].filter((place) => !goals.includes(place))),
      goalRule: { is: "all", parts: [...(dungeon.goalRule ? [dungeon.goalRule] : []), ...all] },
    };
    violations.push(...closedSetViolations(stricter, state, set, notChecked).map((line) => `sets[${number}]: ${line}`));
  }
  for (const place of dungeon.goals) if (!shown.has(place)) violations.push("sets: a goal is in none of them");
  return violations;
}

function unreachableViolations(dungeon, state, { proofs }, notChecked) {
  if (!Array.isArray(proofs) || !proofs.length) return ["proofs: expected a list, not empty"];
  const asked = locations(dungeon);
  return proofs.flatMap((proof, number) => {
    const at = `proofs[${number}]`;
    if (!isObject(proof, "locations", "states", "waived") || !isNumbers(proof.locations)) return [`${at}: expected locations and states`];
    if (proof.locations.some((location) => !asked.includes(location) || state.taken.has(location))) return [`${at}: a location was taken or is not asked for`];
    if (!proof.locations.length) return closedSetViolations(dungeon, state, proof, notChecked).map((line) => `${at}: ${line}`);
    if (dungeon.goals.has(state.at)) return []; // the game is won, and nothing can be taken any more
    const there = proof.locations.map((location) => dungeon.pickups[location]);
    if (there.some(({ when, place }) => when || dungeon.goals.has(place))) notChecked("a location that appears, or lies on a goal");
    const places = there.map(({ place }) => place);
    const easier = { ...dungeon, goals: new Set(), closed: dungeon.goals, goalRule: null, exits: new Set(places) };
    return closedSetViolations(easier, state, proof, notChecked).map((line) => `${at}: ${line}`);
  });
}

export { FORMS, UNKNOWN_FORMS };
