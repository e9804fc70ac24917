// The first page: every domain's examples as pictures, and the way to open your own.

import { about } from "./api.js";
import { todaySection } from "./daily.js";
import { button, h, show } from "./dom.js";
import { capital } from "./format.js";
import { openForm } from "./open_form.js";
import { exampleKey, examples as allExamples, split } from "./puzzle_names.js";
import { allSolved, solvedMark } from "./solved_store.js";
import { thumbnail } from "./thumbnails.js";

export async function open(place) {
  const [{ domains }, examples] = await Promise.all([about(), allExamples()]);
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
    todaySection(domains),
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
      h(
        "span",
        { class: "row" },
        domain.can.includes("generate") ? h("a", { class: "button", href: `#/new/${domain.name}` }, "Make a new one", h("span", { class: "hidden" }, ` of ${title}`)) : null,
        domain.editor ? h("a", { class: "button", href: `#/draw/${domain.name}` }, "Draw your own", h("span", { class: "hidden" }, `: ${title}`)) : null,
      ),
    ),
    list(examples),
  );
}

const FIRST = 6; // shown before all are asked for, so that every domain is soon in sight

function list(examples) {
  const solved = allSolved();
  const items = examples.map((example, place) => h("li", { hidden: place >= FIRST }, card(example, solved)));
  const showAll = () => {
    for (const item of items) item.hidden = false;
    items[FIRST].querySelector("a").focus();
    more.remove();
  };
  const more = button(`Show all ${examples.length}`, showAll, { class: "link more" });
  return [h("ul", { class: "cards" }, items), items.length > FIRST ? more : null];
}

function card(example, solved) {
  return h(
    "a",
    { class: "card example", href: `#/example/${example.domain}/${example.name}` },
    thumbnail(exampleKey(example)),
    h("span", { class: "title" }, title(example.title)),
    h("span", { class: "about" }, example.grade ? h("span", { class: "grade" }, example.grade.word) : null, solvedMark(exampleKey(example), solved)),
  );
}

function title(text) {
  const [name, rest] = split(text);
  return rest ? [h("strong", {}, capital(name)), " ", rest] : capital(name);
}
