// One run: what was asked, how it came out, its rows to search and sort, its charts; live while it is running.

import { get } from "../api.js";
import { button, definitions, h, show, stylesheet } from "../dom.js";
import { chartFigure } from "./charts.js";
import { readState, writeState } from "../pagination.js";
import { counts, outcomeOf, stateBadge } from "../badges.js";
import { rowsTable } from "./table.js";
import { errorCard } from "../error_card.js";
import { duration, figure, moment } from "../format.js";

const POLL_SECONDS = 2.5;

export async function open(place, [, store, id]) {
  stylesheet("/static/runs/runs.css");
  const at = `/api/runs/${encodeURIComponent(store)}/${encodeURIComponent(id)}`;
  const address = `#/run/${encodeURIComponent(store)}/${encodeURIComponent(id)}`;
  const state = readState(3);
  let run = await get(at);
  document.title = `Run ${run.id} of ${run.store_name} · Solvent`;
  let timer = null;
  let left = false;
  const keep = () => writeState(address, state);

  const head = h("div", {});
  const comparison = comparing(run); // kept while the rest is refreshed: it may be open
  const rows = rowsTable({ at, address, state, keep, folder: run.folder });
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
    const controls = () => [...head.querySelectorAll("a, button, summary, select")];
    const held = controls().indexOf(document.activeElement); // the focus stays where it was
    show(head, heading(run), tallies(run, filter), h("div", { class: "about" }, facts(run), comparison));
    head.querySelector(".facts").open = open ?? false;
    if (held >= 0) controls()[held]?.focus({ preventScroll: true });
  }

  function filter(filters) {
    for (const name of ["domain", "question", "verdict", "text", "start"]) state.delete(name);
    for (const [name, value] of Object.entries(filters)) state.set(name, value);
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

  async function poll() {
    try {
      run = await get(at);
      if (left) return;
      fillHead();
      rows.offer(run);
      await (state.get("view") === "charts" ? fillCharts() : rows.fill());
    } catch {
      // The next poll may find the server again.
    }
    wait();
  }

  function wait() {
    if (!left && run.state === "running") timer = setTimeout(poll, POLL_SECONDS * 1000);
  }

  fillHead();
  rows.offer(run);
  await choose(state.get("view") === "charts" ? "charts" : "answers");
  wait();
  return () => {
    left = true;
    clearTimeout(timer);
  };
}

function heading(run) {
  const when = [moment(run.began), run.seconds ? `${duration(run.seconds)} at work` : ""].filter(Boolean).join(", ");
  return h(
    "div",
    { class: "heading" },
    h("p", { class: "crumbs" }, h("a", { href: "#/runs" }, "Runs"), " › ", run.store_name),
    h("h1", {}, `Run ${run.id}`),
    stateBadge(run.state),
    h("span", { class: "quiet" }, when),
    run.problem ? h("p", { class: "trouble-line", role: "alert" }, run.problem) : null,
  );
}

function tallies(run, filter) {
  const others = Object.fromEntries(Object.entries(run.outcomes).filter(([outcome]) => ["UNREAD", "UNASKED", "UNRECOGNISED"].includes(outcome)));
  return h(
    "section",
    { class: "card tallies", "aria-label": "How it came out" },
    run.tallies.map((tally) =>
      h(
        "div",
        { class: "tally" },
        h("span", { class: "what", title: tally.asks }, h("strong", {}, tally.title), ` ${tally.question}`),
        shares(tally),
        counts(byOutcome(tally), { verdicts: verdictsOf(tally), choose: (verdict) => filter({ domain: tally.domain, question: tally.question, verdict }) }),
      ),
    ),
    Object.keys(others).length ? h("div", { class: "tally" }, h("span", { class: "what" }, "Beside that"), h("span", { class: "shares none" }), counts(others, { choose: (verdict) => filter({ verdict }) })) : null,
    run.tallies.length || Object.keys(others).length ? null : h("p", { class: "quiet" }, "No answers yet."),
  );
}

const byOutcome = (tally) => Object.fromEntries(["YES", "NO", "UNKNOWN", "ERROR"].map((kind) => [outcomeOf(kind, tally.passing_verdict), tally[kind]]));
const verdictsOf = ({ passing_verdict: passing }) => ({ PASS: passing, FAIL: passing === "YES" ? "NO" : "YES" });

function shares(tally) {
  const numbers = byOutcome(tally);
  const present = ["PASS", "FAIL", "UNKNOWN", "ERROR"].filter((outcome) => numbers[outcome]);
  return h("span", { class: "shares", "aria-hidden": "true" }, present.map((outcome) => h("span", { class: `share ${outcome.toLowerCase()}`, style: { flexGrow: numbers[outcome] } })));
}

function facts(run) {
  return h(
    "details",
    { class: "facts" },
    h("summary", {}, "What was asked, and where"),
    definitions({ ...run.facts, Sources: figure(run.sources), Command: h("code", {}, run.command) }),
  );
}

// Another run to compare with; the list is fetched at once.
function comparing(run) {
  const choice = h("select", { "aria-label": "Compare with another run" }, h("option", { value: "" }, "Compare with…"));
  const fill = async () => {
    const stores = await get("/api/runs");
    for (const store of stores) {
      for (const other of store.runs) {
        if (store.id === run.store && other.id === run.id) continue;
        choice.append(h("option", { value: `${store.id}/${other.id}`, data: { began: other.began } }, `${stores.length > 1 ? `${store.name}, ` : ""}run ${other.id}, ${moment(other.began)}`));
      }
    }
    if (choice.options.length === 1) choice.options[0].textContent = "There is no other run";
  };
  choice.addEventListener("change", () => {
    if (!choice.value) return;
    const [mine, other] = [`${run.store}/${run.id}`, choice.value];
    const later = Number(choice.selectedOptions[0].dataset.began) > run.began;
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
        group.charts.map((each) => chartFigure({ ...each, kind: each.small ? "small" : "" }, found.marks)),
      ),
    ]),
  );
}
