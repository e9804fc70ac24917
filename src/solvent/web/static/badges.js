// How verdicts and runs are marked, always with a sign and a word.

import { button, h } from "./dom.js";
import { figure } from "./format.js";

export const KINDS = {
  YES: ["✓", "YES"],
  NO: ["✗", "NO"],
  UNKNOWN: ["?", "UNKNOWN"],
  ERROR: ["!", "error"],
  UNREAD: ["⊘", "not readable"],
  UNASKED: ["…", "not asked yet"],
  UNRECOGNISED: ["–", "not recognised"],
};

const STATES = {
  running: ["▶", "running"],
  finished: ["■", "finished"],
  interrupted: ["❚❚", "interrupted"],
  stopped: ["▧", "stopped early"],
};

const signed = ([sign, word]) => [h("span", { "aria-hidden": "true" }, sign), ` ${word}`];

export function verdictBadge(kind, certified = true) {
  const title = ["YES", "NO"].includes(kind) && !certified ? "without a certificate" : null;
  return h("span", { class: `verdict ${kind.toLowerCase()}`, title }, signed(KINDS[kind]));
}

export const stateBadge = (state) => h("span", { class: `state ${state}` }, signed(STATES[state]));

// How many of each kind; with `choose`, each is a button that calls it.
export function counts(verdicts, choose = null) {
  return h(
    "span",
    { class: "counts" },
    Object.entries(KINDS)
      .filter(([kind]) => verdicts[kind])
      .map(([kind, [sign, word]]) => {
        const label = signed([sign, `${figure(verdicts[kind])} ${word}`]);
        const given = { class: `count ${kind.toLowerCase()}` };
        return choose ? button(label, () => choose(kind), given) : h("span", given, label);
      }),
  );
}
