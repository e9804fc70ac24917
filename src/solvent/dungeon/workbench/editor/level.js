// What the page knows of the dungeon it edits: the ground, what stands where, and words for both.

const LETTERS = { floor: ".", wall: "#", nothing: " ", water: "~", "one-way north": "^", "one-way east": ">", "one-way south": "v", "one-way west": "<" };
const WORDS = Object.fromEntries(Object.entries(LETTERS).map(([word, letter]) => [letter, word]));
const MOST_FILLED = 40_000;

export const isTerrain = (word) => word in LETTERS;
export const keyOf = (place) => place.join(",");

export class Level {
  constructor(level) {
    Object.assign(this, level);
    this.rows = level.floors.map((floor) => floor.rows.map((row) => [...row]));
    this.at = new Map();
    for (const thing of level.things) for (const place of thing.at) this.#add(place, thing);
    for (const way of level.ways) for (const place of [way.from, way.to]) this.#add(place, { what: "way", word: way.kind, words: way.kind, ...way, at: [way.from, way.to] });
  }

  #add(place, thing) {
    const key = keyOf(place);
    if (!this.at.has(key)) this.at.set(key, []);
    this.at.get(key).push(thing);
  }

  has([floor, row, column]) {
    return this.rows[floor]?.[row]?.[column] !== undefined;
  }

  terrain([floor, row, column]) {
    return WORDS[this.rows[floor][row][column]];
  }

  on(place) {
    return this.at.get(keyOf(place)) ?? [];
  }

  // Lay ground here as well, before the server has answered.
  lay(places, word) {
    for (const [floor, row, column] of places) this.rows[floor][row][column] = LETTERS[word];
  }

  name([floor, row, column]) {
    const where = `row ${row}, column ${column}`;
    return this.floors.length > 1 ? `${this.floors[floor].name}, ${where}` : where;
  }

  describe(place) {
    const words = this.on(place).map((thing) => (thing.what === "way" ? `${thing.kind} ${thing.both ? "to and from" : keyOf(thing.from) === keyOf(place) ? "to" : "from"} ${this.name(keyOf(thing.from) === keyOf(place) ? thing.to : thing.from)}` : thing.words));
    const room = this.rooms.find(({ corner, height, width }) => corner[0] === place[0] && place[1] >= corner[1] && place[1] < corner[1] + height && place[2] >= corner[2] && place[2] < corner[2] + width);
    return `${this.name(place)}: ${[this.terrain(place), ...words].join(", ")}${room ? ` (${room.name})` : ""}`;
  }

  // The tiles of one ground that lie together with a tile.
  area([floor, row, column]) {
    const wanted = this.rows[floor][row][column];
    const found = [[floor, row, column]];
    const seen = new Set([keyOf(found[0])]);
    for (const [, r, c] of found) {
      for (const near of [[floor, r - 1, c], [floor, r + 1, c], [floor, r, c - 1], [floor, r, c + 1]]) {
        if (found.length >= MOST_FILLED || seen.has(keyOf(near)) || this.rows[floor][near[1]]?.[near[2]] !== wanted) continue;
        seen.add(keyOf(near));
        found.push(near);
      }
    }
    return found;
  }

  get switchNames() {
    return this.switches.map((each) => each.name);
  }

  // What works a switch: plates, held plates, levers, in the words of the palette.
  sortsOf(name) {
    return this.things.filter((thing) => thing.what === "switch" && thing.names[0] === name).map((thing) => thing.word);
  }

  // The names that things of some kinds have, such as the colours of keys and locks.
  namesOf(...words) {
    return [...new Set([...this.at.values()].flat().filter((thing) => words.includes(thing.word)).flatMap((thing) => thing.names ?? []))].sort();
  }
}

// The tiles of a straight line from one to another, the first left out.
export function line([floor, row, column], to) {
  if (to[0] !== floor) return [to];
  const steps = Math.max(Math.abs(to[1] - row), Math.abs(to[2] - column));
  return Array.from({ length: steps }, (_, index) => [floor, row + Math.round(((to[1] - row) * (index + 1)) / steps), column + Math.round(((to[2] - column) * (index + 1)) / steps)]);
}

// The rectangle with two tiles in its corners: {corner, height, width}.
export function rectangle(one, other) {
  const [top, left] = [Math.min(one[1], other[1]), Math.min(one[2], other[2])];
  return { corner: [one[0], top, left], height: Math.abs(one[1] - other[1]) + 1, width: Math.abs(one[2] - other[2]) + 1 };
}

export function tilesIn({ corner: [floor, top, left], height, width }) {
  return Array.from({ length: height * width }, (_, index) => [floor, top + Math.floor(index / width), left + (index % width)]);
}

export function isIn({ corner: [floor, top, left], height, width }, place) {
  return place[0] === floor && place[1] >= top && place[1] < top + height && place[2] >= left && place[2] < left + width;
}
