// Take files that are chosen or dropped. `take(file, files)` is given the first, and all of them.

import { button, h } from "./dom.js";
import { droppedFiles } from "./dropped_files.js";

export function fileButton(take) {
  const input = h("input", { type: "file", multiple: true, class: "hidden", "aria-label": "Choose a file", tabindex: -1, onchange: () => input.files[0] && take(input.files[0], [...input.files]) });
  return [button("Choose a file…", () => input.click()), input];
}

// A place that files can be dropped on, and texts if there is something to take them.
export function dropZone({ take, takeText = null, ...given }, ...children) {
  const over = (isOver) => (event) => {
    event.preventDefault();
    place.classList.toggle("over", isOver);
  };
  const drop = (event) => {
    over(false)(event);
    if (event.dataTransfer.files.length) droppedFiles(event.dataTransfer).then((files) => files.length && take(files[0], files));
    else takeText?.(event.dataTransfer.getData("text/plain"));
  };
  const place = h("div", { ...given, ondragover: over(true), ondragleave: over(false), ondrop: drop }, children);
  return place;
}
