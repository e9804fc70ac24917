// Where the page begins: the address says what to show.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { errorCard } from "./error_card.js";

const main = document.getElementById("main");
let leave = null; // what the page that is shown wants done before it goes

const PAGES = {
  "": () => import("./gallery.js"),
  open: () => import("./open_form.js"),
  files: () => import("./files.js"),
  runs: () => import("./runs/list.js"),
  run: () => import("./runs/run.js"),
  compare: () => import("./runs/compare.js"),
  new: () => import("./generate_form.js"),
  at: () => import("./bench.js"),
  example: () => import("./bench.js"),
  file: () => import("./bench.js"),
  result: () => import("./bench.js"),
};
const NAVIGATION = { "": "gallery", open: "open", files: "files", file: "files", runs: "runs", run: "runs", compare: "runs", result: "runs" };

async function go() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").map((part) => decodeURIComponent(part));
  const [first] = parts;
  const turn = {};
  go.turn = turn; // a page that is slow to come must not replace one that was asked for later
  leave?.();
  leave = null;
  for (const link of document.querySelectorAll("nav a[data-page]")) {
    if (link.dataset.page === NAVIGATION[first]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    if (!(first in PAGES)) throw new Error(`There is no page #/${parts.join("/")}.`);
    const page = await PAGES[first]();
    if (go.turn !== turn) return;
    const place = h("div", { class: "page" });
    const left = await page.open(place, parts);
    if (go.turn !== turn) {
      left?.();
      return;
    }
    leave = left ?? null;
    show(main, place);
  } catch (error) {
    if (go.turn === turn) show(main, errorCard(error));
  }
  window.scrollTo(0, 0);
}

function chooseTheme() {
  const stored = localStorage.getItem("theme");
  if (stored) document.documentElement.dataset.theme = stored;
  document.getElementById("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("theme", next);
  });
}

chooseTheme();
window.addEventListener("hashchange", go);
go();
about()
  .then(({ files, runs }) => {
    document.querySelector('nav a[data-page="files"]').hidden = !files;
    document.querySelector('nav a[data-page="runs"]').hidden = !runs;
  })
  .catch(() => {}); // the page itself says that the server is out of reach
