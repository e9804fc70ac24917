// Dungeons read from the text format, as dungeon-formats.md states it.

import { DIRECTIONS, isObject, isSolid, placeBeside, placeNumber } from "./places.js";
import { cut, readRequirement, split, unquoted } from "./requirements.js";

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

export { readDungeon, sameRules };
