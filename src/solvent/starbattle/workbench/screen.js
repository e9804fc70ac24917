// What a small screen changes.

// On a phone every pixel is for cells: numbers of rows and columns are shown if they are wanted.
export const isPhone = () => matchMedia("(max-width: 480px)").matches;

// Call `place(narrow)` now and whenever the screen becomes narrow or wide; returns what ends that. Where it is narrow, all
// stands in one column, as the page's own stylesheet has it.
export function whenNarrow(place) {
  const narrow = matchMedia("(max-width: 860px)");
  const changed = () => place(narrow.matches);
  narrow.addEventListener("change", changed);
  changed();
  return () => narrow.removeEventListener("change", changed);
}
