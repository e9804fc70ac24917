// A board from a text: pasted, typed or dropped.

import { button, h, show } from "/static/dom.js";
import { errorCard } from "/static/error_card.js";

// `take(text)` takes a board from it, or throws what is wrong with it. `help` says what can be read, `sample` shows it.
export function pasteCard(take, { help, sample = "" }) {
  const text = h("textarea", { rows: 6, spellcheck: "false", "aria-label": "A board as text", placeholder: sample });
  const trouble = h("div", {});
  const use = async () => {
    show(trouble);
    try {
      await take(text.value);
      text.value = "";
    } catch (error) {
      show(trouble, errorCard(error, text.value));
    }
  };
  const drop = async (event) => {
    event.preventDefault(); // so that the page does not open it
    const [file] = event.dataTransfer.files;
    const dropped = event.dataTransfer.getData("text/plain");
    text.value = file ? await file.text() : dropped;
    await use();
  };
  return h(
    "details",
    { class: "card paste", ondragover: (event) => event.preventDefault(), ondrop: drop },
    h("summary", {}, "From a text"),
    h("p", { class: "quiet" }, help),
    text,
    h("div", { class: "row" }, button("Use this board", use)),
    trouble,
  );
}
