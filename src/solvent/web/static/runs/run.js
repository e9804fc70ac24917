// One run: what was asked, how it came out, its rows to search and sort, its charts; live while it is running.

import { get } from "../api.js";
import { button, definitions, h, show, stylesheet } from "../dom.js";
import { chart, legend } from "./charts.js";
import { readState, writeState } from "../pagination.js";
import { counts, stateBadge } from "./badges.js";
import { rowsTable } from "./table.js";
import { errorCard } from "../error_card.js";
import { duration, figure, moment } from "../format.js";

const POLL_SECONDS = 2.5;

export async function open(place, [, store, run]) {
  stylesheet("/static/runs/runs.css");
  const at = `/api/runs/${encodeURIComponent(store)}/${encodeURIComponent(run)}`;
  const address = `#/run/${encodeURIComponent(store)}/${encodeURIComponent(run)}`;
  const state = readState(3);
  let told = await get(at);
  let timer = null;
  let left = false;
  const keep = () => writeState(address, state);

  const head = h("div", {});
  const comparison = comparing(told); // kept over looks: somebody may be choosing
  const rows = rowsTable({ at, address, state, keep, folder: told.folder });
  const charts = h("div", { class: "all-charts" });
  const views = { answers: rows.element, charts };
  const tabs = Object.fromEntries(
    Object.keys(views).map((name) => [
      name,
      button(name === "answers" ? "Answers" : "Charts", () => choose(name), { role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}` }),
    ]),
  );
  for (const [name, view] of Object.entries(views)) {
    view.id = `view-${name}`;
    view.setAttribute("role", "tabpanel");
    view.setAttribute("aria-labelledby", `tab-${name}`);
  }
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "Views", onkeydown: arrows }, Object.values(tabs));
  place.append(head, bar, rows.element, charts);

  function choose(name) {
    state.set("view", name === "answers" ? "" : name);
    keep();
    for (const [each, view] of Object.entries(views)) {
      view.hidden = each !== name;
      tabs[each].setAttribute("aria-selected", String(each === name));
      tabs[each].tabIndex = each === name ? 0 : -1;
    }
    return name === "charts" ? fillCharts() : rows.fill();
  }

  function arrows(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = state.get("view") === "charts" ? "answers" : "charts";
    choose(other);
    tabs[other].focus();
  }

  function fillHead() {
    const open = head.querySelector(".facts")?.open;
    show(head, heading(told), tallies(told, filter), h("div", { class: "about" }, facts(told), comparison));
    head.querySelector(".facts").open = open ?? false;
  }

  function filter(wished) {
    for (const name of ["domain", "question", "verdict", "text", "start"]) state.delete(name);
    for (const [name, value] of Object.entries(wished)) state.set(name, value);
    rows.follow();
    choose("answers");
    tabs.answers.scrollIntoView({ block: "nearest" });
  }

  let drawn = null; // for how many answers the charts were drawn
  async function fillCharts() {
    if (drawn === null) show(charts, h("p", { class: "quiet" }, "Drawing…"));
    try {
      const found = await get(`${at}/charts`);
      if (drawn !== found.answers) showCharts(charts, found);
      drawn = found.answers;
    } catch (error) {
      show(charts, errorCard(error));
    }
  }

  async function look() {
    try {
      told = await get(at);
      if (left) return;
      fillHead();
      rows.offer(told);
      await (state.get("view") === "charts" ? fillCharts() : rows.fill());
    } catch {
      // The next look may find the server again.
    }
    wait();
  }

  function wait() {
    if (!left && told.state === "running") timer = setTimeout(look, POLL_SECONDS * 1000);
  }

  fillHead();
  rows.offer(told);
  await choose(state.get("view") === "charts" ? "charts" : "answers");
  wait();
  return () => {
    left = true;
    clearTimeout(timer);
  };
}

function heading(told) {
  const when = [moment(told.began), told.seconds ? `${duration(told.seconds)} at work` : ""].filter(Boolean).join(", ");
  return h(
    "div",
    { class: "heading" },
    h("p", { class: "crumbs" }, h("a", { href: "#/runs" }, "Runs"), " › ", told.store_name),
    h("h1", {}, `Run ${told.id}`),
    stateBadge(told.state),
    h("span", { class: "quiet" }, when),
  );
}

function tallies(told, filter) {
  const others = Object.fromEntries(Object.entries(told.verdicts).filter(([kind]) => kind.startsWith("UNREAD") || kind.startsWith("UNAS") || kind.startsWith("UNREC")));
  return h(
    "section",
    { class: "card tallies", "aria-label": "How it came out" },
    told.tallies.map((tally) =>
      h(
        "div",
        { class: "tally" },
        h("span", { class: "what", title: tally.asks }, h("strong", {}, tally.title), ` ${tally.question}`),
        shares(tally),
        counts(tally, (verdict) => filter({ domain: tally.domain, question: tally.question, verdict })),
      ),
    ),
    Object.keys(others).length ? h("div", { class: "tally" }, h("span", { class: "what" }, "Beside that"), h("span", { class: "shares none" }), counts(others, (verdict) => filter({ verdict }))) : null,
    told.tallies.length || Object.keys(others).length ? null : h("p", { class: "quiet" }, "No answers yet."),
  );
}

function shares(tally) {
  const kinds = ["YES", "NO", "UNKNOWN", "ERROR"].filter((kind) => tally[kind]);
  return h("span", { class: "shares", "aria-hidden": "true" }, kinds.map((kind) => h("span", { class: `share ${kind.toLowerCase()}`, style: { flexGrow: tally[kind] } })));
}

function facts(told) {
  return h(
    "details",
    { class: "facts" },
    h("summary", {}, "What was asked, and where"),
    definitions({ ...told.facts, Sources: figure(told.sources), Command: h("code", {}, told.command) }),
  );
}

// Another run to compare with; the list is fetched when somebody reaches for it.
function comparing(told) {
  const choice = h("select", { "aria-label": "Compare with another run" }, h("option", { value: "" }, "Compare with…"));
  let filled = false;
  const fill = async () => {
    if (filled) return;
    filled = true;
    const stores = await get("/api/runs");
    for (const store of stores) {
      for (const run of store.runs) {
        if (store.id === told.store && run.id === told.id) continue;
        choice.append(h("option", { value: `${store.id}/${run.id}`, data: { began: run.began } }, `${stores.length > 1 ? `${store.name}, ` : ""}run ${run.id}, ${moment(run.began)}`));
      }
    }
    if (choice.options.length === 1) choice.options[0].textContent = "There is no other run";
  };
  choice.addEventListener("change", () => {
    if (!choice.value) return;
    const [mine, other] = [`${told.store}/${told.id}`, choice.value];
    const later = Number(choice.selectedOptions[0].dataset.began) > told.began;
    location.hash = later ? `#/compare/${mine}/${other}` : `#/compare/${other}/${mine}`;
  });
  fill().catch(() => {});
  return h("div", { class: "row" }, choice);
}

function showCharts(place, found) {
  show(
    place,
    found.groups.length ? null : h("p", { class: "quiet" }, "There is nothing to draw yet."),
    found.groups.map((group) => [
      h("h2", {}, group.title),
      h(
        "div",
        { class: "charts" },
        group.charts.map((each) =>
          h(
            "figure",
            { class: each.small ? "card small" : "card" },
            h("figcaption", {}, h("strong", {}, each.title), h("span", { class: "quiet" }, each.caption)),
            each.svg.includes("#mark-") ? legend(["YES", "NO", "UNKNOWN", "ERROR"].filter((kind) => each.svg.includes(`#mark-${kind}"`))) : null,
            chart(each.svg, found.marks),
          ),
        ),
      ),
    ]),
  );
}
