// The first page: every domain's examples as pictures, and the way to open your own.

import { about, get } from "./api.js";
import { button, h, show } from "./dom.js";
import { capital } from "./format.js";
import { openForm } from "./open_form.js";

export async function open(place) {
  const [{ domains }, examples] = await Promise.all([about(), get("/api/examples")]);
  show(
    place,
    h(
      "div",
      { class: "hello" },
      h("h1", {}, "Can it be solved? See how, and why."),
      h(
        "p",
        {},
        "Solvent answers YES or NO only with a proof that a separate checker has accepted. When it does not know, it says UNKNOWN. Pick something below, or bring your own.",
      ),
      openForm({ small: true }),
    ),
    domains.map((domain) => section(domain, examples.filter((example) => example.domain === domain.name))),
  );
}

function section(domain, examples) {
  const [title, rest] = split(domain.title);
  return h(
    "section",
    { class: "domain", "aria-labelledby": `domain-${domain.name}` },
    h(
      "div",
      { class: "heading" },
      h("h2", { id: `domain-${domain.name}` }, title),
      rest ? h("p", { class: "quiet" }, rest) : null,
      domain.can.includes("generate")
        ? h("a", { class: "button", href: `#/new/${domain.name}` }, "Make a new one")
        : null,
    ),
    list(examples),
  );
}

const FIRST = 6; // shown before all are asked for, so that every domain is soon in sight

function list(examples) {
  const items = examples.map((example, place) => h("li", { hidden: place >= FIRST }, card(example)));
  const showAll = () => {
    for (const item of items) item.hidden = false;
    items[FIRST].querySelector("a").focus();
    more.remove();
  };
  const more = button(`Show all ${examples.length}`, showAll, { class: "link more" });
  return [h("ul", { class: "cards" }, items), items.length > FIRST ? more : null];
}

// "Harmony: swap tiles until …" is a name and what it is about.
export function split(title) {
  const [name, ...rest] = title.split(": ");
  return [name, capital(rest.join(": "))];
}

function card(example) {
  return h(
    "a",
    { class: "card example", href: `#/example/${example.domain}/${example.name}` },
    h("img", {
      src: `/api/pictures/${example.domain}/${example.name}.svg`,
      alt: "",
      loading: "lazy",
      decoding: "async",
      width: 220,
      height: 160,
    }),
    h("span", { class: "title" }, title(example.title)),
  );
}

// "the ledge: jump down too soon …" is a name and what it shows; hints for the command are not for this page.
function title(text) {
  const [name, rest] = split(text.replace(/ \([^)]*--[^)]*\)/, ""));
  return rest ? [h("strong", {}, capital(name)), " ", rest] : capital(name);
}
