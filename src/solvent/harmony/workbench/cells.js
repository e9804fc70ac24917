// Cells by number, counted row by row, and by name, as people and certificates do: B3.

export const rowLetter = (row) => String.fromCharCode(65 + row);

export const nameOf = (cell, cols) => rowLetter(Math.floor(cell / cols)) + ((cell % cols) + 1);

export const cellNamed = (name, cols) => (name.charCodeAt(0) - 65) * cols + Number(name.slice(1)) - 1;

export const swapName = ([a, b], cols) => `${nameOf(Math.min(a, b), cols)}-${nameOf(Math.max(a, b), cols)}`;

export const swapNamed = (name, cols) => name.split("-").map((end) => cellNamed(end, cols));

// A page with its tiles as they stand after some swaps, which the rules or the checker have accepted.
export function afterSwaps(page, swaps) {
  const [colours, moves] = [[...page.colours], [...page.moves]];
  for (const [a, b] of swaps) {
    [colours[a], colours[b]] = [colours[b], colours[a]];
    [moves[a], moves[b]] = [moves[b] - 1, moves[a] - 1];
  }
  return { ...page, colours, moves };
}
