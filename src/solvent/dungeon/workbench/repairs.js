// Fixes of an explanation: each can be put to use, and what it promises is asked again on the spot.

import { statusBadge } from "/static/badges.js";
import { button, h, show } from "/static/dom.js";
import { capital } from "/static/format.js";

// What is asked again, in a designer's words, and which verdict passes.
const CLAIMS = { solvable: ["Can be finished", "YES"], losable: ["Can be lost", "NO"] };

const statusOf = (verdict, passing) => (verdict === "UNKNOWN" ? "UNKNOWN" : verdict === passing ? "PASS" : "FAIL");

// `apply(fix)` changes the dungeon and returns whether it did; `point(fix)` shows where that would be. What came of a
// fix is a card of its own: the list is about the dungeon before it.
export function fixList(bench, { fixes, ...before }, { apply, point }) {
  return h(
    "ol",
    { class: "fixes" },
    fixes.map((fix) => {
      const use = async () => {
        if (!(await apply(fix))) return;
        const result = h("div", { class: "after", role: "status" }, h("p", { class: "quiet" }, "Changed. Asking again…"));
        const card = h("article", { class: "card fixed", "aria-label": "What the fix changed" }, h("p", {}, h("strong", {}, "Fixed: "), `${fix.words}.`), result, h("p", { class: "quiet" }, "Undo takes the change back."));
        bench.cards.add(card, bench.loaded.text, bench.loaded.text);
        const answer = await bench.ask(fix.question, { showIt: false });
        if (!answer) return show(result, h("p", { class: "quiet" }, "Changed. It was not asked again."));
        const [claim, passing] = CLAIMS[fix.question];
        const was = { verdict: before[fix.question], status: statusOf(before[fix.question], passing) };
        show(result, h("p", { class: "row" }, h("span", {}, `${claim}: `), statusBadge(was), h("span", { "aria-label": "becomes" }, "→"), statusBadge(answer), answer.certified ? h("span", { class: "checked" }, "✓ checked") : null));
      };
      return h(
        "li",
        {},
        h("span", {}, `${capital(fix.words)}.`),
        h("div", { class: "row" }, button("Apply and re-check", use, { class: "primary" }), button("Show where", () => point(fix))),
      );
    }),
  );
}
