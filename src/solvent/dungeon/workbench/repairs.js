// Mends of an explanation: each can be put to use, and what it promises is asked again on the spot.

import { verdictBadge } from "/static/badges.js";
import { button, h, show } from "/static/dom.js";
import { capital } from "/static/format.js";

const ASKS = { solvable: "Can it be finished?", losable: "Can it be lost?" };

// `apply(mend)` changes the dungeon and returns whether it did; `point(mend)` shows where that would be.
export function mendList(bench, { mends, ...before }, { apply, point }) {
  return h(
    "ol",
    { class: "mends" },
    mends.map((mend) => {
      const after = h("div", { class: "after", role: "status" });
      const use = async () => {
        if (!(await apply(mend))) return;
        show(after, h("p", { class: "quiet" }, "Changed. Asking again…"));
        const answer = await bench.ask(mend.question, { showIt: false });
        if (!answer) return show(after, h("p", { class: "quiet" }, "Changed. It was not asked again."));
        show(
          after,
          h("p", {}, h("strong", {}, ASKS[mend.question])),
          h("p", { class: "row" }, "Before ", verdictBadge(before[mend.question]), " → now ", verdictBadge(answer.verdict), answer.certified ? h("span", { class: "checked" }, "✓ checked") : null),
          h("p", { class: "quiet" }, "Undo takes the change back."),
        );
        return bench.showAnswer(answer);
      };
      return h(
        "li",
        {},
        h("span", {}, `${capital(mend.words)}.`),
        h("div", { class: "row" }, button("Apply and re-check", use, { class: "primary" }), button("Show where", () => point(mend))),
        after,
      );
    }),
  );
}
