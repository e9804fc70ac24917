// The board on other sites: its addresses are written by the server, when they are wanted.

import { post } from "/static/api.js";
import { button, copy, h, show } from "/static/dom.js";

const SITES = { puzzlink: "puzz.link", penpa: "Penpa" };

export function elsewhere(bench) {
  const place = h("div", {});
  const row = async (format, site) => {
    const { text } = await post("format", { ...bench.instance, format });
    const [address] = text.trim().replace(/#(?:marks|regions)=.*$/, "").split(" ");
    return h(
      "div",
      { class: "row" },
      h("a", { class: "button", href: address, target: "_blank", rel: "noopener noreferrer" }, `Open in ${site}`),
      button("Copy address", () => copy(address, "The address is copied.")),
    );
  };
  const fill = () =>
    bench.attempt(async () => {
      await bench.ready();
      show(place, ...(await Promise.all(Object.entries(SITES).map(([format, site]) => row(format, site)))));
    });
  return h("details", { class: "card elsewhere", ontoggle: (event) => (event.target.open ? fill() : show(place)) }, h("summary", {}, "Open elsewhere"), place);
}
