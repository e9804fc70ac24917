// The user's own files: search them, see them small, open one.

import { get } from "./api.js";
import { button, h, stylesheet } from "./dom.js";
import { bytes, moment } from "./format.js";
import { smallPicture } from "./thumbnails.js";
import { debounce, pagedList, readState, writeState } from "./pagination.js";

const SIZE = 48;

export async function open(place) {
  stylesheet("/static/runs/runs.css");
  const state = readState(1);
  const list = pagedList({ state, size: SIZE, noun: "file", find, draw });
  const search = h("input", {
    type: "search",
    value: state.get("text") ?? "",
    placeholder: "Words in the name",
    "aria-label": "Search your files",
    oninput: debounce(() => {
      state.set("text", search.value);
      state.delete("start");
      list.fill();
    }),
  });
  place.append(
    h("h1", {}, "Your files"),
    h("p", {}, "What was given to ", h("code", {}, "solvent serve"), " on the command line. Nothing else on this machine is opened."),
    h("div", { class: "row filters" }, search, button("Look again", () => list.fill(true), { title: "Look through the folders once more" })),
    list.element,
  );

  function find(start, again = false) {
    writeState("#/files", state);
    return get(`/api/files?${new URLSearchParams({ text: state.get("text") ?? "", start, count: SIZE, again })}`);
  }

  await list.fill();
}

function draw(found) {
  return [
    found.troubles.map((trouble) => h("p", { class: "card trouble" }, trouble)),
    found.cut ? h("p", { class: "card" }, "There are more files than can be listed here; give a folder with fewer.") : null,
    found.files.length ? h("ul", { class: "cards" }, found.files.map((file) => h("li", {}, card(file)))) : nothing(found),
  ];
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
    smallPicture(`/api/files/${file.id}/picture`),
    h("span", { class: "title" }, name),
    h("span", { class: "quiet small" }, [parts.join("/"), bytes(file.bytes)].filter(Boolean).join(" · ")),
  );
}
