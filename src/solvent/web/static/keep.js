// Keep an instance: a link that holds it, its text in any format, a picture, a page to print.

import { post } from "./api.js";
import { button, copy, h, picture, save } from "./dom.js";
import { linkTo } from "./share.js";

const PNG_SIDE = 1600; // pixels along the longer side

export function keepSection(bench, textPanel) {
  const formats = Object.entries(bench.domain.formats);
  const chosen = h("select", { "aria-label": "Format" }, formats.map(([name, help]) => h("option", { value: name, title: help }, name)));
  const does = (action) => () => bench.attempt(action);
  const written = async () => {
    await bench.ready();
    return (await post("format", { ...bench.instance, format: chosen.value })).text;
  };
  const ending = () => (chosen.value === formats[0][0] && chosen.value !== "json" ? "txt" : chosen.value);
  return h(
    "section",
    { class: "card keep" },
    h("h2", {}, "Keep"),
    h(
      "div",
      { class: "row" },
      button("Copy link", does(async () => {
        await bench.ready();
        await copy(`${location.origin}/${await linkTo(bench.domain.name, bench.loaded.text, bench.link)}`, "The link is copied: it holds this very position.");
      })),
      button("Print", does(async () => print(bench.heading, await bench.draw(pictureOf(bench))))),
    ),
    h(
      "div",
      { class: "row" },
      h("span", { class: "join", role: "group", "aria-label": "Picture" }, h("span", { class: "label" }, "Picture"),
        button("SVG", does(async () => save(bench.fileName("svg"), await bench.draw(pictureOf(bench)), "image/svg+xml")), { "aria-label": "Save picture as SVG" }),
        button("PNG", does(async () => save(bench.fileName("png"), await toPng(await bench.draw(pictureOf(bench))))), { "aria-label": "Save picture as PNG" }),
      ),
      h("span", { class: "join", role: "group", "aria-label": "File" }, chosen,
        button("Save as", does(async () => save(bench.fileName(ending()), await written()))),
        button("Copy", does(async () => copy(await written(), "Copied as text.")), { "aria-label": "Copy as text in this format" }),
      ),
    ),
    textPanel.element,
  );
}

// What the page shows beside the bare instance, such as a fill, belongs in its picture.
const pictureOf = (bench) => bench.active?.pictureBody?.() ?? {};

async function toPng(svg) {
  const image = picture(svg, "");
  await image.decode();
  const scale = PNG_SIDE / Math.max(image.naturalWidth, image.naturalHeight, 1);
  const canvas = h("canvas", {});
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  const brush = canvas.getContext("2d");
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// Print the title and the picture alone.
async function print(title, svg) {
  const image = picture(svg, "");
  await image.decode();
  const sheet = h("main", { class: "print-sheet" }, h("h1", {}, title), image);
  document.body.append(sheet);
  window.addEventListener("afterprint", () => sheet.remove(), { once: true });
  window.print();
}
