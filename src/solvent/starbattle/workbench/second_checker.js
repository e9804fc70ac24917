// Star Battle, a second opinion: the rules and the clauses as docs/reference/certificates-starbattle.md states them.
// Not translated from Solvent's checker. Imports nothing, so that it also runs outside the page.

// Return all violations of a certificate about a board.
function check(text, certificate, { badInput, notChecked, refutationProblem }) {
  const board = readBoard(text, badInput, notChecked);
  const claim = `${certificate.question}: ${certificate.verdict}`;
  const form = FORMS[certificate.form];
  if (!form) {
    if (["explained step", "explained chain"].includes(certificate.form)) notChecked(`the form '${certificate.form}' is not covered by this checker`);
    return [`there is no form '${certificate.form}'`];
  }
  if (!form.proves.includes(claim)) return [`the form '${certificate.form}' does not prove ${claim}`];
  return form.violations(board, certificate, refutationProblem);
}

const FORMS = {
  stars: { proves: ["solvable: YES"], violations: (board, { stars }) => starViolations(board, stars, "stars") },
  "two solutions": { proves: ["unique: NO"], violations: (board, { solutions }) => twoViolations(board, solutions) },
  "only solution": { proves: ["unique: YES"], violations: onlyViolations },
  refutation: {
    proves: ["solvable: NO", "unique: NO"],
    violations: (board, { proof }, problem) => proofViolations(boardClauses(board), proof, problem),
  },
};

// --- The board: {size, stars, region, mark}; region and mark by cell, row by row. -----------------------------------

function readBoard(text, badInput, notChecked) {
  if (/^\s*[[{]/.test(text)) return readQueens(text, badInput);
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, "").trim()).filter(Boolean);
  const head = /^(\d{1,2})\s+(\d)$/.exec(lines[0] ?? "");
  if (!head) return notChecked("this checker reads the formats 'grid' and 'queens'; 'solvent convert FILE --to grid' writes the first");
  const [size, stars] = [Number(head[1]), Number(head[2])];
  const rows = lines.slice(1);
  if (rows.length !== size && rows.length !== 2 * size) badInput(`expected ${size} rows, or as many again with marks, got ${rows.length}`);
  const marks = rows.slice(size).join("") || ".".repeat(size * size);
  if (rows.some((row) => row.length !== size)) badInput(`each row must have ${size} cells`);
  if (/[^*x.]/.test(marks)) badInput("marks are *, x and .");
  return wellFormed({ size, stars, region: [...rows.slice(0, size).join("")], mark: [...marks] }, badInput);
}

function readQueens(text, badInput) {
  let given;
  try {
    given = JSON.parse(text);
  } catch (error) {
    badInput(`the board is no JSON: ${error.message}`);
  }
  const rows = Array.isArray(given) ? given : given.colorRegions;
  if (!Array.isArray(rows) || rows.some((row) => !Array.isArray(row) || row.length !== rows.length)) badInput("colorRegions: expected rows of one length");
  const marks = [given.marks ?? rows.map((row) => ".".repeat(row.length))].flat(2).join("");
  if (marks.length !== rows.length ** 2 || /[^*x.]/.test(marks)) badInput("marks: expected one of *, x and . for each cell");
  return wellFormed({ size: rows.length, stars: given.stars ?? 1, region: rows.flat().map(String), mark: [...marks] }, badInput);
}

function wellFormed(board, badInput) {
  const { size, stars, region } = board;
  if (!(size >= 4 && size <= 25)) badInput(`size: expected 4 to 25, got ${size}`);
  if (!(Number.isInteger(stars) && stars >= 1 && stars <= 6 && 4 * stars <= size)) badInput(`stars: expected 1 to 6 and no more than size / 4, got ${stars}`);
  if (new Set(region).size !== size) badInput(`expected ${size} regions, got ${new Set(region).size}`);
  return board;
}

function cellsOf(board) {
  return board.region.map((_, cell) => cell);
}

// The cells of each row, each column and each region, with what to call them.
function units(board) {
  const { size, region } = board;
  const cells = cellsOf(board);
  const lines = [...Array(size).keys()];
  return [
    ...lines.map((row) => ({ name: `row ${row + 1}`, cells: cells.filter((cell) => Math.floor(cell / size) === row) })),
    ...lines.map((column) => ({ name: `column ${column + 1}`, cells: cells.filter((cell) => cell % size === column) })),
    ...[...new Set(region)].map((letter) => ({ name: `region ${letter}`, cells: cells.filter((cell) => region[cell] === letter), isRegion: true })),
  ];
}

function touch(board, a, b) {
  const rows = Math.abs(Math.floor(a / board.size) - Math.floor(b / board.size));
  const columns = Math.abs((a % board.size) - (b % board.size));
  return a !== b && rows <= 1 && columns <= 1;
}

// --- Solutions. -----------------------------------------------------------------------------------------------------

function isCell(board, cell) {
  return Array.isArray(cell) && cell.length === 2 && cell.every((number) => Number.isInteger(number) && number >= 0 && number < board.size);
}

function numbersOf(board, stars) {
  return stars.map(([row, column]) => row * board.size + column);
}

function starViolations(board, stars, key) {
  if (!Array.isArray(stars) || !stars.every((cell) => isCell(board, cell))) return [`${key}: expected a list of cells on the board`];
  const chosen = numbersOf(board, stars);
  const found = new Set(chosen);
  const name = (cell) => `r${Math.floor(cell / board.size) + 1}c${(cell % board.size) + 1}`;
  const violations = [];
  for (const cell of found) if (chosen.filter((other) => other === cell).length > 1) violations.push(`${key}: ${name(cell)} is there more than once`);
  for (const unit of units(board)) {
    const count = unit.cells.filter((cell) => found.has(cell)).length;
    if (count !== board.stars) violations.push(`${key}: ${unit.name} has ${count} stars, not ${board.stars}`);
  }
  for (const a of found) for (const b of found) if (a < b && touch(board, a, b)) violations.push(`${key}: ${name(a)} and ${name(b)} touch`);
  for (const cell of cellsOf(board)) {
    if (board.mark[cell] === "*" && !found.has(cell)) violations.push(`${key}: ${name(cell)} is marked as a star`);
    if (board.mark[cell] === "x" && found.has(cell)) violations.push(`${key}: ${name(cell)} is marked with a cross`);
  }
  return violations;
}

function twoViolations(board, solutions) {
  if (!Array.isArray(solutions) || solutions.length !== 2) return ["solutions: expected two lists of cells"];
  const violations = solutions.flatMap((stars, number) => starViolations(board, stars, `solution ${number + 1}`));
  if (violations.length) return violations;
  const [one, other] = solutions.map((stars) => new Set(numbersOf(board, stars)));
  return [...one].every((cell) => other.has(cell)) ? ["the two solutions are the same"] : [];
}

function onlyViolations(board, { stars, proof }, problem) {
  const violations = starViolations(board, stars, "stars");
  if (violations.length) return violations;
  const another = numbersOf(board, stars).map((cell) => -(1 + cell));
  return proofViolations([...boardClauses(board), another], proof, problem);
}

function proofViolations(clauses, proof, problem) {
  if (typeof proof !== "string") return ["proof: expected text"];
  const found = problem(clauses, proof);
  return found === null ? [] : [found];
}

// --- What a refutation refutes: the rules as clauses. ---------------------------------------------------------------

function boardClauses(board) {
  const { size, stars } = board;
  const cells = cellsOf(board);
  const variable = (cell) => 1 + cell;
  const clauses = [];
  for (const a of cells) for (const b of cells) if (a < b && touch(board, a, b)) clauses.push([-variable(a), -variable(b)]);
  for (const cell of cells) {
    if (board.mark[cell] === "*") clauses.push([variable(cell)]);
    if (board.mark[cell] === "x") clauses.push([-variable(cell)]);
  }

  const numbering = { last: size * size };
  const half = (places) => Math.ceil(places / 2);
  const all = units(board);
  const rows = all.slice(0, size);
  const columns = all.slice(size, 2 * size);
  for (const line of [...rows, ...columns]) {
    count(clauses, numbering, line.cells.map((cell) => [variable(cell)]), stars, half, true);
  }
  if (stars >= 4)
    for (const lines of [rows, columns])
      for (let first = 0; first + 1 < size; first++) {
        const places = lines[first].cells.map((cell, place) => [variable(cell), variable(lines[first + 1].cells[place])]);
        count(clauses, numbering, places, 2 * stars, half, true);
      }
  for (const { cells: region } of all.slice(2 * size)) {
    const places = blocks(board, region).map((block) => block.map(variable));
    count(clauses, numbering, places, stars, (number) => number, false);
  }
  return clauses;
}

// Cut a region into blocks, each within 2×2 cells.
function blocks(board, region) {
  const left = new Set(region);
  const found = [];
  for (const cell of region) {
    if (!left.has(cell)) continue;
    const block = [cell, cell + 1, cell + board.size, cell + board.size + 1].filter((other) => left.has(other) && (other === cell || touch(board, cell, other)));
    for (const other of block) left.delete(other);
    found.push(block);
  }
  return found;
}

// Say that exactly `total` stars stand on the places, each a list of variables of which one can be true at most;
// `room(i)` stars at most stand on i places in a row.
function count(clauses, numbering, places, total, room, isLine) {
  const length = places.length;
  if (room(length) < total) {
    clauses.push([]);
    return;
  }
  const star = places.map((place) => (place.length === 1 ? place[0] : ++numbering.last));
  places.forEach((place, at) => {
    if (place.length === 1) return;
    clauses.push([-star[at], ...place]);
    for (const cell of place) clauses.push([star[at], -cell]);
    if (isLine && at && places[at - 1].length > 1) clauses.push([-star[at - 1], -star[at]]);
  });

  // reach[i][j]: at least j stars stand on the first i places; true, false or a variable.
  const reach = [];
  for (let i = 0; i <= length; i++) {
    reach.push([]);
    for (let j = 0; j <= total + 1; j++) {
      if (j <= total - room(length - i) || j === 0) reach[i].push(true);
      else if (j > Math.min(total, room(i))) reach[i].push(false);
      else reach[i].push(++numbering.last);
    }
  }
  const not = (literal) => (typeof literal === "boolean" ? !literal : -literal);
  const say = (...literals) => {
    if (!literals.includes(true)) clauses.push(literals.filter((literal) => literal !== false));
  };
  for (let i = 1; i <= length; i++)
    for (let j = 1; j <= total + 1; j++) {
      const [here, same, less] = [reach[i][j], reach[i - 1][j], reach[i - 1][j - 1]];
      say(not(same), here);
      say(not(less), -star[i - 1], here);
      say(not(here), less);
      say(not(here), same, star[i - 1]);
    }
}

export { check };
