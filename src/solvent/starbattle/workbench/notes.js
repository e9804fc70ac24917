// What a player notes on cells beside the marks: a dot, a small circle, a colour. Notes belong to the player, not to the
// puzzle: they are kept in this browser, for each board by itself, and go with the steps that undo takes back.

import { keep, recall } from "/static/storage.js";

export const DOT = 1;
export const CIRCLE = 2;
export const COLOURS = ["yellow", "green", "blue", "red", "purple", "grey"]; // numbered from 1; 0 is none
const KEPT = "solvent.starbattle.notes.";

export const none = (page) => ({ signs: Array(page.size ** 2).fill(0), colours: Array(page.size ** 2).fill(0) });
export const isEmpty = ({ signs, colours }) => !signs.some(Boolean) && !colours.some(Boolean);

// Return the notes after a pen went over cells: {sign} or {colour}; `on` false takes it off.
export function noted(notes, cells, { sign = 0, colour = 0 }, on) {
  const [signs, colours] = [[...notes.signs], [...notes.colours]];
  for (const cell of cells) {
    if (sign) signs[cell] = on ? signs[cell] | sign : signs[cell] & ~sign;
    else colours[cell] = on ? colour : 0;
  }
  return { signs, colours };
}

export function cleared(notes, cells) {
  const gone = new Set(cells);
  const wipe = (values) => values.map((value, cell) => (gone.has(cell) ? 0 : value));
  return { signs: wipe(notes.signs), colours: wipe(notes.colours) };
}

export const has = (notes, cell, { sign, colour }) => (sign ? Boolean(notes.signs[cell] & sign) : notes.colours[cell] === colour);

export function describe({ signs, colours }, cell) {
  const words = [signs[cell] & DOT ? "dot" : "", signs[cell] & CIRCLE ? "circle" : "", colours[cell] ? COLOURS[colours[cell] - 1] : ""];
  return words.filter(Boolean).map((word) => `, ${word}`).join("");
}

export function recallNotes(page) {
  const kept = recall(KEPT + keyOf(page), null);
  const fits = (values) => Array.isArray(values) && values.length === page.size ** 2;
  return kept && fits(kept.signs) && fits(kept.colours) ? kept : none(page);
}

export function keepNotes(page, notes) {
  keep(KEPT + keyOf(page), isEmpty(notes) ? null : notes);
}

// A short name for a board, whatever is marked on it.
function keyOf({ size, stars, regions }) {
  let [one, other] = [size * 31 + stars, 7];
  for (const region of regions) {
    one = (one * 33 + region + 1) % 4294967291;
    other = (other * 37 + region + 1) % 4294967279;
  }
  return `${size}.${stars}.${one.toString(36)}${other.toString(36)}`;
}
