// What a thing is, as fields: its colour, its name, what it needs. The words are those of the text format.

import { h } from "/static/dom.js";

let forms = 0; // lists of suggestions need names of their own

const FIELDS = {
  key: ["colour", "count", "renews", "when"],
  bombs: ["bombs", "renews", "when"],
  item: ["item", "count", "when"],
  monster: ["when"],
  lock: ["colour", "called"],
  cracked: ["called"],
  gate: ["items", "called"],
  needs: ["needs", "called"],
  barrier: ["worked", "open", "called"],
  soft: ["room", "called"],
  switch: ["switch", "sets"],
  "held switch": ["switch"],
  lever: ["switch", "sets", "from", "tool"],
};
const SELDOM = new Set(["count", "renews", "when", "called", "sets", "from", "tool"]);
const LABELS = {
  colour: "Colour",
  count: "How many",
  renews: "Comes back each time",
  when: "Appears when",
  bombs: "How many",
  item: "Item",
  items: "Needs the items",
  needs: "Needs",
  called: "Name of this gate",
  worked: "Switch",
  open: "Open at first",
  room: "Room",
  switch: "Switch",
  sets: "Sets the state",
  from: "Worked from",
  tool: "Needs",
};
const NOTES = {
  colour: "none: plain",
  bombs: "none: as the rules say",
  items: "with commas between",
  needs: "such as bow | bombs >= 2 & lamp",
  when: "such as cleared Hall",
  from: "none: beside it; or sight",
  tool: "such as bow",
  called: "gates of one name are one",
};
const NAMED = [
  ["room", "A soft door opens once its room is cleared. Name a room first: select its tiles, then press Name it as a room."],
  ["needs", "Say what the gate needs, such as bow | bombs >= 2."],
  ["items", "Say which items the gate needs."],
  ["item", "Give the item a name."],
  ["switch", "Give the switch a name."],
  ["worked", "Say which switch works the barrier."],
];

export const hasFields = (word) => word in FIELDS;

// `values` are those of a thing of the level, or what was typed last. `changed()` hears of every change.
export function thingForm(word, values, level, changed = () => {}) {
  const inputs = {};
  const usual = {
    colour: values.names?.[0] ?? "",
    count: values.count ?? 1,
    bombs: values.count || "",
    renews: values.renews ?? false,
    when: values.rule ?? "",
    needs: values.rule ?? "bow",
    tool: values.rule ?? "",
    item: values.names?.[0] ?? "bow",
    items: values.names?.join(", ") ?? "bow",
    called: values.called ?? "",
    worked: values.names?.[0] ?? level.switchNames[0] ?? "a",
    switch: values.names?.[0] ?? freeSwitch(word, level),
    room: values.names?.[0] ?? level.rooms[0]?.name ?? "",
    open: values.open ?? false,
    sets: values.sets ?? "",
    from: values.from ?? "",
  };
  const suggested = {
    colour: () => [...new Set([...level.namesOf("key", "lock"), "red", "blue", "green", "yellow"])],
    item: () => [...new Set([...level.namesOf("item", "gate"), "bow", "ladder", "lamp"])],
    items: () => level.namesOf("item", "gate"),
    worked: () => level.switchNames,
    switch: () => level.switchNames,
    room: () => level.rooms.map((room) => room.name),
    sets: () => level.switches.flatMap((each) => (each.states.length ? each.states : ["off", "on"])),
    from: () => ["sight"],
  };
  const field = (name) => {
    const isBox = typeof usual[name] === "boolean";
    const isNumber = ["count", "bombs"].includes(name);
    const listed = suggested[name] ? h("datalist", { id: `dungeon-names-${++forms}` }, suggested[name]().map((value) => h("option", { value }))) : null;
    const kind = isBox ? { type: "checkbox", checked: usual[name] } : { type: isNumber ? "number" : "text", min: isNumber ? 1 : null, max: isNumber ? 9999 : null, maxlength: 300, value: String(usual[name]), autocomplete: "off", list: listed?.id };
    inputs[name] = h("input", { ...kind, name, oninput: changed, onchange: changed });
    return h("label", { class: isBox ? "field check" : "field" }, h("span", {}, LABELS[name]), inputs[name], NOTES[name] ? h("small", { class: "quiet" }, NOTES[name]) : null, listed);
  };
  const names = FIELDS[word] ?? [];
  const seldom = names.filter((name) => SELDOM.has(name));
  const isSet = (name) => !["", false, 1].includes(usual[name]);
  const element = h(
    "div",
    { class: "thing-fields" },
    names.filter((name) => !SELDOM.has(name)).map(field),
    seldom.length ? h("details", { open: seldom.some(isSet) }, h("summary", {}, "More"), seldom.map(field)) : null,
  );
  const given = (name) => inputs[name]?.value.trim() ?? "";
  return {
    element,
    // What it says, to begin the next form of this kind with.
    values: () => ({
      names: [given("colour") || given("item") || given("worked") || given("switch") || given("room")].filter(Boolean).concat(given("items") ? given("items").split(",").map((each) => each.trim()) : []),
      count: Number(given("count") || given("bombs")) || (word === "bombs" ? 0 : 1),
      renews: inputs.renews?.checked ?? false,
      rule: given("when") || given("needs") || given("tool"),
      called: given("called"),
      open: inputs.open?.checked ?? false,
      sets: given("sets"),
      from: given("from"),
    }),
    words: () => say(word, given, inputs),
    // What is to be said before it can be put anywhere, or null.
    missing: () => NAMED.map(([name, words]) => (inputs[name] && !given(name) ? words : null)).find(Boolean) ?? null,
  };
}

// The first letter that a plate or lever of this sort may have: all plates of a switch are to be held, or none.
function freeSwitch(word, level) {
  const isHeld = (each) => each === "held switch";
  const taken = (letter) => level.sortsOf(letter).some((each) => isHeld(each) !== isHeld(word));
  return [..."abcdefghijklmnopqrstuvwxyz"].find((letter) => !taken(letter)) ?? "a";
}

function say(word, given, inputs) {
  const quoted = (text) => (text ? `"${text.replaceAll('"', "")}"` : "");
  const number = (name) => (given(name) && given(name) !== "1" ? `x${given(name)}` : "");
  const parts = [word];
  if (word === "key") parts.push(quoted(given("colour")), number("count"));
  if (word === "item") parts.push(quoted(given("item")), number("count"));
  if (word === "bombs") parts.push(given("bombs") ? `x${given("bombs")}` : "");
  if (word === "lock") parts.push(given("colour"));
  if (word === "gate") parts.push(given("items"));
  if (word === "needs") parts.push(given("needs"));
  if (word === "barrier") parts.push(given("worked"), inputs.open.checked ? "open" : "shut");
  if (word === "soft") parts.push(given("room"));
  if (given("switch")) parts.push(quoted(given("switch")));
  if (inputs.renews?.checked) parts.push("renewing");
  if (given("sets")) parts.push("sets", quoted(given("sets")));
  if (given("from")) parts.push("from", given("from"));
  if (given("tool")) parts.push("needs", given("tool"));
  if (given("when")) parts.push("when", given("when"));
  if (given("called")) parts.push(`(${given("called")})`);
  return parts.filter(Boolean).join(" ");
}
