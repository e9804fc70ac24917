// Star Battle, a second opinion: the rules and the clauses as docs/reference/certificates-starbattle.md states them.
// Not translated from Solvent's checker. Imports nothing, so that it also runs outside the page.

// Return all violations of a certificate about a board.
function check(text, certificate, { badInput, notChecked, refutationProblem }) {
  const board = readBoard(text, badInput, notChecked);
  const claim = `${certificate.question}: ${certificate.verdict}`;
  const form = FORMS[certificate.form];
  if (!form) {
    if (["explained step", "explained chain", "free cell"].includes(certificate.form)) notChecked(`the form '${certificate.form}' is not covered by this checker`);
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
    violations: (board, body, problem) => noOtherViolations(board, body, null, problem),
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

function onlyViolations(board, body, problem) {
  const violations = starViolations(board, body.stars, "stars");
  return violations.length ? violations : noOtherViolations(board, body, numbersOf(board, body.stars), problem);
}

// What shows that there is no solution, or none but these stars: a refutation of clauses, or cases.
function noOtherViolations(board, { proof = null, cases = null }, stars, problem) {
  if ((proof === null) === (cases === null)) return ["expected either a proof or cases"];
  if (cases !== null) return caseViolations(board, cases, stars);
  const clauses = boardClauses(board);
  if (stars) clauses.push(stars.map((cell) => -(1 + cell)));
  return proofViolations(clauses, proof, problem);
}

function proofViolations(clauses, proof, problem) {
  if (typeof proof !== "string") return ["proof: expected text"];
  const found = problem(clauses, proof);
  return found === null ? [] : [found];
}

// --- Cases: a cell has a star or has none, until counting ends each case. -------------------------------------------

const MOST_BEGUN = 250;

// `known` holds "*", "x" or "." for each cell; `null` in its place is a case that cannot be.
function caseViolations(board, cases, stars) {
  const isEntry = (entry) => Number.isInteger(entry) && entry >= 0 && entry <= board.region.length;
  if (!Array.isArray(cases) || !cases.every(isEntry)) return ["cases: expected a list of numbers of cells, or 0"];
  const counted = counter(board);
  const toDo = [start(board)];
  let at = 0;
  while (toDo.length) {
    if (at === cases.length) return ["cases: they end too early"];
    const entry = cases[at++];
    const known = counted(toDo.pop());
    if (entry === 0) {
      const isSolution = known && stars && stars.every((cell) => known[cell] === "*");
      if (known && !isSolution) return [`cases: counting does not end the one at entry ${at}`];
    } else if (known) {
      if (toDo.length >= board.region.length) return ["cases: more of them within each other than the board has cells"];
      toDo.push({ known, cell: entry - 1, mark: "x" }, { known, cell: entry - 1, mark: "*" });
    } else {
      for (let missing = 2; missing; missing += cases[at++] ? 1 : -1) if (at === cases.length) return ["cases: they end too early"];
    }
  }
  return at === cases.length ? [] : ["cases: there are entries behind the last one"];
}

function start(board) {
  return { known: board.region.map(() => "."), marks: board.mark };
}

// Return a function that puts a mark, or those of the board, and then takes every rule until none says anything new.
function counter(board) {
  const all = units(board);
  const near = board.region.map((_, cell) => cellsOf(board).filter((other) => touch(board, cell, other)));
  const pairs = [0, board.size].flatMap((first) => all.slice(first, first + board.size - 1).map((line, at) => [line.cells, all[first + at + 1].cells]));
  const regions = all.slice(2 * board.size);
  const byTwos = [0, board.size].flatMap((first) => [1, 2].map((begin) => takeByTwos(all.slice(first, first + board.size), begin)));
  const bands = [all.slice(0, board.size), all.slice(board.size, 2 * board.size)];
  return (task) => {
    const known = [...task.known];
    const put = (cell, mark) => {
      if (known[cell] === mark) return false;
      if (known[cell] !== ".") throw IMPOSSIBLE;
      known[cell] = mark;
      if (mark === "*") for (const other of near[cell]) put(other, "x");
      return true;
    };
    const lacking = (cells) => board.stars - cells.filter((cell) => known[cell] === "*").length;
    const context = { board, known, put, near, lacking };
    const some = (list, rule) => list.map((each) => rule(context, each)).includes(true);
    try {
      if (task.marks) task.marks.forEach((mark, cell) => mark !== "." && put(cell, mark));
      else put(task.cell, task.mark);
      while (
        some(all, (_, unit) => countUnit(context, unit.cells)) ||
        some(pairs, countPair) ||
        some(regions, (_, region) => countPlacements(context, region.cells)) ||
        some(byTwos, (_, lines) => countShares(context, lines, regions)) ||
        some(bands, (_, lines) => countBands(context, lines, regions))
      );
    } catch (reason) {
      if (reason !== IMPOSSIBLE) throw reason;
      return null;
    }
    return known;
  };
}

const IMPOSSIBLE = { impossible: true };

// Each rule returns whether it found something out.
function countUnit({ known, put, lacking }, cells) {
  const open = cells.filter((cell) => known[cell] === ".");
  const lacks = lacking(cells);
  if (lacks < 0 || open.length < lacks) throw IMPOSSIBLE;
  if (!open.length || (lacks && lacks < open.length)) return false;
  for (const cell of open) put(cell, lacks ? "*" : "x");
  return true;
}

// Walk along two neighbouring lines: stars on them stand at least two places apart. A count is x + 8 * y for x stars on
// the one and y on the other.
function countPair({ board, known, put }, lines) {
  const length = board.size;
  const goal = board.stars * 9;
  const mark = (line, place) => known[lines[line][place]];
  const mayBeStar = (line, place) => mark(line, place) !== "x" && mark(1 - line, place) !== "*";
  const mayBeEmpty = (place) => mark(0, place) !== "*" && mark(1, place) !== "*";
  const starred = (counts, line) => [...counts].filter((count) => (line ? count >> 3 : count & 7) < board.stars).map((count) => count + (line ? 8 : 1));
  const before = Array.from({ length: length + 2 }, () => new Set());
  before[0].add(0);
  for (let place = 0; place < length; place++) {
    if (mayBeEmpty(place)) for (const count of before[place]) before[place + 1].add(count);
    for (const line of [0, 1]) if (mayBeStar(line, place)) for (const count of starred(before[place], line)) before[place + 2].add(count);
  }
  const from = Array.from({ length: length + 2 }, (_, place) => new Set(place < length ? [] : [0]));
  for (let place = length - 1; place >= 0; place--) {
    if (mayBeEmpty(place)) for (const count of from[place + 1]) from[place].add(count);
    for (const line of [0, 1]) if (mayBeStar(line, place)) for (const count of starred(from[place + 2], line)) from[place].add(count);
  }
  if (!from[0].has(goal)) throw IMPOSSIBLE;
  const found = [];
  let starBefore = false;
  for (let place = 0; place < length; place++) {
    const stars = [0, 1].map((line) => mayBeStar(line, place) && starred(before[place], line).some((count) => from[place + 2].has(goal - count)));
    const isEmpty = starBefore || (mayBeEmpty(place) && [...before[place]].some((count) => from[place + 1].has(goal - count)));
    starBefore = stars[0] || stars[1];
    for (const line of [0, 1]) {
      if (!stars[line] && mark(line, place) !== "x") found.push([lines[line][place], "x"]);
      if (!isEmpty && stars[line] && !stars[1 - line] && mark(line, place) !== "*") found.push([lines[line][place], "*"]);
    }
  }
  for (const [cell, mark] of found) put(cell, mark);
  return found.length > 0;
}

// List the ways to place what a region lacks, and see what they have in common.
function countPlacements({ known, put, near, lacking }, cells) {
  const lacks = lacking(cells);
  const open = cells.filter((cell) => known[cell] === ".");
  if (lacks <= 0 || !open.length) return false;
  const ways = [];
  let begun = 0;
  const more = (chosen, choice) => {
    for (const [at, cell] of choice.entries()) {
      if (++begun > MOST_BEGUN) return;
      const way = [...chosen, cell];
      if (way.length === lacks) ways.push(way);
      else more(way, choice.slice(at + 1).filter((other) => !near[cell].includes(other)));
    }
  };
  more([], open);
  if (begun > MOST_BEGUN) return false;
  if (!ways.length) throw IMPOSSIBLE;
  const touched = ways.map((way) => new Set(way.flatMap((cell) => near[cell])));
  const crosses = [...touched[0]].filter((cell) => touched.every((each) => each.has(cell)));
  crosses.push(...open.filter((cell) => !ways.some((way) => way.includes(cell))));
  const stars = ways[0].filter((cell) => ways.every((way) => way.includes(cell)));
  const news = [...stars.map((cell) => put(cell, "*")), ...crosses.map((cell) => put(cell, "x"))];
  return news.includes(true);
}

function takeByTwos(lines, begin) {
  const pairs = [lines.slice(0, begin)];
  for (let at = begin; at < lines.length; at += 2) pairs.push(lines.slice(at, at + 2));
  return pairs.map((pair) => pair.map(({ cells }) => cells));
}

// Let pairs of lines share out the stars they lack among the regions, to each at most as many as fit there: stars stand
// at least two places apart along a pair. Then see what is the same however they are shared out.
function countShares({ known, put, lacking }, pairs, regions) {
  const regionOf = new Map(regions.flatMap(({ cells }, region) => cells.map((cell) => [cell, region])));
  const isOpen = (cell, region) => known[cell] === "." && regionOf.get(cell) === region;
  const places = pairs.map((pair) =>
    regions.map((_, region) => pair[0].map((_, place) => place).filter((place) => pair.some((cells) => isOpen(cells[place], region)))));
  const fit = places.map((each) => each.map(mostApart));
  const sent = fit.map((each) => each.map(() => 0));
  const missing = regions.map(({ cells }) => lacking(cells));
  const sendOneMore = (pair, tried) => {
    for (const region of regions.keys()) {
      if (sent[pair][region] === fit[pair][region] || tried.has(region)) continue;
      tried.add(region);
      const giver = missing[region] > 0 ? -1 : pairs.findIndex((_, other) => sent[other][region] > 0 && sendOneMore(other, tried));
      if (giver < 0 && missing[region] <= 0) continue;
      if (giver < 0) missing[region]--;
      else sent[giver][region]--;
      sent[pair][region]++;
      return true;
    }
    return false;
  };
  pairs.forEach((pair, number) => {
    let lacks = pair.reduce((sum, cells) => sum + lacking(cells), 0);
    for (; lacks > 0; lacks--) if (!sendOneMore(number, new Set())) throw IMPOSSIBLE;
  });
  // What can change when one more, or one less, is sent from a pair or to a region: the others that make up for it.
  const follow = (fromPairs, fromRegions) => {
    const reached = { pairs: new Set(fromPairs), regions: new Set(fromRegions) };
    for (let before = -1; before !== reached.pairs.size + reached.regions.size; ) {
      before = reached.pairs.size + reached.regions.size;
      for (const pair of reached.pairs) for (const region of regions.keys()) if (sent[pair][region] < fit[pair][region]) reached.regions.add(region);
      for (const region of reached.regions) for (const pair of pairs.keys()) if (sent[pair][region] > 0) reached.pairs.add(pair);
    }
    return reached;
  };
  const found = [];
  for (const [number, pair] of pairs.entries())
    for (const region of regions.keys()) {
      const [now, most] = [sent[number][region], fit[number][region]];
      if (most > 0 && now === 0 && !follow([], [region]).pairs.has(number))
        for (const place of places[number][region]) for (const cells of pair) if (isOpen(cells[place], region)) found.push([cells[place], "x"]);
      if (most > 0 && now === most && !follow([number], []).regions.has(region))
        found.push(...fillShare(pair, places[number][region], (cell) => isOpen(cell, region)));
    }
  return found.map(([cell, mark]) => put(cell, mark)).includes(true);
}

function mostApart(places) {
  let last = -2;
  return places.filter((place) => place - last > 1 && ((last = place), true)).length;
}

// Say what follows where a region has as many stars on a pair of lines as fit: in each run of odd length one at every
// other place, in each of even length one at the first two places, one at the next two, and on.
function fillShare(pair, places, isOwn) {
  const found = [];
  const runs = places.filter((place) => !places.includes(place - 1)).map((start) => {
    let end = start;
    while (places.includes(end)) end++;
    return { start, end };
  });
  for (const { start, end } of runs) {
    const isOdd = (end - start) % 2 === 1;
    for (let place = start - isOdd; place < end + isOdd; place++) {
      const isPossible = !isOdd || (place - start) % 2 === 0;
      const here = pair.map((cells) => cells[place]).filter((cell) => cell !== undefined);
      const own = here.filter((cell) => isPossible && place >= start && place < end && isOwn(cell));
      for (const cell of here) if (!own.includes(cell)) found.push([cell, "x"]);
      if (isOdd && own.length === 1) found.push([own[0], "*"]);
    }
  }
  return found;
}

// Hold the stars of lines side by side against those of the regions inside them, and of those they reach.
function countBands({ known, put, lacking }, lines, regions) {
  const open = ({ cells }) => cells.filter((cell) => known[cell] === ".");
  const lineOf = new Map(lines.flatMap(({ cells }, number) => cells.map((cell) => [cell, number])));
  const sum = (list) => list.reduce((total, { cells }) => total + lacking(cells), 0);
  const reaching = regions.map((region) => ({ ...region, on: open(region).map((cell) => lineOf.get(cell)) })).filter(({ on }) => on.length);
  let news = false;
  for (let first = 0; first < lines.length; first++)
    for (let last = first; last < lines.length; last++) {
      const isInBand = (line) => line >= first && line <= last;
      const wanted = sum(lines.slice(first, last + 1));
      const reached = reaching.filter(({ on }) => on.some(isInBand));
      const inside = reached.filter(({ on }) => on.every(isInBand));
      if (sum(inside) > wanted || sum(reached) < wanted) throw IMPOSSIBLE;
      for (const region of reached.filter((each) => !inside.includes(each)))
        for (const cell of open(region)) {
          const within = isInBand(lineOf.get(cell));
          if ((within && sum(inside) === wanted) || (!within && sum(reached) === wanted)) news = put(cell, "x") || news;
        }
    }
  return news;
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
