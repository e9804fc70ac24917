// The puzzle of the day: made from the date, the same for everyone, harder from Monday to Sunday.

import { domainNamed, work } from "./api.js";
import { h, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { count } from "./format.js";
import { Jobs } from "./jobs.js";
import { split } from "./puzzle_names.js";
import { linkTo } from "./share.js";
import { allSolved, solvedMark } from "./solved_store.js";

const DAY = 24 * 3600 * 1000;

// The day on the reader's own calendar: "2026-11-18".
export const dayOf = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
const noon = (day) => new Date(`${day}T12:00:00`); // no change of clocks moves it to another day
const weekday = (day) => (noon(day).getDay() + 6) % 7; // from Monday
const dailyKey = (domain, day) => `${domain.name}/daily-${day}.txt`;
const said = (day, how) => noon(day).toLocaleDateString("en-GB", how);

export const hasDaily = (domain) => domain.daily.length === 7;

const dailyTitle = (domain, day) => `Daily ${split(domain.title)[0]}, ${said(day, { day: "numeric", month: "long", year: "numeric" })}`;

// How many days in a row were solved, up to today; a day that is not over yet breaks nothing.
export function streak(domain, today, solved = allSolved()) {
  const isSolved = (back) => dailyKey(domain, dayOf(new Date(noon(today) - back * DAY))) in solved;
  const first = isSolved(0) ? 0 : 1;
  let back = first;
  while (isSolved(back)) back++;
  return back - first;
}

// The section on top of the gallery.
export function todaySection(domains, today = dayOf(new Date())) {
  const solved = allSolved();
  const card = (domain) => {
    const days = streak(domain, today, solved);
    return h(
      "a",
      { class: "card daily", href: `#/daily/${domain.name}/${today}` },
      h("strong", {}, `Daily ${split(domain.title)[0]}`),
      h("span", { class: "pips", role: "img", "aria-label": `Difficulty ${weekday(today) + 1} of 7` }, "●".repeat(weekday(today) + 1), h("i", {}, "●".repeat(6 - weekday(today)))),
      days > 1 ? h("span", { class: "quiet" }, `${count(days, "day")} in a row`) : null,
      solvedMark(dailyKey(domain, today), solved),
    );
  };
  return h(
    "section",
    { class: "domain today", "aria-labelledby": "today" },
    h("div", { class: "heading" }, h("h2", { id: "today" }, "Today"), h("p", { class: "quiet" }, `${said(today, { weekday: "long", day: "numeric", month: "long" })}: the same for everyone, and harder every day until Sunday.`)),
    h("ul", { class: "cards" }, domains.filter(hasDaily).map((domain) => h("li", {}, card(domain)))),
  );
}

// #/daily/DOMAIN/2026-11-18: make the puzzle and go to it. Without a day it is today's.
export async function open(place, [, name, day = dayOf(new Date())]) {
  if (!name) return location.replace("#/"); // where there is one for each domain
  const domain = await domainNamed(name);
  if (!domain || !hasDaily(domain)) throw new Error(`There is no daily puzzle of ${name}.`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(noon(day).getTime())) throw new Error(`Expected a day such as 2026-11-18, found ${day}.`);
  const title = dailyTitle(domain, day);
  const bar = h("div", { class: "jobs" });
  const jobs = new Jobs(bar);
  document.title = `${title} · Solvent`;
  place.append(h("h1", {}, title), bar);
  make(); // the page shows how it gets on
  return () => jobs.stop();

  async function make() {
    try {
      const body = { domain: name, seed: Number(day.replaceAll("-", "")), options: domain.daily[weekday(day)] };
      const loaded = await jobs.run("Making today's puzzle…", (signal, progress) => work("generate", body, { signal, on: { progress } }));
      if (loaded) location.replace(await linkTo(name, loaded.text, { name: `daily-${day}.txt`, title }));
    } catch (error) {
      show(bar, errorCard(error));
    }
  }
}
