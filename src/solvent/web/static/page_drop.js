// Drop a file or a text anywhere on the page to open it.

import { h, show } from "./dom.js";
import { droppedFiles } from "./dropped_files.js";
import { errorCard } from "./error_card.js";
import { openFiles, openText } from "./opening.js";

export function acceptDrops() {
  const veil = h("div", { class: "drop-veil", hidden: true, "aria-hidden": "true" }, "Drop it to open it");
  const trouble = h("div", { class: "drop-trouble" });
  document.body.append(veil, trouble);
  document.addEventListener("keydown", (event) => event.key === "Escape" && show(trouble));
  let depth = 0; // how many elements below the pointer were entered and not left

  const isForUs = (event) => !event.defaultPrevented && [...event.dataTransfer.types].some((type) => type === "Files" || type === "text/plain");
  document.addEventListener("dragenter", (event) => isForUs(event) && [...event.dataTransfer.types].includes("Files") && (depth++, (veil.hidden = false)));
  document.addEventListener("dragleave", () => depth > 0 && --depth === 0 && (veil.hidden = true));
  document.addEventListener("dragover", (event) => isForUs(event) && !event.target.closest?.("input, textarea") && event.preventDefault());
  document.addEventListener("drop", async (event) => {
    depth = 0;
    veil.hidden = true;
    if (!isForUs(event) || (event.target.closest?.("input, textarea") && !event.dataTransfer.files.length)) return;
    event.preventDefault();
    show(trouble);
    const text = event.dataTransfer.files.length ? null : event.dataTransfer.getData("text/plain");
    try {
      const files = await droppedFiles(event.dataTransfer);
      await (files.length ? openFiles(files) : openText(text));
    } catch (error) {
      show(trouble, errorCard(error, text), h("button", { type: "button", onclick: () => show(trouble) }, "Close"));
    }
  });
}
