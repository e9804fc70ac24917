// Which puzzles were solved in this browser, and how fast. Nothing of it leaves the browser.

import { h } from "./dom.js";
import { clock } from "./timer.js";
import { keep, recall } from "./storage.js";

const STORE = "solvent.solved";

export const allSolved = () => recall(STORE, {});

// {best, hints, times, at} of a puzzle, or null.
export const solvedRecord = (key) => allSolved()[key] ?? null;

// Note that a puzzle was solved; returns what is known of it now, with `before`, the best time until now.
export function noteSolved(key, { seconds, hints }) {
  const all = allSolved();
  const before = all[key] ?? null;
  const isBest = before === null || seconds < before.best;
  all[key] = { best: isBest ? seconds : before.best, hints: isBest ? hints : before.hints, times: (before?.times ?? 0) + 1, at: Date.now() };
  keep(STORE, all);
  return { ...all[key], before: before?.best ?? null };
}

// A mark for what was solved, to stand on a card; null for what was not.
export function solvedMark(key, all = allSolved()) {
  const record = all[key];
  if (!record) return null;
  return h("span", { class: "solved-mark" }, h("span", { "aria-hidden": "true" }, "✓ "), h("span", { class: "hidden" }, "solved in "), clock(record.best));
}
