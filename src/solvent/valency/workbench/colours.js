// Colours that are worked out here: what a node that is not decided looks like, and how much there is to choose from.

import { h } from "/static/dom.js";

// A colour of the page as it is now, light or dark.
export function colourNow(name) {
  const probe = h("i", { style: { color: `var(${name})` } });
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function read(paint) {
  if (paint.startsWith("rgb")) return paint.match(/[\d.]+/g).slice(0, 3).map(Number);
  const digits = paint.replace("#", "").trim();
  const full = digits.length === 3 ? [...digits].map((each) => each + each).join("") : digits;
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16));
}

const write = (parts) => `rgb(${parts.map(Math.round).join(" ")})`;

const mix = (one, other, share) => one.map((part, number) => part + (other[number] - part) * share);

// One paint for each set of candidates: the average of what may stand there, by weight, mostly faded into the ground.
export function undecidedPaints(page, ground) {
  const base = read(ground);
  if (!page.candidate_sets) return null;
  const paints = page.modules.map((module) => read(module.paint));
  return page.candidate_sets.map((modules) => {
    if (!modules.length) return write(base);
    let total = 0;
    const sum = [0, 0, 0];
    for (const number of modules) {
      const weight = Math.max(page.modules[number].weight, 1e-9);
      total += weight;
      paints[number].forEach((part, at) => (sum[at] += weight * part));
    }
    return write(mix(base, sum.map((part) => part / total), 0.3));
  });
}

const FEW = [28, 58, 94];
const MANY = [226, 236, 245];

// The paint of a number of candidates, the darker the fewer, and the ink that reads on it.
export function countPaint(number, most) {
  if (number < 1) return { paint: "#c41c14", ink: "#fff" };
  const share = most > 1 ? Math.log(number) / Math.log(most) : 0.5;
  return { paint: write(mix(FEW, MANY, share)), ink: share < 0.55 ? "#fff" : "#1b1b1b" };
}
