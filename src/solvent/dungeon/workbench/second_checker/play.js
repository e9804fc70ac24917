// The rules of play, as dungeon.md states them.

import { covers, DIRECTIONS, isInRoom, isSolid, ONE_WAYS, placeBeside } from "./places.js";

// A state: the place, pickups taken, names of items held, gates opened and fallen, the state of each switch that is not
// held, the place of each block, and the stock in hand of what renews somewhere.

function firstState(dungeon, { bare = false } = {}) {
  const { rules } = dungeon;
  const stock = new Map();
  for (const pickup of dungeon.pickups)
    if (pickup.renews) stock.set(stockOf(pickup), pickup.kind === "bombs" ? (rules.bombs ?? 0) : (rules.keys.find(([colour]) => colour === pickup.name)?.[1] ?? 0));
  const state = {
    at: dungeon.start,
    taken: new Set(),
    held: new Set(rules.items),
    opened: new Set(),
    fallen: new Set(),
    switches: new Map([...dungeon.dials].filter(([name]) => !dungeon.heldNames.has(name)).map(([name, states]) => [name, states[0]])),
    blocks: [...dungeon.blocks],
    stock,
  };
  if (bare) for (const what of stock.keys()) stock.set(what, 0);
  return bare ? state : takeAll(dungeon, state);
}

function stockOf({ kind, name }) {
  return kind === "bombs" ? "bombs" : kind === "key" ? `key ${name}`.trim() : null;
}

function playAll(dungeon, first, moves) {
  let state = first;
  for (const [number, move] of moves.entries()) {
    const played = play(dungeon, state, move);
    if (!played.state) return { problem: `move ${number + 1} (${move}) is not legal: ${played.problem}` };
    state = played.state;
  }
  return { state };
}

// Every move that might be legal.
function movesAt(dungeon, { at }) {
  return [...Object.keys(DIRECTIONS), ...(dungeon.waysFrom.get(at) ?? []).map(String), ...(dungeon.leversFrom.get(at) ?? []).map((number) => `u${number}`), "r"];
}

// Play a move: {state} after it, or {problem}. `takes` false leaves what lies there.
function play(dungeon, state, move, { takes = true } = {}) {
  if (dungeon.goals.has(state.at)) return { problem: "the game is won" };
  if (/^u(0|[1-9]\d*)$/.test(move)) return pull(dungeon, state, Number(move.slice(1)), takes);
  const { rules, terrain } = dungeon;
  let [to, met, push] = [undefined, [], null];
  if (Object.hasOwn(DIRECTIONS, move)) {
    const step = DIRECTIONS[move];
    const isOpen = (place) => place !== undefined && !isSolid(dungeon, place) && (!ONE_WAYS[terrain[place]] || ONE_WAYS[terrain[place]] === move);
    if (ONE_WAYS[terrain[state.at]] && ONE_WAYS[terrain[state.at]] !== move) return { problem: "a one-way tile leads another way" };
    to = placeBeside(dungeon, state.at, ...step);
    if (!isOpen(to)) return { problem: "there is no way" };
    push = step;
    if (terrain[to] === "~") {
      if (!state.held.has(rules.water)) return { problem: `water needs ${rules.water}` };
      if (rules.crossing === "one") {
        to = placeBeside(dungeon, to, ...step);
        if (!isOpen(to) || terrain[to] === "~") return { problem: "no dry ground behind the water" };
        push = null;
      }
    }
  } else if (/^(0|[1-9]\d*)$/.test(move)) {
    const way = dungeon.ways[Number(move)];
    if (way?.from !== state.at) return { problem: "no such way begins here" };
    to = way.to;
    if (way.gate !== null) met.push(way.gate);
  } else if (move === "r") {
    if (rules.home !== "always" || state.at === dungeon.start) return { problem: "no return to the start" };
    to = dungeon.start;
  } else return { problem: "not a move" };
  if (dungeon.closed?.has(to)) return { problem: "this goal is closed" };
  if (dungeon.goals.has(to) && dungeon.goalRule && !holds(dungeon, state, dungeon.goalRule)) return { problem: "the goal needs something" };

  met.push(...(dungeon.gateAt.get(to) ?? []));
  let after = { ...state, at: to, opened: new Set(state.opened), fallen: new Set(state.fallen), switches: new Map(state.switches), stock: new Map(state.stock), blocks: [...state.blocks] };
  for (const gate of new Set(met)) {
    const problem = pass(dungeon, state, after, gate);
    if (problem) return { problem };
  }
  const block = state.blocks.indexOf(to);
  if (block >= 0) {
    const behind = push && placeBeside(dungeon, to, ...push);
    if (!push || !canPush(dungeon, state, block, behind)) return { problem: "a block is in the way" };
    after.blocks[block] = behind;
  }
  if (rules.blocks === "reset")
    dungeon.blocks.forEach((place, number) => {
      if (dungeon.rooms.some((room) => covers(dungeon, room, place) && covers(dungeon, room, state.at) && !covers(dungeon, room, to))) after.blocks[number] = place;
    });
  for (const { place, name, sets, held, lever } of dungeon.switches) if (place === to && !lever && !held) turn(dungeon, after, name, sets);
  return { state: takes ? takeAll(dungeon, after) : after };
}

// Pass a gate on the way from `state` to `after`; returns why not, or null. What is spent is noted in `after`.
function pass(dungeon, state, after, number) {
  const gate = dungeon.gates[number];
  const { rules } = dungeon;
  if (gate.kind === "open" || isFree(dungeon, gate)) return null;
  if (gate.kind === "lock" || gate.kind === "cracked") {
    if (after.opened.has(number)) return null;
    const { kind, name } = takenBy(gate);
    if (!has(dungeon, after, { is: kind, name, count: 1 })) return `gate ${number} needs ${kind === "key" ? "a key" : "a bomb"}`;
    after.opened.add(number);
    const stock = stockOf({ kind, name });
    if (after.stock.has(stock)) after.stock.set(stock, after.stock.get(stock) - 1);
    return null;
  }
  if (gate.kind === "item") return gate.needs.every((name) => state.held.has(name)) ? null : `gate ${number} needs ${gate.needs}`;
  if (gate.kind === "barrier") return (switchState(dungeon, state, gate.needs[0]) === "on") !== gate.openAtFirst ? null : `gate ${number} is shut`;
  if (gate.kind === "rule") return holds(dungeon, state, gate.rule) ? null : `gate ${number} needs something`;
  const leaves = isInRoom(dungeon, gate.needs[0], state.at);
  if (rules.soft === "clear") return leaves && livingMonsters(dungeon, state, gate.needs[0]) ? `gate ${number} waits for monsters` : null;
  if (rules.soft === "shut") {
    if (state.fallen.has(number)) return `gate ${number} fell shut`;
    after.fallen.add(number);
  }
  return null;
}

function takenBy({ kind, needs }) {
  return kind === "lock" ? { kind: "key", name: needs[0] } : { kind: "bombs", name: "" };
}

// A lock or cracked wall that takes nothing.
function isFree({ rules }, { kind }) {
  return (kind === "lock" && !rules.keys_counted) || (kind === "cracked" && rules.bombs === null) || (kind === "soft" && rules.soft === "open");
}

function livingMonsters(dungeon, state, room) {
  return dungeon.pickups.some(({ kind, place, when }, number) => kind === "monster" && !state.taken.has(number) && isInRoom(dungeon, room, place) && (!when || holds(dungeon, state, when)));
}

function canPush(dungeon, state, block, behind) {
  const { rules } = dungeon;
  if (rules.push === "never" || (rules.push === "once" && state.blocks[block] !== dungeon.blocks[block])) return false;
  return isBare(dungeon, block, behind) && !state.blocks.includes(behind);
}

// Whether a block may ever be pushed onto a tile.
function isBare(dungeon, block, behind) {
  const { rules, terrain } = dungeon;
  if (behind === undefined || terrain[behind] !== "." || dungeon.gateAt.has(behind) || dungeon.goals.has(behind) || dungeon.closed?.has(behind)) return false;
  if (dungeon.switches.some(({ place, held, lever }) => place === behind && !held && !lever)) return false;
  if (dungeon.ways.some(({ from, to }) => from === behind || to === behind) || dungeon.pickups.some(({ place }) => place === behind)) return false;
  return !dungeon.blocks.includes(behind) || (rules.push === "on" && dungeon.blocks[block] === behind);
}

function pull(dungeon, state, number, takes) {
  const lever = dungeon.switches[number];
  if (!lever?.lever || !lever.reach.has(state.at)) return { problem: "no such lever is in reach" };
  if (lever.needs && !holds(dungeon, state, lever.needs)) return { problem: "the lever needs something" };
  const after = { ...state, switches: new Map(state.switches) };
  turn(dungeon, after, lever.name, lever.sets);
  return { state: takes ? takeAll(dungeon, after) : after };
}

function turn(dungeon, state, name, sets) {
  const states = dungeon.dials.get(name);
  state.switches.set(name, sets ?? states[(states.indexOf(state.switches.get(name)) + 1) % states.length]);
}

function isToggle(dungeon, name) {
  return dungeon.dials.get(name)?.join() === "off,on";
}

function switchState(dungeon, state, name) {
  if (!dungeon.heldNames.has(name)) return state.switches.get(name);
  const isDown = dungeon.switches.some((plate) => plate.name === name && (plate.place === state.at || state.blocks.includes(plate.place)));
  return isDown ? "on" : "off";
}

// The pickups on the player's tile that are there now, and were not taken.
function present(dungeon, state) {
  return (dungeon.pickupsAt.get(state.at) ?? []).filter((number) => {
    const { when, renews } = dungeon.pickups[number];
    return (renews || !state.taken.has(number)) && (!when || holds(dungeon, state, when));
  });
}

// Take what is there, one by one in order, and again while that adds anything: what is taken may make another appear.
function takeAll(dungeon, state) {
  for (let before = null; before !== state; ) {
    before = state;
    for (const number of dungeon.pickupsAt.get(state.at) ?? []) {
      const pickup = dungeon.pickups[number];
      const isNews = !state.taken.has(number) || (pickup.renews && state.stock.get(stockOf(pickup)) < pickup.count);
      if (isNews && present(dungeon, state).includes(number)) state = withPickup(dungeon, state, number);
    }
  }
  return state;
}

function withPickup(dungeon, state, number) {
  const { kind, name, count, renews } = dungeon.pickups[number];
  const stock = new Map(state.stock);
  const what = stockOf({ kind, name });
  if (renews) stock.set(what, Math.max(stock.get(what), count));
  else if (stock.has(what)) stock.set(what, stock.get(what) + count);
  const held = kind === "item" ? new Set([...state.held, name]) : state.held;
  return { ...state, taken: new Set([...state.taken, number]), held, stock };
}

// Whether so much of a kind is in hand.
function has(dungeon, state, { is, name = "", count }) {
  const { rules, pickups } = dungeon;
  const taken = () => [...state.taken].filter((number) => pickups[number].kind === is && pickups[number].name === name).reduce((sum, number) => sum + pickups[number].count, 0);
  if (is === "item") return (count === 1 && state.held.has(name)) || (rules.items.includes(name) ? 1 : 0) + taken() >= count;
  if (is === "key" ? !rules.keys_counted : rules.bombs === null) return true;
  const stock = stockOf({ kind: is, name });
  if (state.stock.has(stock)) return state.stock.get(stock) >= count;
  const carried = is === "bombs" ? rules.bombs : (rules.keys.find(([colour]) => colour === name)?.[1] ?? 0);
  const spent = [...state.opened].filter((gate) => (is === "key" ? dungeon.gates[gate].kind === "lock" && dungeon.gates[gate].needs[0] === name : dungeon.gates[gate].kind === "cracked")).length;
  return carried + taken() - spent >= count;
}

function holds(dungeon, state, rule) {
  switch (rule.is) {
    case "always":
      return true;
    case "never":
      return false;
    case "not":
      return !holds(dungeon, state, rule.part);
    case "all":
      return rule.parts.every((part) => holds(dungeon, state, part));
    case "any":
      return rule.parts.some((part) => holds(dungeon, state, part));
    case "switch":
      return switchState(dungeon, state, rule.name) === rule.state;
    case "cleared":
      return !dungeon.pickups.some(({ kind, place }, number) => kind === "monster" && !state.taken.has(number) && isInRoom(dungeon, rule.name, place));
    default:
      return has(dungeon, state, rule);
  }
}

// All single facts that a requirement asks about, and whether it asks for them or against them.
function atoms(rule, positive = true) {
  if (rule.is === "not") return atoms(rule.part, !positive);
  if (rule.parts) return rule.parts.flatMap((part) => atoms(part, positive));
  return rule.is === "always" || rule.is === "never" ? [] : [{ atom: rule, positive }];
}

// Every requirement there is in a dungeon.
function requirements(dungeon) {
  return [dungeon.goalRule, ...dungeon.gates.map(({ rule }) => rule), ...dungeon.pickups.map(({ when }) => when), ...dungeon.switches.map(({ needs }) => needs)].filter(Boolean);
}

export { atoms, firstState, has, isBare, isFree, isToggle, movesAt, play, playAll, present, requirements, stockOf, takenBy, withPickup };
