// The first page: every domain's examples as pictures, and the way to open your own.

import { about, get } from "./api.js";
import { h, show } from "./dom.js";
import { openingPlace } from "./opening.js";

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
      openingPlace({ small: true }),
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
    h("ul", { class: "cards" }, examples.map((example) => h("li", {}, card(example)))),
  );
}

// "Harmony: swap tiles until …" is a name and what it is about.
export function split(title) {
  const [name, ...rest] = title.split(": ");
  const said = rest.join(": ");
  return [name, said ? said[0].toUpperCase() + said.slice(1) : ""];
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
    h("span", { class: "title" }, example.title),
  );
}
