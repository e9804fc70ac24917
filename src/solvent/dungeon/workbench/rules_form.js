// The rules a dungeon is played by.

import { button, h, show } from "/static/dom.js";
import { optionFields } from "/static/option_fields.js";

// A form with the rules as they are; `change(rules)` is given those that were changed.
export function rulesForm(bench, change) {
  const element = h("div", {});
  let shown = "";
  return {
    element,
    show(rules) {
      if (JSON.stringify(rules) === shown) return; // what is being typed stays
      shown = JSON.stringify(rules);
      const options = bench.domain.rule_options.map((option) => ({ ...option, default: value(option, rules[option.name]) }));
      const fields = optionFields(options);
      const use = () => change(fields.values());
      show(
        element,
        h("p", { class: "quiet" }, "Every answer is about these rules, and the text and the link keep them."),
        fields.element,
        button("Play by these rules", use, { class: "primary" }),
      );
    },
  };
}

function value(option, text) {
  if (option.type === "bool") return text === "true";
  return option.type === "int" ? Number(text) : text;
}
