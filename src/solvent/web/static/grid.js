// Go over a grid by keys.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// Return the cell that a key leads to, cells being counted row by row; the same one at the rim, null for other keys.
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
