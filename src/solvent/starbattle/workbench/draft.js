// A board while it is drawn: it may have cells without a region, and fewer regions than rows. Drafts are never changed in
// place: {size, stars, regions: a number or null for each cell, paints: the colour of each region}.

export const SMALLEST = 4;
export const LARGEST = 25;
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY";
export const PAINTS = 12; // colours in the stylesheet

export const mostStars = (size) => Math.min(6, Math.floor(size / 4));
const usualPaints = () => Array.from({ length: LARGEST }, (_, region) => region % PAINTS);

export function blank(size, stars) {
  return { size, stars: Math.min(stars, mostStars(size)), regions: Array(size * size).fill(null), paints: usualPaints() };
}

export function fromPage({ size, stars, regions }) {
  return { size, stars, regions: [...regions], paints: usualPaints() };
}

export const isSame = (one, other) => one.size === other.size && one.stars === other.stars && one.regions.every((region, cell) => region === other.regions[cell]);

export function painted(draft, cells, region) {
  const regions = [...draft.regions];
  for (const cell of cells) regions[cell] = region;
  return { ...draft, regions };
}

// Number regions in the order in which they appear, as the server does; each keeps its colour.
export function numbered(draft) {
  const order = new Map();
  for (const region of draft.regions) if (region !== null && !order.has(region)) order.set(region, order.size);
  const rest = Array.from({ length: LARGEST }, (_, region) => region).filter((region) => !order.has(region));
  const paints = [...order.keys(), ...rest].map((region) => draft.paints[region]);
  return { ...draft, regions: draft.regions.map((region) => (region === null ? null : order.get(region))), paints };
}

// Another size; what fits stays, and regions that are too many go.
export function resized(draft, size) {
  const cells = Array.from({ length: size * size }, (_, cell) => [Math.floor(cell / size), cell % size]);
  const regions = cells.map(([row, col]) => (row < draft.size && col < draft.size ? draft.regions[row * draft.size + col] : null));
  const next = numbered({ ...draft, size, regions });
  return { ...next, stars: Math.min(draft.stars, mostStars(size)), regions: next.regions.map((region) => (region !== null && region < size ? region : null)) };
}

export function turned({ size, ...draft }) {
  return { ...draft, size, regions: draft.regions.map((_, cell) => draft.regions[(size - 1 - (cell % size)) * size + Math.floor(cell / size)]) };
}

export function mirrored({ size, ...draft }) {
  return { ...draft, size, regions: draft.regions.map((_, cell) => draft.regions[cell - (cell % size) + size - 1 - (cell % size)]) };
}

export const used = (draft) => new Set(draft.regions.filter((region) => region !== null));

// The first region that has no cell yet, or null.
export function unused(draft) {
  const taken = used(draft);
  const found = Array.from({ length: draft.size }, (_, region) => region).find((region) => !taken.has(region));
  return found ?? null;
}

// What is still to be done before it is a board, in words; nothing if it is one.
export function missing(draft) {
  const free = draft.regions.filter((region) => region === null).length;
  const togo = draft.size - used(draft).size;
  return [
    togo > 0 ? `${togo} ${togo === 1 ? "region" : "regions"} to go` : null,
    free ? (free === 1 ? "1 cell belongs to no region" : `${free} cells belong to no region`) : null,
  ].filter(Boolean);
}

// The connected parts of all regions, each as a list of cells; cells without a region are left out.
export function pieces({ size, regions }) {
  const seen = new Set();
  const found = [];
  regions.forEach((region, first) => {
    if (region === null || seen.has(first)) return;
    seen.add(first);
    const piece = [first];
    for (const cell of piece)
      for (const side of sides(size, cell))
        if (regions[side] === region && !seen.has(side)) {
          seen.add(side);
          piece.push(side);
        }
    found.push(piece);
  });
  return found;
}

// Regions in more than one piece: allowed, and rarely meant.
export function broken(draft) {
  const counts = new Map();
  for (const [first] of pieces(draft)) counts.set(draft.regions[first], (counts.get(draft.regions[first]) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([region, count]) => `Region ${LETTERS[region]} is in ${count} pieces.`);
}

function sides(size, cell) {
  const col = cell % size;
  return [col > 0 ? cell - 1 : -1, col < size - 1 ? cell + 1 : -1, cell - size, cell + size].filter((side) => side >= 0 && side < size * size);
}

// Write size, stars and rows, as `fromRows` reads them.
export function toRows({ size, stars, regions }) {
  const letters = regions.map((region) => (region === null ? "." : LETTERS[region])).join("");
  return [`${size} ${stars}`, ...Array.from({ length: size }, (_, row) => letters.slice(row * size, (row + 1) * size)), ""].join("\n");
}

// Read rows of letters or digits, one for each cell, `.`, `-`, `_` or `?` for a cell without a region; size and stars may
// stand before them. Returns null if it is nothing like that: other formats are for the server.
export function fromRows(text, stars) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const heading = /^(\d+)\s+(\d+)$/.exec(lines[0] ?? "");
  const rows = (heading ? lines.slice(1) : lines).map((line) => line.replace(/[\s,|]+/g, ""));
  const size = rows.length;
  if (size < SMALLEST || size > LARGEST || rows.some((row) => row.length !== size || !/^[A-Za-z0-9.?_-]+$/.test(row))) return null;
  if (heading && Number(heading[1]) !== size) return null;
  const names = new Map();
  const regions = [...rows.join("")].map((name) => {
    if (/[.?_-]/.test(name)) return null;
    if (!names.has(name)) names.set(name, names.size);
    return names.get(name);
  });
  if (names.size > size) return null;
  const wanted = heading ? Number(heading[2]) : stars;
  return { ...blank(size, stars), stars: Math.max(1, Math.min(wanted, mostStars(size))), regions };
}
