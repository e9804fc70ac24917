// Begin a drawing: what there is to begin from in one domain.

import { domainNamed, get } from "./api.js";
import { h } from "./dom.js";
import { split } from "./puzzle_names.js";
import { linkTo } from "./share.js";
import { thumbnail } from "./thumbnails.js";

export async function open(place, [, name]) {
  const domain = await domainNamed(name);
  if (!domain) throw new Error(`There is no page #/draw/${name}.`);
  const templates = await get(`/api/templates/${encodeURIComponent(name)}`);
  const [title] = split(domain.title);
  document.title = `Draw your own: ${title} · Solvent`;
  const cards = await Promise.all(
    templates.map(async (template) =>
      h(
        "li",
        {},
        h(
          "a",
          { class: "card example", href: await linkTo(name, template.text, { title: template.title, mode: "edit" }) },
          thumbnail(`${encodeURIComponent(name)}/templates/${encodeURIComponent(template.name)}`),
          h("span", { class: "title" }, h("strong", {}, template.title)),
        ),
      ),
    ),
  );
  place.append(
    h("div", { class: "heading" }, h("p", { class: "crumbs" }, h("a", { href: "#/" }, "Gallery"), " › ", title), h("h1", {}, "Draw your own")),
    h("p", {}, "Begin from one of these. You can change everything, the size too."),
    h("ul", { class: "cards" }, cards),
  );
}
