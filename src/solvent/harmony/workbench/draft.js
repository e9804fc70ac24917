// A board while it is drawn: it may have cells without a tile and rows without a colour. Colours go by their names. Drafts
// are never changed in place: {rows, cols, palette: names, targets: a name or null for each row, colours: a name or null
// for each cell, moves: a number for each cell}.

import { count } from "/static/format.js";
import { rowLetter } from "./cells.js";

export const MOST_ROWS = 26;
export const MOST_COLS = 99;
export const MOST_MOVES = 999;
const MOST_REMARKS = 5;

export function fromPage({ rows, cols, palette, targets, colours, moves }) {
  const names = palette.map(({ name }) => name);
  return { rows, cols, palette: names, targets: targets.map((colour) => names[colour]), colours: colours.map((colour) => names[colour]), moves: [...moves] };
}

// What the server is sent of a draft that is finished.
export const asAction = ({ rows, cols, targets, colours, moves }) => ({ rows, cols, targets, colours, moves });

// A draft in the form that a board is drawn from; `paints` has a paint for each name.
export function asPage({ rows, cols, palette, targets, colours, moves }, paints) {
  const index = new Map(palette.map((name, number) => [name, number]));
  const number = (name) => (name === null ? null : index.get(name));
  return { rows, cols, palette: palette.map((name) => paints(name)), targets: targets.map(number), colours: colours.map(number), moves };
}

export function emptied(draft) {
  return { ...draft, colours: draft.colours.map(() => null), moves: draft.moves.map(() => 0) };
}

export function solved(draft) {
  return { ...draft, colours: draft.colours.map((_, cell) => draft.targets[Math.floor(cell / draft.cols)]), moves: draft.moves.map(() => 0) };
}

export const isEmpty = (draft) => draft.colours.every((name) => name === null);

// What a brush does to cells: {colour: a name, or null to take tiles off} or {add: a number of moves}.
export function brushed(draft, cells, brush) {
  const [colours, moves] = [[...draft.colours], [...draft.moves]];
  for (const cell of cells) {
    if ("add" in brush) {
      if (colours[cell] !== null) moves[cell] = Math.max(0, Math.min(MOST_MOVES, moves[cell] + brush.add));
      continue;
    }
    colours[cell] = brush.colour;
    if (brush.colour === null) moves[cell] = 0;
  }
  return { ...draft, colours, moves };
}

export function withMoves(draft, cell, number) {
  return { ...draft, moves: draft.moves.toSpliced(cell, 1, Math.min(MOST_MOVES, number)) };
}

export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// Another size; what fits stays. New cells have a tile that is home, unless some cells have none at all. `spare(taken)`
// returns the name of a colour for one more row.
export function resized(draft, rows, cols, spare) {
  const palette = [...draft.palette];
  const targets = draft.targets.slice(0, rows);
  while (targets.length < rows) {
    const idle = palette.find((name) => !targets.includes(name));
    if (idle === undefined) palette.push(spare(palette));
    targets.push(idle ?? palette.at(-1));
  }
  const fills = draft.colours.every((name) => name !== null);
  const places = Array.from({ length: rows * cols }, (_, cell) => [Math.floor(cell / cols), cell % cols]);
  const old = ([row, col]) => (row < draft.rows && col < draft.cols ? row * draft.cols + col : null);
  const colours = places.map((place) => (old(place) !== null ? draft.colours[old(place)] : fills ? targets[place[0]] : null));
  const moves = places.map((place) => (old(place) !== null ? draft.moves[old(place)] : 0));
  const gone = draft.targets.slice(rows).filter((name) => !targets.includes(name) && !colours.includes(name));
  return { rows, cols, palette: palette.filter((name) => !gone.includes(name)), targets, colours, moves };
}

export const withColour = (draft, name) => ({ ...draft, palette: [...draft.palette, name] });

// Without a colour: its tiles go, and a row that wants it wants none.
export function withoutColour(draft, name) {
  const cells = draft.colours.flatMap((each, cell) => (each === name ? [cell] : []));
  const rest = brushed(draft, cells, { colour: null });
  return { ...rest, palette: draft.palette.filter((each) => each !== name), targets: draft.targets.map((each) => (each === name ? null : each)) };
}

export function renamed(draft, from, to) {
  const change = (name) => (name === from ? to : name);
  return { ...draft, palette: draft.palette.map(change), targets: draft.targets.map(change), colours: draft.colours.map(change) };
}

// Let a row want a colour; a row that wants it already takes this one's in exchange.
export function retargeted(draft, row, name) {
  const before = draft.targets[row];
  return { ...draft, targets: draft.targets.map((each, at) => (at === row ? name : each === name ? before : each)) };
}

export function tally(draft) {
  const counts = new Map(draft.palette.map((name) => [name, 0]));
  for (const name of draft.colours) if (name !== null) counts.set(name, counts.get(name) + 1);
  return counts;
}

// What is still to be done before it is a board, in words; nothing if it is one.
export function missing(draft) {
  const bare = draft.colours.filter((name) => name === null).length;
  const rows = draft.targets.flatMap((name, row) => (name === null ? [rowLetter(row)] : []));
  return [
    bare === draft.colours.length ? "no cell has a tile yet" : bare ? `${count(bare, "cell")} ${bare === 1 ? "has" : "have"} no tile` : null,
    rows.length ? `${rows.length === 1 ? "row" : "rows"} ${rows.join(", ")} ${rows.length === 1 ? "wants" : "want"} no colour` : null,
  ].filter(Boolean);
}

// What counting shows to be wrong with it, in sentences: all of it, while a verdict gives one reason.
export function remarks(draft) {
  const counts = tally(draft);
  const found = [...counts].flatMap(([name, tiles]) => {
    const shown = name.toLowerCase();
    if (!draft.targets.includes(name)) return tiles ? [`No row wants ${shown}, and ${count(tiles, "tile")} ${tiles === 1 ? "is" : "are"} ${shown}.`] : [];
    const more = draft.cols - tiles;
    if (more === 0 || isEmpty(draft)) return [];
    return [`${more > 0 ? `${count(more, `${shown} tile`)} to go` : `${count(-more, `${shown} tile`)} too many`}: a row has ${count(draft.cols, "cell")}.`];
  });
  const total = draft.moves.reduce((sum, each) => sum + each, 0);
  if (total % 2) found.push(`The moves add up to ${total.toLocaleString("en")}, an odd number: each swap uses two.`);
  const rest = found.length - MOST_REMARKS;
  return rest > 1 ? [...found.slice(0, MOST_REMARKS), `And ${rest} more.`] : found;
}
