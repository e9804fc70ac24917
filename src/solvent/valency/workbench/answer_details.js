// What an answer or explanation adds to its card: files to take away, nodes that are left out, changes that would help.

import { button, h } from "/static/dom.js";
import { figure } from "/static/format.js";

const MAX_LISTED = 30;

// A button for each kind of file that can hold this fill.
export function downloads(bench, answer) {
  const { page } = bench.loaded;
  const fits = (ending) => (ending !== "tmj" || page.kind === "square") && (ending !== "gif" || Boolean(answer.stats.order));
  return h(
    "div",
    { class: "valency downloads" },
    h("h3", {}, "Download"),
    h(
      "div",
      { class: "row" },
      Object.entries(bench.domain.exports)
        .filter(([ending]) => fits(ending))
        .map(([ending, help]) => button(ending.toUpperCase(), () => bench.export(answer, ending), { title: help })),
    ),
  );
}

// The nodes that a partial fill leaves out, each with its reason.
export function leftOutList(part, answer) {
  const entries = answer.certificate?.left_out ?? [];
  if (!entries.length) return null;
  const { geometry } = part.board;
  return h(
    "div",
    { class: "valency" },
    h("h3", {}, `Left out: ${figure(entries.length)}`),
    h(
      "ul",
      { class: "left-out-list" },
      entries.slice(0, MAX_LISTED).map(({ node, proof }) =>
        h(
          "li",
          {},
          h("span", { class: proof === undefined ? "sign open" : "sign", "aria-hidden": "true" }, proof === undefined ? "?" : "✗"),
          button(geometry.name(node), () => part.board.select(node), { class: "link" }),
          " ",
          part.reasons.get(node) ?? (proof === undefined ? "given up on" : "proved impossible"),
        ),
      ),
      entries.length > MAX_LISTED ? h("li", { class: "quiet" }, `… and ${entries.length - MAX_LISTED} more`) : null,
    ),
    button("What removed each candidate?", () => part.bench.explain(), {}),
  );
}

// Read from an answer in words why each node is left out: lines such as "  (6, 4): proved impossible. …", folded.
export function reasonsIn(answer, geometry) {
  const sentences = [];
  for (const line of answer.description) {
    if (line.startsWith("    ") && sentences.length) sentences[sentences.length - 1] += ` ${line.trim()}`;
    else if (line.startsWith("  ")) sentences.push(line.trim());
  }
  const reasons = new Map();
  for (const { node } of answer.certificate.left_out ?? []) {
    const name = `${geometry.name(node)}: `;
    const found = sentences.find((sentence) => sentence.startsWith(name));
    if (found) reasons.set(node, found.slice(name.length));
  }
  return reasons;
}

// Changes that are known to help, each to be made with one click.
export function suggestionList(bench, suggestions) {
  if (!suggestions.length) return null;
  return h(
    "div",
    { class: "valency" },
    h("h3", {}, "Try it"),
    h(
      "ul",
      { class: "suggestions" },
      suggestions.map(({ words, task }) =>
        h("li", {}, button("Apply", () => bench.attempt(() => bench.setText(task, { action: { fix: true } })), { "aria-label": `Apply: ${words}` }), " ", words),
      ),
    ),
  );
}
