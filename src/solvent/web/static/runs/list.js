// Every store that was given, with its runs.

import { get } from "../api.js";
import { h, show, stylesheet } from "../dom.js";
import { counts, stateBadge } from "../badges.js";
import { count, duration, moment } from "../format.js";

const POLL_SECONDS = 4;

export async function open(place) {
  stylesheet("/static/runs/runs.css");
  const list = h("div", { class: "stores" });
  place.append(h("h1", {}, "Runs"), h("p", {}, "What ", h("code", {}, "solvent validate"), " found out about many instances, and keeps in a store."), list);
  let timer = null;

  async function fill() {
    const stores = await get("/api/runs");
    show(list, stores.map(storeCard), stores.length ? null : h("p", {}, "There is no store in what was given to ", h("code", {}, "solvent serve"), "."));
    const running = stores.some((store) => store.runs.some((run) => run.state === "running"));
    if (running) timer = setTimeout(() => fill().catch(() => {}), POLL_SECONDS * 1000);
  }

  await fill();
  return () => clearTimeout(timer);
}

function storeCard(store) {
  return h(
    "section",
    { class: "card store", "aria-label": store.name },
    h("h2", {}, store.name),
    store.problem ? h("p", { class: "trouble-line" }, store.problem) : null,
    !store.problem && !store.runs.length ? h("p", { class: "quiet" }, "There are no runs in it yet.") : null,
    h("ul", { class: "runs" }, store.runs.map((run) => h("li", {}, runLink(store, run)))),
    store.more ? h("p", { class: "quiet" }, `${count(store.more, "older run")} not listed.`) : null,
  );
}

function runLink(store, run) {
  return h(
    "a",
    { class: "run", href: `#/run/${store.id}/${run.id}` },
    h("span", { class: "title" }, `Run ${run.id}`),
    stateBadge(run.state),
    h("span", { class: "quiet" }, [moment(run.began), run.seconds ? duration(run.seconds) : ""].filter(Boolean).join(", ")),
    counts(run.outcomes),
    h("code", {}, run.command),
  );
}
