// Two runs compared: what changed its verdict, what got faster or slower, what only one of them has.

import { about, get } from "../api.js";
import { chartFigure } from "./charts.js";
import { definitions, h, show, stylesheet } from "../dom.js";
import { outcomeBadge, outcomeOf, stateBadge } from "../badges.js";
import { errorCard } from "../error_card.js";
import { duration, figure, moment } from "../format.js";

export async function open(place, [, store, run, otherStore, otherRun]) {
  stylesheet("/static/runs/runs.css");
  const stopper = new AbortController();
  const body = h("div", {}, h("p", { class: "quiet", role: "status" }, "Comparing…"));
  place.append(h("p", { class: "crumbs" }, h("a", { href: "#/runs" }, "Runs"), " › compared"), h("h1", {}, "Two runs compared"), body);
  const parts = [store, run, "compared", otherStore, otherRun].map((part) => encodeURIComponent(part ?? ""));
  Promise.all([get(`/api/runs/${parts.join("/")}`, stopper.signal), about()])
    .then(([found, { domains }]) => {
      if (body.isConnected) document.title = `Runs ${found.before.id} and ${found.after.id} of ${found.after.store_name} compared · Solvent`;
      showCompared(body, found, domains);
    })
    .catch((error) => error.name === "AbortError" || show(body, errorCard(error)));
  return () => stopper.abort();
}

function showCompared(body, found, domains) {
  const badge = (question, { domain, kind, certified }) => outcomeBadge(outcomeOf(kind, domains.find(({ name }) => name === domain)?.passing[question]), kind, certified);
  const to = (side, number, question) => `#/result/${side.store}/${side.id}/${number}/${encodeURIComponent(question)}`;
  show(
    body,
    h("p", { class: "lead" }, found.sentence),
    found.times ? h("p", {}, found.times) : null,
    found.warnings.map((warning) => h("p", { class: "quiet" }, warning)),
    h("div", { class: "sides" }, side("Before", found.before), side("After", found.after)),
    h("ul", { class: "figures" }, figures(found).map(([value, what]) => h("li", { class: "card" }, h("strong", {}, figure(value)), h("span", { class: "quiet" }, what)))),
    found.changes.map((changed) => changesSection(changed, found, to, badge)),
    found.chart ? chartFigure({ title: "Time after against time before", caption: "Below the line is faster; marks show the later verdict and lead to it.", svg: found.chart, kind: "against" }, found.marks) : null,
    aloneSection("Only before", found.gone, found.gone_seen, (each) => to(found.before, each.side.number, each.question), badge),
    aloneSection("Only after", found.new, found.new_seen, (each) => to(found.after, each.side.number, each.question), badge),
  );
}

function side(title, run) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, title),
    h("p", {}, h("a", { href: `#/run/${run.store}/${run.id}` }, `${run.store_name}, run ${run.id}`), " ", stateBadge(run.state)),
    h("p", { class: "quiet" }, moment(run.began)),
    run.problem ? h("p", { class: "trouble-line", role: "alert" }, run.problem) : null,
    definitions(run.facts),
  );
}

function figures(found) {
  const seen = Object.fromEntries(found.changes.map(({ change, seen }) => [change, seen]));
  return [
    [found.matched, "answers in both"],
    [found.same_verdict, "with the same verdict"],
    [seen.contradicted ?? 0, "contradicted"],
    [seen.lost ?? 0, "lost"],
    [seen.gained ?? 0, "gained"],
    [seen.faster ?? 0, "faster"],
    [seen.slower ?? 0, "slower"],
  ];
}

function changesSection(changed, found, to, badge) {
  const timed = changed.change === "faster" || changed.change === "slower";
  return h(
    "section",
    { class: `card changed ${changed.change}` },
    h("h2", {}, `${changed.heading} (${figure(changed.seen)})`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": changed.heading },
      h(
        "table",
        { class: "results" },
        h("thead", {}, h("tr", {}, ["Name", "Question", "Before", "After", timed ? "Ratio" : null].filter(Boolean).map((title) => h("th", { scope: "col" }, title)))),
        h(
          "tbody",
          {},
          changed.pairs.map((pair) =>
            h(
              "tr",
              {},
              h("td", { class: "name" }, h("a", { href: to(found.after, pair.after.number, pair.question), title: pair.after.name }, pair.after.name.split("/").slice(-2).join("/"))),
              h("td", {}, pair.question),
              h("td", {}, badge(pair.question, pair.before), " ", h("a", { class: "quiet", href: to(found.before, pair.before.number, pair.question) }, duration(pair.before.seconds))),
              h("td", {}, badge(pair.question, pair.after), " ", h("span", { class: "quiet" }, duration(pair.after.seconds))),
              timed ? h("td", {}, ratio(pair)) : null,
            ),
          ),
        ),
      ),
    ),
    changed.seen > changed.pairs.length ? h("p", { class: "quiet" }, `${figure(changed.seen - changed.pairs.length)} more are not listed.`) : null,
  );
}

function ratio({ before, after }) {
  const times = before.seconds / Math.max(1e-9, after.seconds);
  return times > 1 ? `${short(times)}× as fast` : `${short(1 / times)}× as slow`;
}

const short = (times) => (times < 10 ? times.toPrecision(2) : figure(Math.round(times)));

function aloneSection(title, listed, seen, to, badge) {
  if (!seen) return null;
  return h(
    "details",
    { class: "card" },
    h("summary", {}, `${title} (${figure(seen)})`),
    h("ul", {}, listed.map((each) => h("li", {}, h("a", { href: to(each) }, each.side.name), ` ${each.question} `, badge(each.question, each.side)))),
  );
}
