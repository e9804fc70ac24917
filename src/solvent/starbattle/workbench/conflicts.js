// What the marks break, by counting: the rules come with the page data, as sets of cells that hold so many stars.

// Return {conflicts, counts}: what is wrong, and how many stars stand in each row, column and region, as
// {row: [2, …], column: […], region: […]}. A conflict is {kind, cells, text, unit}; its kind is "touching", "many" or,
// where no star is wrong yet but too few cells are left, "few".
export function count(page, marks) {
  const counted = page.limits.map((limit) => ({ ...limit, stars: limit.cells.filter((cell) => marks[cell] === "*") }));
  const closed = new Set(counted.filter(({ stars, most }) => stars.length >= most).flatMap(({ cells }) => cells));
  const conflicts = new Map(); // by what they say, as stars side by side stand in two blocks
  const add = (conflict) => conflicts.set(conflict.text, conflict);
  const counts = { row: [], column: [], region: [] };
  for (const { cells, stars, least, most, unit, name } of counted) {
    if (unit) counts[unit[0]][unit[1]] = stars.length;
    const missing = least - stars.length;
    const room = cells.filter((cell) => marks[cell] === "." && !closed.has(cell)).length;
    if (stars.length > most && unit) {
      add({ kind: "many", cells: stars, unit, text: `${name} has ${stars.length} stars, ${stars.length - most} too many.` });
    } else if (stars.length > most) {
      for (const [one, other] of pairs(stars))
        add({ kind: "touching", cells: [one, other], text: `The stars on ${nameOf(page, one)} and ${nameOf(page, other)} touch.` });
    } else if (room < missing) {
      const more = missing === 1 ? "1 more star" : `${missing} more stars`;
      const left = ["no cell", "only one cell"][room] ?? `only ${room} cells`;
      add({ kind: "few", cells, unit, text: `${name} needs ${more} and has ${left} left.` });
    }
  }
  return { conflicts: [...conflicts.values()], counts };
}

// Return why nothing can be asked about these marks: stars that touch or are too many. Null if there are none.
export function faultOf(page, marks) {
  return count(page, marks).conflicts.find(({ kind }) => kind !== "few")?.text ?? null;
}

export function nameOf(page, cell) {
  return `r${Math.floor(cell / page.size) + 1}c${(cell % page.size) + 1}`;
}

function pairs(cells) {
  return cells.flatMap((one, at) => cells.slice(at + 1).map((other) => [one, other]));
}
