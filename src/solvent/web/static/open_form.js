// Open your own: drop a file, choose one, or paste a text or an address. The domain is detected.

import { about, get } from "./api.js";
import { button, h, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { dropZone, fileButton } from "./file_drop.js";
import { split } from "./puzzle_names.js";
import { openFiles, openText } from "./opening.js";

export async function open(place) {
  place.append(
    h("h1", {}, "Open your own"),
    h(
      "p",
      {},
      "A puzzle, a level, a rule set or a picture to learn from, in any format that Solvent reads: text, JSON, a Tiled or LDtk map, PNG, or a puzz.link address; a store of results, too. It stays on this machine.",
    ),
    openForm({ small: false }),
    await samples(),
  );
}

// Every format, with a sample of it where there is one; samples are fetched once the page stands.
async function samples() {
  const { domains } = await about();
  const trouble = h("div", {});
  const openSample = async (domain, format, text) => {
    show(trouble);
    try {
      await openText(text, `sample.${format}`, {}, `${split(domain.title)[0]}, a sample as ${format}`);
    } catch (error) {
      show(trouble, errorCard(error, text));
    }
  };
  const list = (domain) => {
    const names = new Map(Object.keys(domain.formats).map((format) => [format, h("dt", {}, format)]));
    get(`/api/samples/${encodeURIComponent(domain.name)}`)
      .then((found) => found.forEach(({ format, text }) => show(names.get(format), button(format, () => openSample(domain, format, text), { "aria-label": `Open a sample of ${domain.name} as ${format}` }))))
      .catch(() => {}); // then the names alone are there
    return h("dl", { class: "definitions" }, Object.entries(domain.formats).map(([format, meaning]) => [names.get(format), h("dd", {}, meaning)]));
  };
  return h("section", { class: "card formats" }, h("h2", {}, "A sample of each format"), trouble, domains.map((domain) => [h("h3", {}, split(domain.title)[0]), list(domain)]));
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
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read(area.value);
    },
  });
  const place = dropZone(
    { class: "opening", take, takeText: read },
    area,
    h(
      "div",
      { class: "row" },
      button("Open", () => read(area.value), { class: "primary" }),
      fileButton(take),
      h("span", { class: "quiet for-mice" }, "or drop files or a folder anywhere on the page"),
    ),
    trouble,
  );

  async function take(_, chosen) {
    await attempt(() => openFiles(chosen));
  }

  async function read(text) {
    await attempt(() => openText(text), text);
  }

  async function attempt(action, text = null) {
    show(trouble);
    try {
      await action();
    } catch (error) {
      show(trouble, errorCard(error, text));
      area.focus();
    }
  }

  return place;
}
