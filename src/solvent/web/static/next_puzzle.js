// What to solve next: another example, easier ones first; when all are solved, or after a puzzle that was made, a new one.

import { work } from "./api.js";
import { exampleKey, examples, madeName, madeTitle, readMade } from "./puzzle_names.js";
import { linkTo } from "./share.js";
import { allSolved } from "./solved_store.js";

// Whether there is anything to come after the puzzles of this domain.
export const hasNext = (domain) => domain.can.includes("generate");

// Return the address of the next puzzle after the one with this key. `run(label, work)` runs long work with a bar; null
// comes back if that was stopped.
export async function nextPuzzle(bench, key, run) {
  const { domain, name } = bench;
  const made = readMade(domain, name);
  const example = made ? null : nextExample(await examples(), domain, key);
  if (example) return `#/example/${domain.name}/${encodeURIComponent(example.name)}`;
  if (!hasNext(domain)) return "#/";
  const { options, seed } = unsolvedSeed(domain, made ?? { options: {}, seed: 0 });
  const loaded = await run("Making it…", (signal, progress) => work("generate", { domain: domain.name, seed, options }, { signal, on: { progress } }));
  return loaded && linkTo(domain.name, loaded.text, { name: madeName(domain, options, seed), title: madeTitle(domain, loaded, seed) });
}

// The first unsolved one after the current; from the beginning after the last.
function nextExample(all, domain, key) {
  const [question] = Object.keys(domain.questions);
  const can = all.filter((each) => each.domain === domain.name && (each.expected[question] ?? domain.passing[question]) === domain.passing[question]);
  const ordered = can.map((each, place) => [each.grade?.number ?? place / can.length, place, each]).sort(([a, i], [b, j]) => a - b || i - j).map(([, , each]) => each);
  const at = ordered.findIndex((each) => exampleKey(each) === key);
  const solved = allSolved();
  return [...ordered.slice(at + 1), ...ordered.slice(0, Math.max(0, at))].find((each) => !(exampleKey(each) in solved));
}

function unsolvedSeed(domain, { options, seed }) {
  const solved = allSolved();
  let next = seed + 1;
  while (`${domain.name}/${madeName(domain, options, next)}` in solved) next++;
  return { options, seed: next };
}
