// What a puzzle is known by, so that it is the same one after reloading, sharing and saving: the name of an example, the
// options and the seed it was made from, or the day it is for. Any other is known by its text.

import { get } from "./api.js";
import { capital } from "./format.js";

let listed = null;
export function examples() {
  listed ??= get("/api/examples").catch((error) => {
    listed = null;
    throw error;
  });
  return listed;
}

// "the ledge: jump down too soon …" is a name and what it shows. Hints for the command are not for a page.
export function split(title) {
  const [name, ...rest] = plain(title).split(": ");
  return [name, capital(rest.join(": "))];
}

export const plain = (title) => title.replace(/ \([^)]*--[^)]*\)/g, "");

// The name of what a generator makes, from the options that are not the usual ones: "made-size-8-stars-1-seed-7.txt".
export function madeName({ generate_options: known }, options, seed) {
  const isUsual = (name, value) => value === null || value === (known.find((option) => option.name === name)?.default ?? "");
  const parts = Object.entries(options).filter(([name, value]) => !isUsual(name, value));
  return `made-${[...parts, ["seed", seed]].map(([name, value]) => `${name}-${String(value).replaceAll("-", "_")}`).join("-")}.txt`;
}

// The options and the seed in such a name; null if it is none.
export function readMade({ generate_options: known }, name) {
  const words = /^made-(.*-)?seed-(\d+)\.txt$/.exec(name);
  if (!words) return null;
  const options = {};
  for (const { name: option, type } of known) {
    const found = new RegExp(`(?:^|-)${option}-([^-]+)-`).exec(words[1] ?? "");
    if (!found) continue;
    const value = found[1].replaceAll("_", "-");
    options[option] = { int: Number, float: Number, bool: (text) => text === "true" }[type]?.(value) ?? value;
  }
  return { options, seed: Number(words[2]) };
}

// What people read above a puzzle that was made: its own name, or what it is and its size.
export function madeTitle(domain, { page }, seed) {
  const [kind] = split(domain.title);
  const own = page?.title ?? "";
  return `${/^\p{L}/u.test(own) ? capital(own) : `${kind} ${own}`.trim()}, seed ${seed}`;
}

export const exampleKey = ({ domain, name }) => `${domain}/${name}`;

// Something that stays the same for the puzzle on a bench; `text` is how it began.
export async function puzzleKey({ domain, name, title }, text) {
  const known = await examples().catch(() => []);
  const example = known.find((each) => each.domain === domain.name && `${each.name}.txt` === name && (!title || title === each.title));
  if (example) return exampleKey(example);
  if (/^(made|daily)-/.test(name)) return `${domain.name}/${name}`;
  return `${domain.name}/#${await digest(text)}`;
}

async function digest(text) {
  const bytes = new TextEncoder().encode(text);
  if (!crypto.subtle) return `${bytes.length}-${bytes.reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7)}`; // not a safe context
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(found.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

