// Situations: a place, and of a state only what can affect a question.

import { isInRoom, numbersOf } from "./places.js";
import { atoms, has, movesAt, play, present, requirements, stockOf, takenBy, withPickup } from "./play.js";

// What can affect a question; only that is part of a situation.
function matters(dungeon) {
  const { gates, rules, pickups } = dungeon;
  const asked = [...requirements(dungeon), dungeon.goalRule ?? { is: "always" }].flatMap((rule) => atoms(rule)).map(({ atom }) => atom);
  const inRequirements = new Set(asked.filter(({ is }) => is === "item").map(({ name }) => name));
  const itemNames = new Set(inRequirements);
  for (const { kind, needs } of gates) if (kind === "item") needs.forEach((name) => itemNames.add(name));
  if (dungeon.terrain.includes("~")) itemNames.add(rules.water);
  const colours = new Set(asked.filter(({ is }) => is === "key").map(({ name }) => name));
  for (const { kind, needs } of gates) if (kind === "lock") colours.add(needs[0]);
  const rooms = new Set(asked.filter(({ is }) => is === "cleared").map(({ name }) => name));
  if (rules.soft === "clear") for (const { kind, needs } of gates) if (kind === "soft") rooms.add(needs[0]);
  const bombs = asked.some(({ is }) => is === "bombs") || gates.some(({ kind }) => kind === "cracked");
  const counted = new Set(asked.filter(({ is, count }) => is === "item" && count > 1).map(({ name }) => name));
  const isImportant = ({ kind, name, place }) => {
    if (kind === "key") return rules.keys_counted && colours.has(name);
    if (kind === "bombs") return rules.bombs !== null && bombs;
    if (kind === "item") return itemNames.has(name);
    return [...rooms].some((room) => isInRoom(dungeon, room, place));
  };
  const most = new Map(); // of what renews and matters, the most that a requirement asks for
  for (const pickup of pickups)
    if (pickup.renews && isImportant(pickup)) most.set(stockOf(pickup), Math.max(0, ...asked.filter(({ is, name }) => is === pickup.kind && name === pickup.name).map(({ count }) => count)));
  const important = { itemNames, counted, most, pickups: new Set(numbersOf(pickups, isImportant)) };
  important.delicate = delicatePickups(dungeon, important);
  return important;
}

// What a situation says beside the place, as text: what must be the same, and what it holds.
function parts(dungeon, important, state) {
  const held = [...state.held].filter((name) => important.itemNames.has(name) && !dungeon.rules.items.includes(name));
  const taken = [...state.taken].filter((number) => {
    const { kind, name, renews } = dungeon.pickups[number];
    return important.pickups.has(number) && !renews && (kind !== "item" || important.counted.has(name));
  });
  const stock = [...state.stock].filter(([what]) => important.most.has(what)).map(([what, count]) => [what, Math.min(count, mostThatMatters(dungeon, important, state, what))]);
  const isDelicate = (one) => [...important.delicate].some((number) => number === one || (dungeon.pickups[number].kind === "item" && dungeon.pickups[number].name === one));
  const exact = JSON.stringify([
    [...taken, ...held].filter(isDelicate).sort(),
    [...state.opened].sort((a, b) => a - b),
    [...state.fallen].sort((a, b) => a - b),
    [...state.switches].sort(),
    state.blocks,
    stock.sort(),
  ]);
  return { exact, holds: new Set([...taken, ...held]) };
}

// Of what renews, no more matters than all gates left take and the most that a requirement asks for.
function mostThatMatters(dungeon, important, state, what) {
  const takers = numbersOf(dungeon.gates, (gate) => ["lock", "cracked"].includes(gate.kind) && stockOf(takenBy(gate)) === what);
  return takers.filter((gate) => !state.opened.has(gate)).length + important.most.get(what);
}

function isCalm(dungeon, important, before, after) {
  if (dungeon.goals.has(after.at) || dungeon.exits?.has(after.at)) return false;
  const sameSets = ["taken", "opened", "fallen"].every((key) => before[key].size === after[key].size); // moves only add to them
  const sameMaps = ["switches", "stock"].every((key) => [...before[key]].every(([name, value]) => after[key].get(name) === value));
  if (sameSets && sameMaps && before.blocks.every((place, block) => after.blocks[block] === place)) return true; // the usual case, quickly
  return parts(dungeon, important, before).exact === parts(dungeon, important, after).exact;
}

// The pickups on the tile that are there, matter, and are not in hand yet.
function leftToTake(dungeon, important, state) {
  return present(dungeon, state).filter((number) => {
    const { kind, name, count, renews } = dungeon.pickups[number];
    if (!important.pickups.has(number)) return false;
    if (renews) return Math.min(count, mostThatMatters(dungeon, important, state, stockOf({ kind, name }))) > state.stock.get(stockOf({ kind, name }));
    return kind !== "item" || important.counted.has(name) || !has(dungeon, state, { is: "item", name, count: 1 });
  });
}

// All places that calm moves lead to from the state's place and back again. Things that lie there are walked over, but
// what is delicate is not walked onto; step by step, nothing is.
function regionOf(dungeon, important, state, stepByStep = false) {
  const forward = new Map([[state.at, []]]);
  const backward = new Map();
  for (const at of forward.keys()) {
    const here = { ...state, at };
    for (const move of movesAt(dungeon, here)) {
      const { state: after } = play(dungeon, here, move, { takes: false });
      if (!after || !isCalm(dungeon, important, here, after)) continue;
      if (leftToTake(dungeon, important, after).some((number) => stepByStep || important.delicate.has(number))) continue;
      if (!forward.has(after.at)) forward.set(after.at, []);
      backward.set(after.at, [...(backward.get(after.at) ?? []), at]);
    }
  }
  const region = new Set([state.at]);
  for (const at of region) for (const from of backward.get(at) ?? []) region.add(from);
  return region;
}

// Take everything in the region that matters, look at the region again, and so on.
function completion(dungeon, important, state) {
  for (;;) {
    const region = regionOf(dungeon, important, state);
    const found = [...region].flatMap((at) => leftToTake(dungeon, important, { ...state, at }));
    if (!found.length) return { state, region };
    for (const number of found) state = withPickup(dungeon, state, number);
  }
}

function nameOf(exact, holds) {
  return JSON.stringify([exact, [...holds].map(String).sort()]);
}

// Pickups that matter of which more may do harm: a rule asks not to have them, some of their kind renew, or a rule asks
// about them on which something delicate depends.
function delicatePickups(dungeon, important) {
  const about = (atom, { kind, name, place }) =>
    (atom.is === kind && (kind === "bombs" || atom.name === name)) || (atom.is === "cleared" && kind === "monster" && isInRoom(dungeon, atom.name, place));
  const refused = requirements(dungeon).flatMap((rule) => atoms(rule)).filter(({ positive }) => !positive);
  const mattering = (test) => numbersOf(dungeon.pickups, test).filter((number) => important.pickups.has(number));
  const found = new Set(mattering((pickup) => refused.some(({ atom }) => about(atom, pickup)) || dungeon.pickups.some((other) => other.renews && stockOf(other) === stockOf(pickup))));
  for (const number of found)
    for (const { atom } of atoms(dungeon.pickups[number].when ?? { is: "always" })) mattering((pickup) => about(atom, pickup)).forEach((other) => found.add(other));
  return found;
}

export { completion, isCalm, leftToTake, matters, mostThatMatters, nameOf, parts, regionOf };
