// The next step on the way to the goal, with what to be careful of.

import { hintCard } from "/static/answer_card.js";
import { button } from "/static/dom.js";
import { count } from "/static/format.js";
import { trail } from "./trail.js";

export function hintButton(page) {
  const { bench } = page;
  return button("Hint", async () => {
    const base = bench.loaded;
    const found = await bench.work("hints", "Looking for the next step…", { seconds: 20 });
    const [hint] = found?.hints ?? [];
    if (!hint) return;
    const { highlights, moves, take_back: steps, lost_by: lostBy } = hint.data;
    const isHere = () => bench.loaded.text === base.text;
    const action = (label, play) => button(label, () => isHere() && bench.play(play), { class: "primary" });
    bench.answers.prepend(
      hintCard(
        hint,
        moves?.length ? action("Do it", { do: "walk", moves }) : null,
        steps ? action(`Take back ${count(steps, "move")}`, { do: "back", to: lostBy - 1 }) : null,
      ),
    );
    if (!highlights || !isHere()) return;
    page.player?.close();
    page.marks.hint(highlights);
    page.map.clear("lines");
    page.map.line(trail(highlights.path, (place) => page.map.middle(place), page.map.picture.paints.plan, { width: Math.max(3, 2.4 / page.map.picture.scale), moves }));
  });
}
