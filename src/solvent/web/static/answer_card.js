// An answer as people see it: the verdict, that it was checked, what it holds, the proof to keep, and the same by
// command and in Python.

import { statusBadge } from "./badges.js";
import { button, copy, h, save } from "./dom.js";
import { baseName } from "./format.js";

// `more` are elements of the domain's own, such as a button to play the solution; `second` is room for a second opinion.
export function answerCard(answer, { asks = "", name = "instance", more = [], second = null } = {}) {
  return h(
    "article",
    { class: `card answer ${answer.status.toLowerCase()} ${answer.verdict.toLowerCase()}`, "aria-label": answer.line },
    h(
      "header",
      {},
      statusBadge(answer),
      h("span", { class: "asks" }, asks || answer.question, " ", h("strong", { class: "word" }, answer.verdict)),
      h("span", { class: "quiet" }, `${answer.seconds.toFixed(2)} s`),
    ),
    answer.reason ? h("p", {}, answer.reason) : null,
    checkedLine(answer, name),
    second,
    more,
    answer.description.length ? h("details", {}, h("summary", {}, "In words"), h("pre", { class: "lines" }, answer.description.join("\n"))) : null,
    Object.keys(answer.stats).length ? h("details", {}, h("summary", {}, "What was counted"), statsTable(answer.stats)) : null,
    sameCard(answer),
  );
}

function checkedLine(answer, name) {
  if (answer.verdict === "UNKNOWN") return h("p", { class: "quiet" }, "That says nothing about the instance itself.");
  if (!answer.certified) return h("p", { class: "quiet" }, "Not certified: no proof was asked for.");
  return certificateLine(answer.certificate, name, answer.question);
}

// That the checker has accepted a certificate, and what it accepted; `what` is in the name of the file.
export function certificateLine(certificate, name, what) {
  const file = `${baseName(name) || "instance"}.${what}.certificate.json`;
  return h(
    "p",
    { class: "checked" },
    h("span", { "aria-hidden": "true" }, "✓ "),
    `Checked: ${certificate.form}. `,
    button("Download the certificate", () => save(file, JSON.stringify(certificate, null, 1), "application/json"), { class: "link" }),
  );
}

// A hint in words; `actions` are buttons, such as one that takes the step.
export function hintCard(hint, ...actions) {
  const isWarning = (line) => line.startsWith("Careful!");
  return h(
    "article",
    { class: `card hint ${hint.lost ? "lost" : ""}` },
    h("p", {}, h("strong", {}, hint.caption)),
    hint.where ? h("p", { class: "quiet" }, hint.where) : null,
    hint.narrative.split("\n").filter(Boolean).map((line) => h("p", { class: isWarning(line) ? "warning" : null }, isWarning(line) ? h("span", { "aria-hidden": "true" }, "⚠ ") : null, line)),
    h("div", { class: "row" }, actions),
  );
}

export function sameCard({ command, python }) {
  return h(
    "details",
    { class: "same" },
    h("summary", {}, "The same by command and in Python"),
    [command, `import solvent\n${python}`].map((code) =>
      h("div", { class: "code" }, h("pre", { tabindex: 0 }, code), button("Copy", () => copy(code), { "aria-label": `Copy ${code}` })),
    ),
  );
}

function statsTable(stats) {
  return h(
    "table",
    { class: "stats" },
    h(
      "tbody",
      {},
      Object.entries(stats)
        .filter(([, value]) => value === null || typeof value !== "object")
        .map(([name, value]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name.replaceAll("_", " ")),
            h("td", {}, typeof value === "number" ? value.toLocaleString("en") : String(value)),
          ),
        ),
    ),
  );
}
