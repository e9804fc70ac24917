// Open your own: drop a file, choose one, or paste a text or an address. The domain is detected.

import { about, post } from "./api.js";
import { button, definitions, h, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { dropZone, fileButton } from "./file_drop.js";
import { linkTo } from "./share.js";

export async function open(place) {
  place.append(
    h("h1", {}, "Open your own"),
    h(
      "p",
      {},
      "A puzzle, a level or a task in any format that Solvent reads: text, JSON, a Tiled or LDtk map, or a puzz.link address. It stays on this machine.",
    ),
    openForm({ small: false }),
    await formats(),
  );
}

async function formats() {
  const { domains } = await about();
  return h(
    "details",
    { class: "card" },
    h("summary", {}, "Which formats are there?"),
    domains.map((domain) => [
      h("h3", {}, domain.name),
      definitions(domain.formats),
    ]),
  );
}

export function openForm({ small }) {
  const trouble = h("div", {});
  const area = h("textarea", {
    rows: small ? 2 : 12,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "Paste a puzzle, a level or a puzz.link address here",
    "aria-label": "Text of a puzzle or level",
    onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read(area.value, "");
    },
  });
  const place = dropZone(
    { class: "opening", take, takeText: (text) => read(text, "") },
    area,
    h(
      "div",
      { class: "row" },
      button("Open", () => read(area.value, ""), { class: "primary" }),
      fileButton(take),
      h("span", { class: "quiet" }, "or drop one here"),
    ),
    trouble,
  );

  async function take(chosen) {
    const { body_bytes: most } = await about();
    if (chosen.size > most) {
      show(trouble, errorCard({ kind: "too_large", message: `At most ${most >> 20} MB can be opened here.` }));
      return;
    }
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
    } catch {
      show(trouble, errorCard({ kind: "instance", message: `expected text in UTF-8, found something else in ${chosen.name}` }));
      return;
    }
    area.value = text.length < 200_000 ? text : "";
    await read(text, chosen.name);
  }

  async function read(text, name) {
    show(trouble);
    try {
      const loaded = await post("load", { text });
      location.hash = await linkTo(loaded.domain, loaded.text, name);
    } catch (error) {
      show(trouble, errorCard(error, text));
      area.focus();
    }
  }

  return place;
}
