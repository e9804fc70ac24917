// What list pages share: their state in the address, so that coming back finds it again, and the buttons to turn pages.

import { button, h, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { count, figure } from "./format.js";

// The state stands behind the other parts of the address, as in `#/run/3f2a/1/verdict=NO&sort=seconds`.
export function readState(depth) {
  return new URLSearchParams(location.hash.replace(/^#\/?/, "").split("/")[depth] ?? "");
}

export function writeState(address, state) {
  const kept = new URLSearchParams([...state].filter(([, value]) => value !== "")).toString();
  history.replaceState(null, "", kept ? `${address}/${kept}` : address);
}

// A list that the server cuts into pages of `size`. `find(start)` fetches one, as {start, matching, total, …}; `draw(found)`
// makes its elements; `noun` names what is listed. `state` holds where it starts. Returns {element, fill()}.
export function pagedList({ state, size, noun, find, draw }) {
  const element = h("div", {});
  let asked = 0;
  const go = (start) => {
    state.set("start", start || "");
    return fill();
  };
  async function fill(...given) {
    const turn = ++asked; // a slow reply must not replace a later one
    try {
      const start = Number(state.get("start")) || 0;
      const found = await find(start, ...given);
      if (turn !== asked) return;
      if (start && found.matching && start >= found.matching) return await go(0); // an address from before there were fewer
      const pages = () => pager({ ...found, size, noun, go: (to) => go(to).then(() => element.scrollIntoView({ block: "nearest" })) });
      const held = element.contains(document.activeElement) ? document.activeElement.dataset.turn : null;
      show(element, pages(), draw(found), found.matching > size ? pages() : null);
      if (held) (element.querySelector(`[data-turn="${held}"]:enabled`) ?? element.querySelector("[data-turn]:enabled"))?.focus({ preventScroll: true });
    } catch (error) {
      if (turn === asked) show(element, errorCard(error));
    }
  }
  return { element, fill };
}

function pager({ start, size, matching, total, noun, several = `${noun}s`, go }) {
  const last = Math.min(matching, start + size);
  const among = matching === total ? "" : ` (${figure(total)} in all)`;
  return h(
    "div",
    { class: "row pager" },
    h("span", { class: "quiet", role: "status" }, matching > size ? `${figure(start + 1)}–${figure(last)} of ${count(matching, noun, several)}${among}` : `${count(matching, noun, several)}${among}`),
    matching > size
      ? [
          button("‹ Previous", () => go(Math.max(0, start - size)), { disabled: start === 0, "data-turn": "back" }),
          button("Next ›", () => go(start + size), { disabled: last >= matching, "data-turn": "on" }),
        ]
      : null,
  );
}

// Call a function once typing has paused.
export function debounce(action, milliseconds = 250) {
  let timer = null;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}
