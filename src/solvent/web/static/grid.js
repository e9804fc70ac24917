// Go over a grid by keys and by pointing; cells are counted row by row.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// Return the cell that a key leads to; the same one at the rim, null for other keys.
export function cellByKey(cell, key, rows, cols) {
  const [row, col] = [Math.floor(cell / cols), cell % cols];
  if (key === "Home") return row * cols;
  if (key === "End") return row * cols + cols - 1;
  if (key === "PageUp") return col;
  if (key === "PageDown") return (rows - 1) * cols + col;
  if (!(key in STEPS)) return null;
  const [down, right] = STEPS[key];
  return Math.min(rows - 1, Math.max(0, row + down)) * cols + Math.min(cols - 1, Math.max(0, col + right));
}

// The cells that a fast pointer skipped: those on the straight line after one cell up to another.
export function between(cols, from, to) {
  const [row, col] = [Math.floor(from / cols), from % cols];
  const [down, right] = [Math.floor(to / cols) - row, (to % cols) - col];
  const steps = Math.max(Math.abs(down), Math.abs(right));
  return Array.from({ length: steps }, (_, step) => {
    const part = (step + 1) / steps;
    return Math.round(row + down * part) * cols + Math.round(col + right * part);
  });
}
