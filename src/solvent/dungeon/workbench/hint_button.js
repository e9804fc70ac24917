// The next step on the way to the goal, with what to be careful of.

import { button, h } from "/static/dom.js";
import { trail } from "./trail.js";

export function hinting(page) {
  const { bench } = page;
  return button("Hint", async () => {
    const base = bench.loaded;
    const found = await bench.work("hints", "Looking for the next step…", { seconds: 20 });
    const [hint] = found?.hints ?? [];
    if (!hint) return;
    const { highlights, moves } = hint.data;
    const [said, ...warnings] = hint.narrative.split("\n").flatMap((line) => (line.startsWith("Careful!") ? [line] : [line]));
    const isHere = () => bench.loaded.text === base.text;
    const take = button("Do it", () => isHere() && page.walking.act({ do: "walk", moves }), { class: "primary" });
    const card = h(
      "article",
      { class: hint.lost ? "card hint trouble" : "card hint" },
      h("header", {}, h("strong", {}, hint.caption)),
      hint.where ? h("p", { class: "quiet" }, hint.where) : null,
      said ? h("p", {}, said) : null,
      warnings.filter(Boolean).map((line) => h("p", { class: "warning" }, h("span", { "aria-hidden": "true" }, "⚠ "), line)),
      h(
        "div",
        { class: "row" },
        moves?.length ? take : null,
        hint.data.take_back ? button(`Take back ${hint.data.take_back} move${hint.data.take_back === 1 ? "" : "s"}`, () => isHere() && page.walking.act({ do: "back", to: hint.data.lost_by - 1 }), { class: "primary" }) : null,
      ),
    );
    bench.answers.prepend(card);
    if (!highlights || !isHere()) return;
    page.playback?.close();
    page.marks.hint(highlights);
    page.map.clear("lines");
    page.map.line(trail(highlights.path, (place) => page.map.middle(place), page.map.picture.paints.plan, { width: Math.max(3, 2.4 / page.map.picture.scale) }));
  });
}
