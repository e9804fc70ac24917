// What went wrong, in place: the message, where it stands in the text, and the line itself.

import { h, withCode } from "./dom.js";

export function errorCard(error, text = null) {
  const where = error.where ?? {};
  const line = text !== null && where.line ? text.split(/\r?\n/)[where.line - 1] : undefined;
  return h(
    "section",
    { class: "card trouble", role: "alert" },
    h("p", {}, h("strong", {}, titles[error.kind] ?? "That did not work. "), withCode(error.message)),
    line !== undefined && line !== ""
      ? h(
          "pre",
          { class: "line" },
          h("span", { class: "quiet" }, `${where.line} │ `),
          line.slice(0, 200),
          where.column ? `\n${" ".repeat(`${where.line} │ `.length + where.column - 1)}▲` : null,
        )
      : null,
  );
}

const titles = {
  instance: "This cannot be read. ",
  option: "That cannot be done. ",
  generation: "Nothing was found. ",
  certificate: "The proof was rejected. ",
  busy: "One moment. ",
  killed: "It was too much. ",
  too_large: "That is too large. ",
  token: "Not let in. ",
};
