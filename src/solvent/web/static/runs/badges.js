// How runs and what came of them are marked, always with a sign and a word.

import { h } from "../dom.js";
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

// How many of each kind; with `choose`, each is a button that is told its kind.
export function counts(verdicts, choose = null) {
  return h(
    "span",
    { class: "counts" },
    Object.entries(KINDS)
      .filter(([kind]) => verdicts[kind])
      .map(([kind, [sign, word]]) => {
        const said = [h("span", { "aria-hidden": "true" }, sign), ` ${figure(verdicts[kind])} ${word}`];
        if (!choose) return h("span", { class: `count ${kind.toLowerCase()}` }, said);
        return h("button", { type: "button", class: `count ${kind.toLowerCase()}`, onclick: () => choose(kind) }, said);
      }),
  );
}
