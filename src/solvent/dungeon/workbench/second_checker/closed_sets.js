// Closed sets of situations: no move leads out of them, and where they are safe, the goal stays in reach.

import { DIRECTIONS, groups, isNumbers, isObject, isSolid, isSorted, isSubset, placeBeside, placeNumber } from "./places.js";
import { firstState, isBare, isFree, isToggle, movesAt, play } from "./play.js";
import { completion, isCalm, leftToTake, matters, mostThatMatters, nameOf, parts, regionOf } from "./situations.js";

// Read the situations of a certificate into states, or say what is wrong.
function readSituations(dungeon, important, states) {
  if (!Array.isArray(states)) return { problem: "states: expected a list" };
  const found = [];
  for (const [number, given] of states.entries()) {
    const wrong = { problem: `states[${number}]: not a situation of this dungeon` };
    if (!isObject(given, "at", "taken", "items", "opened", "fallen", "on", "moved", "dials", "stock")) return wrong;
    const { taken = [], items = [], opened = [], fallen = [], on = [], moved = [], dials = [], stock = [] } = given;
    const at = placeNumber(dungeon, given.at);
    if (at === undefined || isSolid(dungeon, at) || !isNumbers(taken) || !isNumbers(opened) || !isNumbers(fallen)) return wrong;
    if (![items, on].every((list) => Array.isArray(list) && list.every((name) => typeof name === "string"))) return wrong;
    if (![moved, dials, stock].every((list) => Array.isArray(list) && list.every((pair) => Array.isArray(pair) && pair.length === 2))) return wrong;
    if ([taken, items, opened, fallen, on].some((list) => !isSorted(list)) || [moved, dials, stock].some((list) => !isSorted(list.map(([first]) => first)))) return wrong;
    if (taken.some((one) => !important.pickups.has(one) || (dungeon.pickups[one].kind === "item" && !important.counted.has(dungeon.pickups[one].name)))) return wrong;
    if (items.some((name) => !important.itemNames.has(name))) return wrong;
    if (dungeon.rules.items.some((name) => important.itemNames.has(name) && !items.includes(name))) return wrong; // held from the beginning
    if (taken.some((one) => dungeon.pickups[one].kind === "item" && !items.includes(dungeon.pickups[one].name))) return wrong;
    if (opened.some((gate) => !["lock", "cracked"].includes(dungeon.gates[gate]?.kind) || isFree(dungeon, dungeon.gates[gate]))) return wrong;
    if (fallen.some((gate) => dungeon.gates[gate]?.kind !== "soft")) return wrong;
    const state = { ...firstState(dungeon, { bare: true }), at, taken: new Set(taken), held: new Set([...dungeon.rules.items, ...items]) };
    state.opened = new Set(opened);
    state.fallen = new Set(fallen);
    for (const name of on) {
      if (!state.switches.has(name) || !isToggle(dungeon, name)) return wrong;
      state.switches.set(name, "on");
    }
    for (const [name, value] of dials) {
      if (isToggle(dungeon, name) || !state.switches.has(name) || !dungeon.dials.get(name)?.includes(value)) return wrong;
      state.switches.set(name, value);
    }
    for (const [block, route] of moved) {
      const steps = [...(/^(N*|S*)(E*|W*)$/.test(route) ? route : "")].map((letter) => DIRECTIONS[letter]); // rows first
      if (dungeon.blocks[block] === undefined || !steps.length || (dungeon.rules.push === "once" && steps.length > 1)) return wrong;
      const [rows, columns] = [0, 1].map((axis) => steps.reduce((sum, step) => sum + step[axis], 0));
      const place = placeBeside(dungeon, dungeon.blocks[block], rows, columns);
      if (dungeon.rules.push === "never" || !isBare(dungeon, block, place) || state.blocks.includes(place)) return wrong;
      state.blocks[block] = place;
    }
    for (const [what, count] of stock) {
      if (!important.most.has(what) || !Number.isInteger(count) || count < 1 || count > mostThatMatters(dungeon, important, state, what)) return wrong;
      state.stock.set(what, count);
    }
    found.push(state);
  }
  return { found };
}

// The dungeon with some gates open that take nothing, or null if the list is no list of such gates.
function easier(dungeon, waived) {
  if (waived === undefined) return dungeon;
  if (!isNumbers(waived) || !isSorted(waived)) return null;
  if (waived.some((gate) => !["lock", "cracked", "item"].includes(dungeon.gates[gate]?.kind))) return null;
  return { ...dungeon, gates: dungeon.gates.map((gate, number) => (waived.includes(number) ? { ...gate, kind: "open", needs: [] } : gate)) };
}

function closedSetViolations(given, start, { states, waived }, notChecked) {
  const dungeon = easier(given, waived);
  if (!dungeon) return ["waived: expected sorted numbers of locks, cracked walls and gates that need items"];
  const important = matters(dungeon);
  const read = readSituations(dungeon, important, states);
  if (read.problem) return [read.problem];
  const violations = [];
  const situations = read.found.map((state) => ({ state, ...parts(dungeon, important, state), region: regionOf(dungeon, important, state) }));
  const holdersOf = groups(situations, ({ exact }) => exact);
  const isHeld = (state) => {
    const { exact, holds } = parts(dungeon, important, state);
    return (holdersOf.get(exact) ?? []).some((situation) => situation.region.has(state.at) && isSubset(holds, situation.holds));
  };
  if (dungeon.goals.has(start.at)) violations.push("the player stands on a goal");
  else if (!isHeld(lifted(dungeon, start))) violations.push("states: none holds the first state");
  for (const [number, { state, region, holds, exact }] of situations.entries()) {
    const name = `states[${number}]`;
    const twin = situations.findIndex((other) => other.exact === exact && other.region.has(state.at) && isSubset(holds, other.holds) && isSubset(other.holds, holds));
    if (twin !== number) violations.push(`${name}: the same as states[${twin}]`);
    for (const at of region) {
      const here = { ...state, at };
      if (dungeon.goals.has(at) || dungeon.exits?.has(at)) violations.push(`${name}: its region has a goal`);
      if (leftToTake(dungeon, important, here).length) violations.push(`${name}: not full`);
      for (const move of movesAt(dungeon, here)) {
        const { state: after } = play(dungeon, here, move);
        if (!after || (region.has(after.at) && isCalm(dungeon, important, here, after) && isSubset(parts(dungeon, important, after).holds, holds))) continue;
        if (dungeon.goals.has(after.at) || dungeon.exits?.has(after.at)) violations.push(`${name}: the move ${move} ends on a goal`);
        else if (!isHeld(after)) violations.push(`${name}: the move ${move} leads out of the set`);
      }
    }
  }
  return violations;
}

// A state of the dungeon as one of the easier dungeon: gates that are free there are not opened.
function lifted(dungeon, state) {
  return { ...state, opened: new Set([...state.opened].filter((gate) => dungeon.gates[gate].kind !== "open")) };
}

function safeViolations(dungeon, start, { form, states, ranks }, notChecked) {
  const stepByStep = form !== "safe";
  if (!stepByStep && dungeon.rules.player !== "thorough") notChecked("the form 'safe' for any player: what may be left behind is not looked at here");
  const important = matters(dungeon);
  const read = readSituations(dungeon, important, states);
  if (read.problem) return [read.problem];
  if (!isNumbers(ranks) || ranks.length !== read.found.length) return ["ranks: expected a whole number for each situation"];
  if (dungeon.goals.has(start.at)) return read.found.length ? ["the game is won already, so there are no situations"] : [];
  const violations = [];
  const situations = read.found.map((state, number) => ({ state, rank: ranks[number], ...parts(dungeon, important, state), region: regionOf(dungeon, important, state, stepByStep) }));
  const named = groups(situations, ({ exact, holds }) => nameOf(exact, holds));
  const find = (reached) => {
    const state = stepByStep ? reached : completion(dungeon, important, reached).state;
    const { exact, holds } = parts(dungeon, important, state);
    return (named.get(nameOf(exact, holds)) ?? []).find(({ region }) => region.has(state.at));
  };
  if (!find(start)) violations.push("states: the first state is not among them");
  for (const [number, situation] of situations.entries()) {
    const { state, region, holds, rank } = situation;
    if (find(state) !== situation) violations.push(`states[${number}]: not full, or there twice`);
    let wins = false;
    let comesCloser = false;
    for (const at of region) {
      const here = { ...state, at };
      if (leftToTake(dungeon, important, here).length) violations.push(`states[${number}]: not full`);
      for (const move of movesAt(dungeon, here)) {
        const { state: after } = play(dungeon, here, move);
        if (!after) continue;
        if (dungeon.goals.has(after.at)) {
          wins = true;
          continue;
        }
        if (region.has(after.at) && isCalm(dungeon, important, here, after) && isSubset(parts(dungeon, important, after).holds, holds)) continue;
        const next = find(after);
        if (!next) violations.push(`states[${number}]: the move ${move} leads to no situation of the list`);
        else comesCloser ||= next.rank < rank;
      }
    }
    if (rank === 0 ? !wins : !comesCloser) violations.push(`states[${number}]: no move fits its rank`);
  }
  return violations;
}

export { closedSetViolations, easier, safeViolations };
