// How runs and what came of them are marked, always with a sign and a word.

import { button, h } from "../dom.js";
import { figure } from "../format.js";

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

export function kindBadge(kind, certified = true) {
  const [sign, word] = KINDS[kind];
  return h(
    "span",
    { class: `verdict kind-${kind.toLowerCase()} ${kind.toLowerCase()}`, title: (kind === "YES" || kind === "NO") && !certified ? "without a certificate" : null },
    h("span", { "aria-hidden": "true" }, sign),
    ` ${word}`,
  );
}

export function stateBadge(state) {
  const [sign, word] = STATES[state];
  return h("span", { class: `state ${state}` }, h("span", { "aria-hidden": "true" }, sign), ` ${word}`);
}

// How many of each kind; with `choose`, each is a button that calls it.
export function counts(verdicts, choose = null) {
  return h(
    "span",
    { class: "counts" },
    Object.entries(KINDS)
      .filter(([kind]) => verdicts[kind])
      .map(([kind, [sign, word]]) => {
        const label = [h("span", { "aria-hidden": "true" }, sign), ` ${figure(verdicts[kind])} ${word}`];
        const given = { class: `count ${kind.toLowerCase()}` };
        return choose ? button(label, () => choose(kind), given) : h("span", given, label);
      }),
  );
}
