// Dungeons, a second opinion: the text format, the rules of play and the certificates as the reference pages state them
// (dungeon-formats.md, dungeon.md, certificates-dungeon.md). Not translated from Solvent's checker. Imports nothing, so
// that it also runs outside the page. Four parts: forms, closed sets, rules of play, reading.

const DIRECTIONS = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };
const ONE_WAYS = { "^": "N", ">": "E", v: "S", "<": "W" };

// Return all violations of a certificate about a dungeon.
function check(text, certificate, { badInput, notChecked }) {
  const dungeon = readDungeon(text, badInput, notChecked);
  const now = playAll(dungeon, firstState(dungeon), dungeon.moves);
  if (now.problem) badInput(`the moves already played: ${now.problem}`);
  const { form, question, verdict } = certificate;
  const known = FORMS[form];
  if (!known) {
    if (UNKNOWN_FORMS.includes(form)) notChecked(`the form '${form}' is not covered by this checker`);
    return [`there is no form '${form}'`];
  }
  if (!known.proves.includes(`${question}: ${verdict}`)) return [`the form '${form}' does not prove ${question}: ${verdict}`];
  if (!sameRules(certificate.rules, dungeon.rules)) return ["rules: made under other rules than those of the dungeon"];
  return known.violations(dungeon, now.state, certificate, notChecked);
}

// --- Forms. ---------------------------------------------------------------------------------------------------------

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

// --- Closed sets of situations. -------------------------------------------------------------------------------------

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
  const important = { itemNames, inRequirements, counted, most, pickups: new Set(numbersOf(pickups, isImportant)) };
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
    if (dungeon.rules.items.some((name) => important.inRequirements.has(name) && !items.includes(name))) return wrong; // held from the beginning
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

// --- Rules of play. -------------------------------------------------------------------------------------------------
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

// --- Places. A place is a number; floors follow each other. ---------------------------------------------------------

function placeNumber(dungeon, place) {
  if (!isNumbers(place) || place.length !== 3) return undefined;
  const [floor, row, column] = place;
  const found = dungeon.floors[floor];
  return found && row < found.height && column < found.width ? found.first + row * found.width + column : undefined;
}

// Floor, row and column of a place.
function coordinates(dungeon, place) {
  return dungeon.coordinates[place];
}

function placeBeside(dungeon, place, rows, columns) {
  const [floor, row, column] = coordinates(dungeon, place);
  return row + rows < 0 || column + columns < 0 ? undefined : placeNumber(dungeon, [floor, row + rows, column + columns]);
}

function isSolid(dungeon, place) {
  return "#_".includes(dungeon.terrain[place]);
}

function covers(dungeon, { floor, row, column, height, width }, place) {
  const [onFloor, onRow, onColumn] = coordinates(dungeon, place);
  return floor === onFloor && onRow >= row && onRow < row + height && onColumn >= column && onColumn < column + width;
}

function isInRoom(dungeon, name, place) {
  return dungeon.rooms.some((room) => room.name === name && covers(dungeon, room, place));
}

function numbersOf(list, test) {
  return [...list.keys()].filter((number) => test(list[number]));
}

function groups(list, nameOf) {
  const found = new Map();
  for (const one of list) found.set(nameOf(one), [...(found.get(nameOf(one)) ?? []), one]);
  return found;
}

function isSubset(small, large) {
  return [...small].every((one) => large.has(one));
}

// Whether a value is an object, with no other keys than these if any are given.
function isObject(value, ...keys) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return !keys.length || Object.keys(value).every((key) => keys.includes(key));
}

// Whether a list is in order, and has nothing twice.
function isSorted(list) {
  return list.every((value, place) => !place || list[place - 1] < value);
}

function isNumbers(value) {
  return Array.isArray(value) && value.every((number) => Number.isInteger(number) && number >= 0);
}

// --- Reading the text format. ---------------------------------------------------------------------------------------

const DEFAULT_RULES = {
  keys: [],
  bombs: 0,
  items: [],
  bombs_per_pickup: 4,
  keys_counted: true,
  water: "ladder",
  crossing: "any",
  soft: "clear",
  push: "once",
  blocks: "stay",
  home: "never",
  collect: [],
  accessibility: "full",
  player: "any",
};
const GLYPHS = {
  "#": "wall",
  ".": "floor",
  " ": "nothing",
  _: "nothing",
  "~": "water",
  "^": "one-way north",
  ">": "one-way east",
  v: "one-way south",
  "<": "one-way west",
  "@": "start",
  G: "goal",
  k: "key",
  L: "lock",
  b: "bombs",
  B: "cracked",
  m: "monster",
  o: "block",
};
const TERRAIN = { wall: "#", floor: ".", nothing: "_", water: "~", "one-way north": "^", "one-way east": ">", "one-way south": "v", "one-way west": "<" };
const HEADER = /^(rules|map|goal|legend|switches|rooms|places|ways|missing|moves)( [^:]*)?:(.*)$/;

// Rules that certificates made before these were invented do not name.
const YOUNGER_RULES = ["blocks", "home", "collect", "accessibility"];

function sameRules(given, rules) {
  if (!isObject(given) || Object.keys(given).some((name) => !Object.hasOwn(rules, name))) return false;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  return Object.keys(rules).every((name) => same(given[name] === undefined && YOUNGER_RULES.includes(name) ? DEFAULT_RULES[name] : given[name], rules[name]));
}

function readDungeon(text, badInput, notChecked) {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() && !line.startsWith("#"));
  if (!lines[first]?.startsWith("dungeon:")) notChecked("this checker reads dungeons in the text format, from the line 'dungeon:' on; 'solvent convert FILE --to text' writes it");
  const sections = readSections(lines.slice(first + 1), badInput);
  const dungeon = {
    rules: readRules(sections.rules, badInput),
    goalRule: null,
    floors: [],
    terrain: "", // by place: # wall, _ nothing, . floor, ~ water, and one-way tiles
    coordinates: [],
    goals: new Set(),
    pickups: [],
    gates: [],
    switches: [],
    blocks: [],
    ways: [],
    rooms: [],
    dials: new Map(),
    moves: sections.moves.join(" ").match(/u\d+|\d+|[NESWr]/g) ?? [],
  };
  const goal = sections.goal.join(" ").trim();
  if (goal) dungeon.goalRule = readRequirement(goal.replace(/^needs /, ""), badInput);
  const legend = new Map(Object.entries(GLYPHS));
  for (const line of sections.legend) legend.set(line[0], line.slice(1).replace(/^\s*=\s*/, ""));
  const tiles = readTiles(dungeon, sections, legend, badInput); // [{place, things, glyph}]
  const gates = new Map(); // what tells gates apart -> the gate
  const pairs = new Map(); // glyph -> tiles of stairs
  for (const tile of tiles) for (const thing of tile.things) readThing(dungeon, gates, pairs, tile, thing, badInput);
  joinTouching(dungeon, gates);
  for (const [glyph, ends] of pairs) {
    if (ends.length !== 2) badInput(`${glyph}: expected two tiles that lead to each other, got ${ends.length}`);
    const kind = split(legend.get(glyph), "+").find((thing) => thing === "stairs" || thing === "warp");
    dungeon.ways.push({ from: ends[0], to: ends[1], kind, gate: null }, { from: ends[1], to: ends[0], kind, gate: null });
  }
  for (const line of sections.rooms) readRoom(dungeon, line, badInput);
  for (const line of sections.ways) readWay(dungeon, gates, line, badInput);
  return finished(dungeon, sections, gates, badInput);
}

function readSections(lines, badInput) {
  const sections = { rules: [], goal: [], legend: [], switches: [], rooms: [], places: [], ways: [], missing: [], moves: [], maps: [] };
  let current = null;
  let inMap = false;
  for (const line of lines) {
    if (inMap && line.trim()) {
      current.push(line);
      continue;
    }
    inMap = false;
    if (!line.trim() || line.startsWith("#")) continue;
    const header = HEADER.exec(line);
    if (header && header[1] === "map") {
      sections.maps.push({ name: (header[2] ?? "").trim(), rows: [] });
      current = sections.maps.at(-1).rows;
      inMap = true;
    } else if (header && !header[2]) {
      current = sections[header[1]];
      if (header[3].trim()) current.push(header[3].trim());
    } else if (current) current.push(line.trim());
    else badInput(`expected a section such as 'map:', got ${line}`);
  }
  return sections;
}

function readRules(lines, badInput) {
  const rules = { ...DEFAULT_RULES };
  for (const part of lines.join(",").split(",").filter((one) => one.trim())) {
    const [name, value] = part.split("=").map((word) => word.trim());
    if (!Object.hasOwn(rules, name) || !value) badInput(`there is no rule ${part.trim()}`);
    if (name === "keys") rules.keys = value.split("+").map((one) => /^(?:(.*\S)\s+)?(\d+)$/.exec(one.trim()) ?? badInput(`keys: ${value}`)).map(([, colour, number]) => [unquoted(colour ?? ""), Number(number)]).filter(([, number]) => number);
    else if (name === "bombs") rules.bombs = value === "unlimited" ? null : Number(value);
    else if (name === "bombs_per_pickup") rules[name] = Number(value);
    else if (name === "keys_counted") rules[name] = value === "true";
    else if (name === "items" || name === "collect") rules[name] = value === "none" ? [] : value.split("+").map((one) => unquoted(one.trim()));
    else rules[name] = unquoted(value);
  }
  return rules;
}

function unquoted(name) {
  return name.trim().replace(/^"(.*)"$/, "$1");
}

// Split at a separator that stands in no quotes.
function split(text, separator) {
  return text.match(new RegExp(`(?:"[^"]*"|[^"\\${separator}])+`, "g"))?.map((one) => one.trim()).filter(Boolean) ?? [];
}

// Cut "left WORD right" in two, at a word that stands in no quotes; right is null if there is none.
function cut(text, word) {
  const quoted = text.replace(/"[^"]*"/g, (name) => "\0".repeat(name.length));
  const found = new RegExp(`(^|\\s)${word}(\\s|$)`).exec(quoted);
  return found ? [text.slice(0, found.index).trim(), text.slice(found.index + found[0].length).trim()] : [text.trim(), null];
}

function readTiles(dungeon, { maps, places }, legend, badInput) {
  const tiles = [];
  const addTile = (glyph, things) => {
    const terrain = things.filter((thing) => TERRAIN[thing]);
    const { first, width } = dungeon.floors.at(-1);
    const at = dungeon.terrain.length - first;
    dungeon.coordinates.push([dungeon.floors.length - 1, Math.floor(at / width), at % width]);
    tiles.push({ place: dungeon.terrain.length, glyph, things: things.filter((thing) => !TERRAIN[thing]) });
    dungeon.terrain += terrain.length ? TERRAIN[terrain[0]] : ".";
  };
  for (const { name, rows } of maps) {
    if (!rows.length || rows.some((row) => row.length !== rows[0].length)) badInput(`map ${name}: expected equally long rows`);
    dungeon.floors.push({ name, first: dungeon.terrain.length, height: rows.length, width: rows[0].length });
    for (const glyph of rows.join("")) addTile(glyph, split(legend.get(glyph) ?? badInput(`no legend says what ${glyph} is`), "+"));
  }
  for (const line of places) {
    const [, name, things] = /^([^:]*):(.*)$/.exec(line) ?? badInput(`places: expected NAME: things, got ${line}`);
    dungeon.floors.push({ name: name.trim(), first: dungeon.terrain.length, height: 1, width: 1 });
    addTile(`place ${name.trim()}`, split(things, "+"));
  }
  return tiles;
}

function readThing(dungeon, gates, pairs, { place, glyph }, thing, badInput) {
  const [word, rest] = /^(\S+)\s*(.*)$/.exec(thing).slice(1);
  if (thing === "start") dungeon.start = place;
  else if (thing === "goal") dungeon.goals.add(place);
  else if (thing === "block") dungeon.blocks.push(place);
  else if (thing === "stairs" || thing === "warp") pairs.set(glyph, [...(pairs.get(glyph) ?? []), place]);
  else if (["key", "bombs", "item", "monster"].includes(word)) dungeon.pickups.push(readPickup(dungeon, place, word, rest, badInput));
  else if (word === "switch" || thing.startsWith("held switch ")) {
    const [name, sets] = cut(word === "switch" ? rest : thing.slice("held switch ".length), "sets");
    dungeon.switches.push({ place, name: unquoted(name), sets: sets === null ? null : unquoted(sets), held: word === "held", lever: false });
  } else if (word === "lever") {
    const [before, needs] = cut(rest, "needs");
    const [turned, from] = cut(before, "from");
    const [name, sets] = cut(turned, "sets");
    dungeon.switches.push({ place, name: unquoted(name), sets: sets === null ? null : unquoted(sets), held: false, lever: true, from, needs: needs === null ? null : readRequirement(needs, badInput) });
  } else addGate(gates, thing, badInput, `${glyph} ${thing}`).tiles.push(place);
}

function readPickup(dungeon, place, kind, text, badInput) {
  let [rest, when] = cut(text, "when");
  let renews = false;
  [rest, renews] = cut(rest, "renewing");
  const number = /(?:^|\s)x(\d+)$/.exec(rest);
  const name = unquoted(number ? rest.slice(0, number.index) : rest);
  const count = number ? Number(number[1]) : kind === "bombs" ? dungeon.rules.bombs_per_pickup : 1;
  return { place, kind, name, count, written: number || kind !== "bombs" ? count : 0, renews: renews !== null, whenText: when, when: when === null ? null : readRequirement(when, badInput) };
}

// Find the gate that a text describes, or make it; one without a name is told apart by `where`.
function addGate(gates, text, badInput, where) {
  const named = /^(.*[^\s&|!(])\s*\(([^()]*)\)$/.exec(text);
  const isName = named && /^#?[\p{L}\p{N} '-]+$/u.test(named[2]) && !/(^|\s)(and|or|not)$/.test(named[1]);
  const needs = isName ? named[1].trim() : text;
  const key = isName ? `${needs} (${named[2]})` : where;
  if (!gates.has(key)) gates.set(key, { ...readGate(needs, badInput), tiles: [], ways: [], isNamed: Boolean(isName) });
  return gates.get(key);
}

function readGate(text, badInput) {
  const [word, rest] = /^(\S+)\s*(.*)$/.exec(text).slice(1);
  if (word === "lock") return { kind: "lock", needs: [unquoted(rest)] };
  if (text === "cracked") return { kind: "cracked", needs: [] };
  if (word === "gate") return { kind: "item", needs: split(rest, ",").map(unquoted) };
  if (word === "needs") return { kind: "rule", needs: [], rule: readRequirement(rest, badInput) };
  if (word === "soft") return { kind: "soft", needs: [unquoted(rest)] };
  if (word !== "barrier") badInput(`there is no thing '${text}'`);
  const [, name, state] = /^("[^"]*"|.*?)(?:\s+(open|shut))?$/.exec(rest);
  return { kind: "barrier", needs: [unquoted(name)], openAtFirst: state === "open" };
}

// Gates without a name are pieces of tiles that touch.
function joinTouching(dungeon, gates) {
  for (const [key, gate] of [...gates]) {
    if (gate.isNamed) continue;
    gates.delete(key);
    const left = new Set(gate.tiles);
    for (const first of left) {
      const piece = new Set([first]);
      for (const tile of piece)
        for (const step of Object.values(DIRECTIONS)) {
          const beside = placeBeside(dungeon, tile, ...step);
          if (left.has(beside)) piece.add(beside);
        }
      for (const tile of piece) left.delete(tile);
      gates.set(`${key} at ${first}`, { ...gate, tiles: [...piece] });
    }
  }
}

function floorNamed(dungeon, name, badInput) {
  const found = dungeon.floors.findIndex((floor) => floor.name === name);
  return found >= 0 ? found : name === "" && dungeon.floors.length === 1 ? 0 : badInput(`there is no floor '${name}'`);
}

function readRoom(dungeon, line, badInput) {
  const found = /^(.*?)\s*=\s*(.*?)\s*(\d+)\s*,\s*(\d+)\s+(\d+)x(\d+)\s*(:.*)?$/.exec(line) ?? badInput(`rooms: expected NAME = ROW,COL HEIGHTxWIDTH, got ${line}`);
  const [row, column, height, width] = found.slice(3, 7).map(Number);
  dungeon.rooms.push({ name: found[1], floor: floorNamed(dungeon, found[2], badInput), row, column, height, width });
}

function readPlace(dungeon, text, badInput) {
  const found = /^(.*?)\s*(\d+)\s*,\s*(\d+)$/.exec(text);
  const place = found ? [floorNamed(dungeon, found[1], badInput), Number(found[2]), Number(found[3])] : [floorNamed(dungeon, text, badInput), 0, 0];
  return placeNumber(dungeon, place) ?? badInput(`there is no place ${text}`);
}

function readWay(dungeon, gates, line, badInput) {
  const found = /^(.*?)\s*(<->|->)\s*(.*?)\s*:\s*(\w+)\s*(?:,\s*(.*))?$/.exec(line) ?? badInput(`ways: expected PLACE -> PLACE: kind, got ${line}`);
  const [from, to] = [found[1], found[3]].map((text) => readPlace(dungeon, text, badInput));
  const gate = found[5] ? addGate(gates, found[5], badInput, `way ${dungeon.ways.length}`) : null;
  dungeon.ways.push({ from, to, kind: found[4], gate });
  if (found[2] === "<->") dungeon.ways.push({ from: to, to: from, kind: found[4], gate });
}

// Number everything and look up what stands where.
function finished(dungeon, sections, gates, badInput) {
  const order = (gate) => (gate.tiles.length ? Math.min(...gate.tiles) : dungeon.terrain.length);
  const all = [...gates.values()].filter((gate) => gate.tiles.length || dungeon.ways.some((way) => way.gate === gate));
  dungeon.gates = all.sort((a, b) => order(a) - order(b));
  for (const way of dungeon.ways) way.gate = way.gate === null ? null : dungeon.gates.indexOf(way.gate);
  sortBy(dungeon.ways, ({ from, to, kind, gate }) => [from, to, kind, gate ?? -1]);
  sortBy(dungeon.pickups, ({ place, kind, name, written, whenText, renews }) => [place, kind, name, written, whenText ?? "", renews]);
  dungeon.gateAt = new Map();
  for (const [number, gate] of dungeon.gates.entries()) for (const tile of gate.tiles) dungeon.gateAt.set(tile, [...(dungeon.gateAt.get(tile) ?? []), number]);
  if (dungeon.start === undefined || !dungeon.goals.size) badInput("expected a start and a goal");
  sortBy(dungeon.switches, ({ place, name, held, lever, sets }) => [place, name, held ? "held" : lever ? "lever" : "plate", sets ?? ""]);
  for (const { name } of dungeon.switches) dungeon.dials.set(name, ["off", "on"]);
  for (const line of sections.switches) {
    const [name, states] = line.split("=");
    dungeon.dials.set(unquoted(name), split(states, ",").map(unquoted));
  }
  dungeon.heldNames = new Set(dungeon.switches.filter(({ held }) => held).map(({ name }) => name));
  dungeon.waysFrom = groupNumbers(dungeon.ways, ({ from }) => [from]);
  dungeon.pickupsAt = groupNumbers(dungeon.pickups, ({ place }) => [place]);
  for (const lever of dungeon.switches) if (lever.lever) lever.reach = reachOf(dungeon, lever, badInput);
  dungeon.leversFrom = groupNumbers(dungeon.switches, ({ reach }) => [...(reach ?? [])]);
  return dungeon;
}

// Sort a list by the first of several values that differs.
function sortBy(list, valuesOf) {
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  list.sort((one, other) => valuesOf(one).reduce((order, value, place) => order || compare(value, valuesOf(other)[place]), 0));
}

function groupNumbers(list, placesOf) {
  const found = new Map();
  for (const [number, one] of list.entries()) for (const place of placesOf(one)) found.set(place, [...(found.get(place) ?? []), number]);
  return found;
}

// The places that a lever can be worked from.
function reachOf(dungeon, { place, from }, badInput) {
  if (from !== null && from !== "sight") return new Set(split(from, ";").map((text) => readPlace(dungeon, text, badInput)));
  const reach = isSolid(dungeon, place) ? [] : [place];
  for (const step of Object.values(DIRECTIONS)) {
    let at = placeBeside(dungeon, place, ...step);
    while (at !== undefined && dungeon.terrain[at] !== "#") {
      if (!isSolid(dungeon, at)) reach.push(at);
      if (from !== "sight" || dungeon.gateAt.has(at)) break;
      at = placeBeside(dungeon, at, ...step);
    }
  }
  return new Set(reach);
}

// A requirement as a tree: {is: "not", part}, {is: "all" or "any", parts}, or a single fact.
function readRequirement(text, badInput) {
  const tokens = text.match(/"[^"]*"|&&?|\|\|?|>=|=>|<=|=<|!=|==?|[<>≥≤≠∧∨¬!()]|[^\s"&|<>=!()≥≤≠∧∨¬]+/g) ?? [];
  let next = 0;
  const accept = (...words) => words.includes(tokens[next]) && ++next > 0;
  const list = (is, read, ...words) => {
    const parts = [read()];
    while (accept(...words)) parts.push(read());
    return parts.length === 1 ? parts[0] : { is, parts };
  };
  const either = () => list("any", both, "|", "||", "or", "∨");
  const both = () => list("all", single, "&", "&&", "and", "∧");
  const single = () => {
    if (accept("!", "not", "¬")) return { is: "not", part: single() };
    if (accept("(")) {
      const inner = either();
      if (!accept(")")) badInput(`requirement: expected ) in ${text}`);
      return inner;
    }
    return fact();
  };
  const words = (...ends) => {
    const found = [];
    while (next < tokens.length && !/^([&|<>=!()≥≤≠∧∨¬]+|and|or)$/.test(tokens[next]) && !ends.includes(tokens[next])) found.push(tokens[next++]);
    if (!found.length) badInput(`requirement: expected a name in ${text}`);
    return found;
  };
  const fact = () => {
    if (accept("always")) return { is: "always" };
    if (accept("never")) return { is: "never" };
    if (accept("cleared")) return { is: "cleared", name: unquoted(words().join(" ")) };
    if (accept("switch")) {
      const name = unquoted(words("is").join(" "));
      let [isNot, state] = [false, "on"];
      if (accept("is")) isNot = accept("not");
      else if (accept("!=", "≠")) isNot = true;
      else if (!accept("=", "==")) return { is: "switch", name, state };
      state = unquoted(words().join(" "));
      const found = { is: "switch", name, state };
      return isNot ? { is: "not", part: found } : found;
    }
    const found = words();
    let count = 1;
    if (found.length > 1 && /^\d+$/.test(found[0])) {
      count = Number(found.shift());
      if (found[0] === "of") found.shift();
    }
    const what = whatOf(found);
    const sign = tokens[next];
    if (!/^([<>]=?|=[<>]|==?|!=|[≥≤≠])$/.test(sign ?? "")) return atLeast(what, count);
    next++;
    const number = Number(tokens[next++]);
    if (!Number.isInteger(number)) badInput(`requirement: expected a number after ${sign} in ${text}`);
    const fewer = (limit) => ({ is: "not", part: atLeast(what, limit) });
    if ([">=", "=>", "≥"].includes(sign)) return atLeast(what, number);
    if (sign === ">") return atLeast(what, number + 1);
    if (sign === "<") return fewer(number);
    if (["<=", "=<", "≤"].includes(sign)) return fewer(number + 1);
    const exactly = { is: "all", parts: [atLeast(what, number), fewer(number + 1)] };
    return sign === "!=" || sign === "≠" ? { is: "not", part: exactly } : exactly;
  };
  const found = either();
  if (next < tokens.length) badInput(`requirement: ${tokens[next]} is not expected in ${text}`);
  return found;
}

function atLeast(what, count) {
  return count > 0 ? { ...what, count } : { is: "always" };
}

function whatOf(words) {
  const last = words.at(-1);
  if (last === "key" || last === "keys") return { is: "key", name: unquoted(words.slice(0, -1).join(" ")) };
  if (words.length === 1 && (last === "bombs" || last === "bomb")) return { is: "bombs", name: "" };
  return { is: "item", name: unquoted(words.join(" ")) };
}

export { check };
