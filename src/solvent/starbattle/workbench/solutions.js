// The stars of an answer on the board: one solution over the player's own marks, or two side by side.

import { Board } from "./board.js";
import { h } from "/static/dom.js";
import { isPhone } from "./screen.js";

// Return the solutions that a certificate holds, as lists of cells; none if it holds none.
export function solutionsIn(certificate, size) {
  const cells = (pairs) => pairs.map(([row, col]) => row * size + col);
  switch (certificate?.form) {
    case "stars":
    case "only solution":
      return [cells(certificate.stars)];
    case "two solutions":
      return certificate.solutions.map(cells);
    case "explained chain":
      return [cells(certificate.steps.flatMap(({ stars }) => stars))];
    default:
      return [];
  }
}

// Two boards side by side, with rings where they differ.
export function twoBoards(page, marks, [one, other]) {
  const differing = one.filter((cell) => !other.includes(cell)).concat(other.filter((cell) => !one.includes(cell)));
  const pairs = differing.map((cell) => [Math.floor(cell / page.size), cell % page.size]);
  const drawn = [one, other].map((stars, index) => {
    const caption = index === 0 ? "First solution" : "Second solution";
    const board = new Board(page, { label: `${caption}: stars on ${stars.length} cells`, playable: false, numbered: !isPhone() });
    board.showMarks(marks.replaceAll("x", "."), stars);
    board.showHint({ rings: pairs });
    return h("figure", {}, h("figcaption", {}, caption), board.element);
  });
  return h("div", { class: "two" }, drawn);
}
