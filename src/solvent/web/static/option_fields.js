// Fields for the options that a domain describes.

import { h, withCode } from "./dom.js";

// Return {element, values()} for these options; values leaves out what is as it is by default.
export function optionFields(options, { given = {}, leaveOut = [], choices = {} } = {}) {
  const fields = options
    .filter((option) => !leaveOut.includes(option.name))
    .map((option) => field(option, given[option.name] ?? option.default, choices[option.name]));
  return {
    element: h("div", { class: "fields" }, fields.map((each) => each.element)),
    values: () => Object.fromEntries(fields.map((each) => each.value()).filter((value) => value !== null)),
  };
}

let fieldCount = 0;

function field(option, now, choices) {
  const listed = choices ?? (option.choices.length ? option.choices : null);
  const control = listed ? choice(option, listed, now) : input(option, now);
  const id = `option-${++fieldCount}`;
  control.setAttribute("aria-labelledby", `${id} ${id}-help`); // without what can be chosen, which is read aloud anyway
  return {
    element: h(
      "label",
      { class: option.type === "bool" ? "field check" : "field" },
      h("span", { id }, option.name.replaceAll("_", " ")),
      control,
      h("small", { id: `${id}-help`, class: "quiet" }, withCode(option.help)),
    ),
    value: () => {
      const value = read(option, control);
      return value === null || value === option.default ? null : [option.name, value];
    },
  };
}

function choice(option, listed, now) {
  return h(
    "select",
    {},
    option.default === null ? h("option", { value: "" }, "any") : null,
    listed.map((name) => h("option", { value: name, selected: name === now }, name)),
  );
}

function input(option, now) {
  if (option.type === "bool") return h("input", { type: "checkbox", checked: now === true });
  if (option.type === "str") return h("input", { type: "text", value: now ?? "", autocomplete: "off" });
  return h("input", {
    type: "number",
    value: now ?? "",
    min: option.minimum,
    max: option.maximum,
    step: option.type === "int" ? 1 : "any",
  });
}

function read(option, control) {
  if (option.type === "bool") return control.checked;
  if (control.value === "") return null;
  if (option.type === "int" || option.type === "float") return Number(control.value);
  return control.value;
}
