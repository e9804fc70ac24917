// Figures and words as people write them.

const BELOW = [
  [1e-3, 1e6, "µs"],
  [1, 1e3, "ms"],
  [60, 1, "s"],
];

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 1e-6) return "0 s";
  for (const [below, factor, unit] of BELOW) {
    if (seconds < below) return `${Number((seconds * factor).toPrecision(3)).toLocaleString("en")} ${unit}`;
  }
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function bytes(count) {
  for (const [unit, name] of [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ]) {
    if (count >= unit) return `${(count / unit).toFixed(1)} ${name}`;
  }
  return `${count} B`;
}

// A number, with a thin gap at every thousand; nothing for none.
export function figure(value) {
  return value === null || value === undefined ? "" : value.toLocaleString("en");
}

export function count(number, noun, several = `${noun}s`) {
  return `${figure(number)} ${number === 1 ? noun : several}`;
}

// The name of a file without its ending.
export const baseName = (name) => name.replace(/\.[^.]*$/, "");

export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

// When something was, on the reader's clock.
export function moment(seconds) {
  if (!seconds) return "";
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
