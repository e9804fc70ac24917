// Small pictures of what is bundled, painted for the ground they stand on: they follow the page from light to dark.

import { h } from "./dom.js";

const preferred = matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => (document.documentElement.dataset.theme ?? (preferred.matches ? "dark" : "light")) === "dark";

const address = (path) => `${path}.svg${isDark() ? "?dark=true" : ""}`;

// `name` is "DOMAIN/NAME".
export const thumbnail = (name) => smallPicture(`/api/pictures/${name}`);

// `path` is where a picture is, without its ending.
export function smallPicture(path) {
  return h("img", { class: "thumbnail", src: address(path), "data-path": path, alt: "", loading: "lazy", decoding: "async", width: 220, height: 160 });
}

function repaint() {
  for (const image of document.querySelectorAll("img.thumbnail")) {
    if (image.getAttribute("src") !== address(image.dataset.path)) image.src = address(image.dataset.path);
  }
}

preferred.addEventListener("change", repaint);
new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
