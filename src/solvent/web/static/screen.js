// One column or two.

// Call `place(narrow)` now and whenever the screen becomes narrow or wide; returns what ends that. Where it is narrow, all
// stands in one column, as the page's own stylesheet has it.
export function whenNarrow(place) {
  const narrow = matchMedia("(max-width: 860px)");
  const changed = () => place(narrow.matches);
  narrow.addEventListener("change", changed);
  changed();
  return () => narrow.removeEventListener("change", changed);
}
