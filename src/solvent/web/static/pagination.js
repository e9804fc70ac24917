// What list pages share: their state in the address, so that coming back finds it again, and the buttons to turn pages.

import { button, h } from "./dom.js";
import { count, figure } from "./format.js";

// The state stands behind the other parts of the address, as in `#/run/3f2a/1/verdict=NO&sort=seconds`.
export function readState(depth) {
  return new URLSearchParams(location.hash.replace(/^#\/?/, "").split("/")[depth] ?? "");
}

export function writeState(address, state) {
  const kept = new URLSearchParams([...state].filter(([, value]) => value !== "")).toString();
  history.replaceState(null, "", kept ? `${address}/${kept}` : address);
}

export function pager({ start, size, matching, total, noun, several = `${noun}s`, go }) {
  const last = Math.min(matching, start + size);
  const among = matching === total ? "" : ` (${figure(total)} in all)`;
  return h(
    "div",
    { class: "row pager" },
    h("span", { class: "quiet", role: "status" }, matching > size ? `${figure(start + 1)}–${figure(last)} of ${count(matching, noun, several)}${among}` : `${count(matching, noun, several)}${among}`),
    matching > size
      ? [
          button("‹ Previous", () => go(Math.max(0, start - size)), { disabled: start === 0 }),
          button("Next ›", () => go(start + size), { disabled: last >= matching }),
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
