// The next step on the way to the goal, with what to be careful of.

import { hintCard } from "/static/answer_card.js";
import { button } from "/static/dom.js";
import { count } from "/static/format.js";
import { wantsLessMotion } from "/static/player.js";
import { bringIntoSight } from "/static/sight.js";
import { trail } from "./trail.js";

export function hintButton(page) {
  const { bench } = page;
  return button("Hint", async () => {
    let base = bench.loaded;
    const found = await bench.work("hints", "Looking for the next step…", { seconds: 20 }, { begun: (loaded) => (base = loaded) });
    const [hint] = found?.hints ?? [];
    if (!hint) return;
    page.session.usedHint();
    const { highlights, moves, take_back: steps, lost_by: lostBy } = hint.data;
    const isHere = () => bench.loaded.text === base.text;
    const action = (label, play) => button(label, () => page.play(() => (isHere() ? play : page.say("That hint is about an earlier position. Ask for another.", "refused"))), { class: "primary" });
    const card = hintCard(
      hint,
      moves?.length ? action("Do it", { do: "walk", moves }) : null,
      steps ? action(`Take back ${count(steps, "move")}`, { do: "back", to: lostBy - 1 }) : null,
    );
    page.hints.querySelector(":scope > :not([hidden])")?.remove(); // one at a time
    page.hintCards.add(card, base.text, bench.loaded.text);
    const bring = () => bringIntoSight(card, wantsLessMotion() ? "auto" : "smooth");
    if (!highlights || !isHere()) return bring();
    page.player?.close();
    page.marks.hint(highlights);
    bring(); // after the words that go with the marks have moved it
    page.map.clear("lines");
    page.map.line(trail(highlights.path, (place) => page.map.middle(place), page.map.picture.paints.plan, { width: Math.max(3, 2.4 / page.map.picture.scale), moves }));
  });
}
