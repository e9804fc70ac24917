// What answers and explanations add: walks to watch, marks on the map, fixes to use.

import { button, h } from "/static/dom.js";
import { count } from "/static/format.js";
import { paragraphs } from "./paragraphs.js";
import { fixList } from "./repairs.js";

export const FIXES = "Fixes"; // the section that is shown as a list with buttons

export function answers(page) {
  const { bench } = page;

  // `base` is the position that was asked about; the player may have walked on since. Nothing is shown on the map but
  // what was asked for: a solution has a button of its own.
  function answered(answer, base) {
    const { certificate } = answer;
    page.badge.learn(answer, base);
    const more = [];
    if (answer.stats.heat?.length && isShown(base)) {
      page.lookAt("map");
      page.marks.heat(answer.stats.heat);
      more.push(markButton("Show the heat map", () => page.marks.heat(answer.stats.heat)));
    }
    if (!certificate) return more;
    if (certificate.form === "plan") return [...more, ...plan(base, certificate)];
    if (certificate.form === "lost walk" && certificate.walk.length) return [...more, ...lostWalk(base, answer)];
    if (answer.marks?.reach?.length && isShown(base)) more.push(markButton("Show what can be reached", () => page.marks.reach(answer.marks)));
    const isNew = answer.description.join(" ") !== answer.reason;
    return [isNew ? h("div", { class: "how" }, paragraphs(answer.description)) : null, ...more];
  }

  const isShown = (loaded) => loaded.page.picture.id === page.map.picture.id;

  function plan(base, { plan: moves }) {
    if (!moves.length) return [h("p", {}, "The goal is reached already.")];
    const watch = () => page.watch(base, moves, { title: "The plan" });
    return [h("p", {}, `It takes ${count(moves.length, "move")}.`), h("div", { class: "row" }, watchButton("Show the plan", watch))];
  }

  function watchButton(label, watch) {
    return button(label, async () => {
      page.lookUp();
      await watch();
    });
  }

  // A button that puts marks on the map.
  function markButton(label, mark) {
    return button(label, () => {
      page.lookUp();
      mark();
    });
  }

  function lostWalk(base, { certificate, marks = {} }) {
    const { walk, rescue } = certificate;
    const onend = (isEnd) => {
      if (isEnd && marks.reach) page.marks.reach(marks);
      else if (page.marks.kind === "reach") page.marks.clear();
    };
    const lose = () => page.watch(base, walk, { title: "A walk that loses", lost: true, onend });
    const save = () => page.watch(base, [...walk.slice(0, -1), ...rescue], { title: "The way out just before" });
    return [
      h("p", {}, `After ${count(walk.length, "move")} the goal can be out of reach. The last one is the moment of no return; one move before it, ${count(rescue.length, "move")} still lead to the goal.`),
      h("div", { class: "row" }, watchButton("Show the walk", lose), watchButton("Show the way out", save)),
    ];
  }

  function explained({ data, sections }, about) {
    if (!data.spheres) return [];
    const isHere = () => bench.loaded.text === about.text;
    const spheres = () => {
      page.player?.close();
      page.lookAt("map");
      page.marks.spheres(data);
    };
    if (isHere()) spheres();
    return [
      h("div", { class: "row" }, markButton("Show the spheres on the map", spheres)),
      data.fixes.length ? [h("h3", {}, "Fixes"), linesBeside(sections), fixes(data, isHere)] : null,
    ];
  }

  function fixes(data, isHere) {
    return fixList(bench, data, {
      apply: async (fix) => {
        if (!isHere()) {
          page.say("The dungeon has changed since. Explain it again.", "refused");
          return false;
        }
        if (!(await page.change({ do: "fix", text: fix.text }))) return false;
        page.marks.change(fix.where.flat());
        return true;
      },
      point: (fix) => {
        page.lookAt("map");
        page.lookUp();
        page.marks.change(fix.where.flat());
      },
    });
  }

  return { answered, explained };
}

// What an explanation says of its fixes, beside listing them.
function linesBeside(sections) {
  const lines = sections.find((section) => section.heading === FIXES)?.lines ?? [];
  return lines.filter((line) => !/^\d/.test(line)).map((line) => h("p", {}, line));
}
