// How verdicts and runs are marked, always with a sign and a word. Colours follow PASS and FAIL, what a designer hopes for:
// a softlock is a FAIL, whatever the word for it is.

import { button, h } from "./dom.js";
import { figure } from "./format.js";

export const OUTCOMES = {
  PASS: ["✓", "PASS"],
  FAIL: ["✗", "FAIL"],
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

const isVerdict = (kind) => kind === "YES" || kind === "NO";
const signed = ([sign, word]) => [h("span", { "aria-hidden": "true" }, sign), ` ${word}`];

export function statusBadge({ status, verdict, certified = true }) {
  const title = isVerdict(verdict) && !certified ? "without a certificate" : null;
  return h("span", { class: `verdict ${status.toLowerCase()}`, title }, signed(OUTCOMES[status]));
}

// For a question that is hoped to be YES.
export const verdictBadge = (kind) => h("span", { class: `verdict ${kind.toLowerCase()}` }, signed(isVerdict(kind) ? [kind === "YES" ? "✓" : "✗", kind] : OUTCOMES[kind]));

// The same with the verdict itself beside it, where many questions stand in one list.
export function outcomeBadge(outcome, kind, certified = true) {
  const badge = statusBadge({ status: outcome, verdict: kind, certified });
  return isVerdict(kind) ? [badge, " ", h("span", { class: "word quiet" }, kind)] : badge;
}

// What a verdict about a question of a domain is to its designer; `passing` says which verdict passes.
export const outcomeOf = (kind, passing = "YES") => (isVerdict(kind) ? (kind === passing ? "PASS" : "FAIL") : kind);

export const stateBadge = (state) => h("span", { class: `state ${state}` }, signed(STATES[state]));

// How many there are of each outcome; with `choose`, each is a button that calls it. `verdicts` are the words that stand
// for an outcome of one question.
export function counts(numbers, { choose = null, verdicts = {} } = {}) {
  return h(
    "span",
    { class: "counts" },
    Object.entries(OUTCOMES)
      .filter(([outcome]) => numbers[outcome])
      .map(([outcome, [sign, word]]) => {
        const label = [signed([sign, `${figure(numbers[outcome])} ${word}`]), verdicts[outcome] ? ` (${verdicts[outcome]})` : null].flat();
        const given = { class: `count ${outcome.toLowerCase()}` };
        return choose ? button(label, () => choose(outcome), given) : h("span", given, label);
      }),
  );
}
