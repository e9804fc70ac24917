// Where the page begins: the address says what to show.

import { about } from "./api.js";
import { h, show } from "./dom.js";
import { errorCard } from "./error_card.js";
import { acceptDrops } from "./page_drop.js";

const main = document.getElementById("main");
let leave = null; // what the page that is shown wants done before it goes

const PAGES = {
  "": () => import("./gallery.js"),
  open: () => import("./open_form.js"),
  mapping: () => import("./mapping_page.js"),
  entries: () => import("./entries_page.js"),
  files: () => import("./files.js"),
  runs: () => import("./runs/list.js"),
  run: () => import("./runs/run.js"),
  compare: () => import("./runs/compare.js"),
  new: () => import("./generate_form.js"),
  draw: () => import("./template_list.js"),
  daily: () => import("./daily.js"),
  at: () => import("./bench.js"),
  edit: () => import("./bench.js"),
  example: () => import("./bench.js"),
  file: () => import("./bench.js"),
  result: () => import("./bench.js"),
};
const NAVIGATION = { "": "gallery", open: "open", mapping: "open", entries: "open", files: "files", file: "files", runs: "runs", run: "runs", compare: "runs", result: "runs" };

// Have the browser fetch side by side all that a page consists of; it would learn of one module from another.
function fetchAhead([first, domain]) {
  const listed = JSON.parse(document.getElementById("modules")?.textContent ?? "{}");
  const isBoard = ["at", "edit", "example"].includes(first);
  const wanted = isBoard ? [...listed.bench, ...(listed[`domains/${domain}`] ?? [])] : first === "" ? listed.gallery : [];
  document.head.append(...wanted.map((href) => (href.endsWith(".css") ? h("link", { rel: "preload", as: "style", href }) : h("link", { rel: "modulepreload", href }))));
}

// A link that was cut off in the middle of an escape is taken as it is.
const decoded = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
const partsOf = (hash) => hash.replace(/^#\/?/, "").split("/").map(decoded);

async function go() {
  const parts = partsOf(location.hash);
  const [first] = parts;
  const turn = {};
  go.turn = turn; // a page that is slow to come must not replace one that was asked for later
  leave?.();
  leave = null;
  document.title = "Solvent";
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
    if (go.turn !== turn) return;
    show(main, h("h1", {}, "This page cannot be shown"), errorCard(error));
  }
  window.scrollTo(0, 0);
  arrive(first);
}

// Name the page, and let keys and screen readers go on from its heading, unless it has put the focus somewhere itself.
function arrive(first) {
  const heading = main.querySelector("h1");
  if (first && heading && document.title === "Solvent") document.title = `${heading.textContent} · Solvent`;
  if (go.hasArrived && !main.contains(document.activeElement)) {
    const target = heading ?? main;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
  go.hasArrived = true; // the first page of all begins at its top, with the link past the navigation
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

fetchAhead(partsOf(location.hash));
chooseTheme();
acceptDrops();
document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault(); // its fragment is no address of ours
  main.focus();
});
window.addEventListener("hashchange", go);
go();
about()
  .then(({ files, runs }) => {
    document.querySelector('nav a[data-page="files"]').hidden = !files;
    document.querySelector('nav a[data-page="runs"]').hidden = !runs;
  })
  .catch(() => {}); // the page itself says that the server is out of reach
