// The rows of a run: filtered, sorted and cut into pages by the server, as the address says.

import { get } from "../api.js";
import { button, h, show } from "../dom.js";
import { debounce, pagedList } from "../pagination.js";
import { OUTCOMES, outcomeBadge } from "../badges.js";
import { duration, figure } from "../format.js";

const SIZE = 50;
const COLUMNS = {
  name: "Name",
  domain: "Domain",
  question: "Question",
  verdict: "Verdict",
  seconds: "Time",
  size: "Size",
  expanded: "Expanded",
  length: "Length",
};
const LARGEST_FIRST = new Set(["seconds", "size", "expanded", "length"]);
const FILTERS = ["domain", "question", "verdict", "text"];

let visited = null; // the result that was opened last, to come back to

// Return {element, fill(), follow(), offer(run)}: follow takes over what the state says, offer what there is.
export function rowsTable({ at, address, state, keep, folder }) {
  const select = (name, label) => h("select", { "aria-label": label, onchange: (event) => change(name, event.target.value) });
  const fields = { domain: select("domain", "Domain"), question: select("question", "Question"), verdict: select("verdict", "Verdict") };
  const search = h("input", { type: "search", placeholder: "Words in the name or the reason", "aria-label": "Search the rows", oninput: debounce(() => change("text", search.value)) });
  const clear = button("Clear", () => {
    for (const name of FILTERS) state.delete(name);
    change("start", "");
    follow();
  });
  const order = h(
    "select",
    { "aria-label": "Sort by", class: "order", onchange: () => sortBy(...order.value.split(" ")) },
    h("option", { value: "number" }, "In order"),
    Object.entries(COLUMNS).map(([name, title]) => h("option", { value: `${name}${LARGEST_FIRST.has(name) ? " descending" : ""}` }, `By ${title.toLowerCase()}`)),
  );
  const list = pagedList({ state, size: SIZE, noun: "row", find, draw });
  const element = h("div", { class: "rows" }, h("div", { class: "row filters" }, search, Object.values(fields), order, clear), list.element);

  function change(name, value) {
    state.set(name, value);
    if (name !== "start") state.delete("start");
    list.fill();
  }

  function sortBy(column, way) {
    state.set("sort", column === "number" ? "" : column);
    state.set("way", way ?? "");
    change("start", "");
  }

  function follow() {
    for (const [name, field] of Object.entries(fields)) field.value = state.get(name) ?? "";
    search.value = state.get("text") ?? "";
  }

  function offer(run) {
    const options = {
      domain: ["Every domain", run.tallies.map(({ domain, title }) => [domain, title])],
      question: ["Every question", run.tallies.map(({ question }) => [question, question])],
      verdict: ["Every verdict", [...Object.entries(OUTCOMES).filter(([outcome]) => run.outcomes[outcome]).map(([outcome, [sign, word]]) => [outcome, `${sign} ${word}`]), ...["YES", "NO"].filter((kind) => run.verdicts[kind]).map((kind) => [kind, kind])]],
    };
    for (const [name, [all, listed]] of Object.entries(options)) {
      const chosen = state.get(name) ?? "";
      const known = new Map(listed);
      if (chosen && !known.has(chosen)) known.set(chosen, OUTCOMES[chosen]?.[1] ?? chosen);
      const offered = ["", ...known.keys()].join("\n");
      if (fields[name].dataset.offers === offered) continue; // one that is open must not be shut while a run goes on
      fields[name].dataset.offers = offered;
      show(fields[name], h("option", { value: "" }, all), [...known].map(([value, label]) => h("option", { value }, label)));
    }
    follow();
  }

  function find(start) {
    keep();
    const sort = state.get("sort") || "number";
    const query = new URLSearchParams({ sort, descending: state.get("way") === "descending", start, count: SIZE });
    for (const name of FILTERS) if (state.get(name)) query.set(name, state.get(name));
    clear.hidden = !FILTERS.some((name) => state.get(name));
    order.value = [...order.options].find((option) => option.value.split(" ")[0] === sort)?.value ?? "number";
    return get(`${at}/rows?${query}`);
  }

  function draw({ rows }) {
    const held = document.activeElement?.dataset?.key; // rows are made anew; the focus stays where it was
    const made = rows.length
      ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows of the run" }, h("table", { class: "results" }, h("thead", {}, h("tr", {}, Object.entries(COLUMNS).map(heading), h("th", { scope: "col", class: "why" }, "Why"))), h("tbody", {}, rows.map(line))))
      : h("p", {}, "No row is like that.");
    const back = held ?? visited;
    if (back) {
      const link = [...made.querySelectorAll("[data-key]")].find((each) => each.dataset.key === back);
      if (link) requestAnimationFrame(() => link.focus({ preventScroll: held !== undefined }));
      if (!held) visited = null;
    }
    return made;
  }

  function heading([name, title]) {
    const sorted = state.get("sort") === name;
    const down = state.get("way") === "descending";
    const go = () => {
      if (!sorted) sortBy(name, LARGEST_FIRST.has(name) ? "descending" : "");
      else if (down === LARGEST_FIRST.has(name)) sortBy(name, down ? "" : "descending");
      else sortBy("number");
    };
    return h(
      "th",
      { scope: "col", class: `of-${name}`, "aria-sort": sorted ? (down ? "descending" : "ascending") : "none" },
      button([title, h("span", { "aria-hidden": "true" }, sorted ? (down ? " ▼" : " ▲") : "")].flat(), go, { class: "sorter", data: { key: `sort-${name}` } }),
    );
  }

  function line(row) {
    const name = row.name.startsWith(folder) ? row.name.slice(folder.length) : row.name;
    const target = `#/result/${address.slice("#/run/".length)}/${row.number}${row.question ? `/${encodeURIComponent(row.question)}` : ""}`;
    return h(
      "tr",
      { class: row.status === "FAIL" ? "fail" : null },
      h("td", { class: "name", title: row.name }, row.opens ? h("a", { href: target, data: { key: target }, onclick: () => (visited = target) }, name) : name),
      h("td", { class: "domain" }, row.domain ?? ""),
      h("td", { class: "question" }, row.question ?? ""),
      h("td", { class: "verdict-cell" }, outcomeBadge(row.kind === "YES" || row.kind === "NO" ? row.status : row.kind, row.kind, row.certified)),
      h("td", { class: "number seconds" }, duration(row.seconds)),
      h("td", { class: "number size" }, figure(row.size)),
      h("td", { class: "number expanded" }, figure(row.expanded)),
      h("td", { class: "number length" }, figure(row.length)),
      h("td", { class: "why", title: row.reason }, row.reason),
    );
  }

  return { element, fill: list.fill, follow, offer };
}
