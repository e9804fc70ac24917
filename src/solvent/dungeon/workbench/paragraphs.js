// Words for a page, from words for a terminal.

import { h } from "/static/dom.js";

// What an answer says comes in lines of a terminal: numbered ones are a list, a run of moves ends its paragraph.
export function paragraphs(lines) {
  const made = [];
  const into = (tag) => (made.at(-1)?.localName === tag && !made.at(-1).matches(".ended") ? made.at(-1) : made[made.push(h(tag, {})) - 1]);
  for (const line of lines.map((each) => each.trim())) {
    const numbered = line.match(/^\d+\. (.*)/);
    if (numbered) into("ol").append(h("li", {}, numbered[1]));
    else if (/^[NESWur\d ]+$/.test(line)) {
      const last = into("p");
      last.append(" ", h("code", {}, line));
      last.classList.add("ended");
    } else into("p").append(into("p").textContent ? " " : "", line);
  }
  return made;
}
