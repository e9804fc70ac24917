// Places of a dungeon: a place is a number; floors follow each other.

const DIRECTIONS = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };
const ONE_WAYS = { "^": "N", ">": "E", v: "S", "<": "W" };

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

export { covers, DIRECTIONS, groups, isInRoom, isNumbers, isObject, isSolid, isSorted, isSubset, numbersOf, ONE_WAYS, placeBeside, placeNumber };
