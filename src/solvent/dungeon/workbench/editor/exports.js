// Save the level in any format it can be written in; one that cannot hold it says why.

import { post } from "/static/api.js";
import { button, h, save, show } from "/static/dom.js";

const NAMES = { text: ["Text", "txt"], tmj: ["Tiled, JSON", "tmj"], tmx: ["Tiled, XML", "tmx"], ldtk: ["LDtk", "ldtk"], logic: ["Randomizer logic", "json"], dot: ["Graph of rooms", "dot"] };
const ONLY_READ = new Set(["vglc"]);

export function exportButtons(editor) {
  const { bench } = editor;
  const trouble = h("p", { class: "quiet", role: "status" });
  const write = async (format, ending) => {
    try {
      await bench.ready();
      const { text } = await post("format", { ...bench.instance, format });
      save(bench.fileName(ending), text);
      show(trouble, `Saved as ${bench.fileName(ending)}.`);
    } catch (error) {
      show(trouble, error.message);
    }
  };
  const all = Object.entries(bench.domain.formats).filter(([format]) => !ONLY_READ.has(format)).map(([format, help]) => {
    const [name, ending] = NAMES[format] ?? [format, format];
    return button(name, () => write(format, ending), { title: help, class: "small", "data-format": format });
  });
  return h("div", {}, h("div", { class: "row", role: "group", "aria-label": "Export" }, all), trouble, h("p", { class: "quiet" }, "To edit a file of any of these formats, ", h("a", { href: "#/open" }, "open it"), " and press Edit."));
}
