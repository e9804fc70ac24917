// The user's own files: search them, see them small, open one.

import { get } from "./api.js";
import { button, h, show, stylesheet } from "./dom.js";
import { debounce, pager, readState, writeState } from "./pagination.js";
import { errorCard } from "./error_card.js";
import { bytes, moment } from "./format.js";

const SIZE = 48;

export async function open(place) {
  stylesheet("/static/runs/runs.css");
  const state = readState(1);
  const list = h("div", {});
  const search = h("input", {
    type: "search",
    value: state.get("text") ?? "",
    placeholder: "Words in the name",
    "aria-label": "Search your files",
    oninput: debounce(() => {
      state.set("text", search.value);
      state.delete("start");
      fill();
    }),
  });
  place.append(
    h("h1", {}, "Your files"),
    h("p", {}, "What was given to ", h("code", {}, "solvent serve"), " on the command line. Nothing else on this machine is opened."),
    h("div", { class: "row filters" }, search, button("Look again", () => fill(true), { title: "Look through the folders once more" })),
    list,
  );

  let asked = 0;
  async function fill(again = false) {
    const turn = ++asked; // a slow reply must not replace that to a later wish
    writeState("#/files", state);
    const start = Number(state.get("start")) || 0;
    const query = new URLSearchParams({ text: state.get("text") ?? "", start, count: SIZE, again });
    try {
      const found = await get(`/api/files?${query}`);
      if (turn === asked) showFiles(found);
    } catch (error) {
      if (turn === asked) show(list, errorCard(error));
    }
  }

  function showFiles(found) {
    if (found.matching && !found.files.length) {
      state.delete("start"); // an address from before there were fewer
      fill();
      return;
    }
    const turn = (start) => {
      state.set("start", start);
      fill();
      window.scrollTo(0, 0);
    };
    const pages = () => pager({ ...found, size: SIZE, noun: "file", go: turn });
    show(
      list,
      found.troubles.map((trouble) => h("p", { class: "card trouble" }, trouble)),
      found.cut ? h("p", { class: "card" }, "There are more files than can be listed here; give a folder with fewer.") : null,
      pages(),
      found.files.length ? h("ul", { class: "cards" }, found.files.map((file) => h("li", {}, card(file)))) : nothing(found),
      found.matching > SIZE ? pages() : null,
    );
  }

  await fill();
}

function nothing(found) {
  return h("p", {}, found.total ? "No name has all of these words." : "There are no files in what was given.");
}

function card(file) {
  const parts = file.name.split("/");
  const name = parts.pop();
  return h(
    "a",
    { class: "card example file", href: `#/file/${file.id}`, title: `${file.name}, changed ${moment(file.changed)}` },
    h("img", { src: `/api/files/${file.id}/picture.svg`, alt: "", loading: "lazy", decoding: "async", width: 220, height: 160 }),
    h("span", { class: "title" }, name),
    h("span", { class: "quiet small" }, [parts.join("/"), bytes(file.bytes)].filter(Boolean).join(" · ")),
  );
}
