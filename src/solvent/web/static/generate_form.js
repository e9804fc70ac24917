// Make a new instance: the options that the domain has, a seed, and a bar while it is made and proved.

import { domainNamed, get, work } from "./api.js";
import { h, show } from "./dom.js";
import { madeName, madeTitle, split } from "./puzzle_names.js";
import { Jobs } from "./jobs.js";
import { optionFields } from "./option_fields.js";
import { linkTo } from "./share.js";
import { errorCard } from "./error_card.js";

export async function open(place, [, name]) {
  const domain = await domainNamed(name);
  if (!domain?.can.includes("generate")) throw new Error(`There is nothing to make of ${name}.`);
  place.append(h("h1", {}, `New: ${split(domain.title)[0]}`));
  const form = await generateForm(domain);
  place.append(form.element);
  return form.leave;
}

// The same as a card beside a board; the form is made when the card is opened.
export function generateCard(bench, { title = "Make a new one", given = {} } = {}) {
  const place = h("div", {});
  let form = null;
  const open = async () => {
    form ??= generateForm(bench.domain, given);
    const { element, leave } = await form;
    if (!place.firstChild) bench.onLeave(leave);
    show(place, element);
  };
  return h("details", { class: "card generate", ontoggle: (event) => event.target.open && open() }, h("summary", {}, title), place);
}

// A form that makes an instance and goes to it. Options that could name a file are offered as a list of what is bundled.
async function generateForm(domain, given = {}) {
  const choices = {};
  if (domain.generate_source) {
    const examples = await get("/api/examples");
    choices[domain.generate_source] = examples.filter((each) => each.domain === domain.name).map((each) => each.name);
  }
  const files = domain.generate_options.filter((each) => each.opens_file && each.name !== domain.generate_source);
  const fields = optionFields(domain.generate_options, { given, choices, leaveOut: files.map((each) => each.name) });
  const seed = h("input", { type: "number", min: 0, step: 1, value: Math.floor(Math.random() * 10_000), name: "seed" });
  const wishes = wishFields(domain.wishes);
  const trouble = h("div", {});
  const bar = h("div", { class: "jobs" });
  const jobs = new Jobs(bar);
  const element = h(
    "form",
    { class: "card generating", onsubmit: make },
    fields.element,
    h(
      "label",
      { class: "field" },
      h("span", {}, "seed"),
      seed,
      h("small", { class: "quiet" }, "the same seed and options make the same again"),
    ),
    wishes.element,
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Make it")),
    bar,
    trouble,
  );

  async function make(event) {
    event.preventDefault();
    show(trouble);
    try {
      await makeAndOpen(jobs, domain, { options: fields.values(), seed: Number(seed.value || 0), wished: wishes.values() });
    } catch (error) {
      show(trouble, errorCard(error));
    }
  }

  return { element, leave: () => jobs.stop() };
}

// Make an instance and go to it.
export async function makeAndOpen(jobs, domain, { options, seed, wished = {} }) {
  const loaded = await jobs.run("Making it…", (signal, progress) => work("generate", { domain: domain.name, seed, options, ...wished }, { signal, on: { progress } }));
  if (loaded && loaded.domain !== domain.name) location.hash = await linkTo(loaded.domain, loaded.text, { title: levelTitle(options[domain.generate_source], seed, loaded) });
  else if (loaded) location.hash = await linkTo(domain.name, loaded.text, { name: madeName(domain, options, seed), title: madeTitle(domain, loaded, seed) });
}

// What another domain that reads the level must say of it: a choice for each of its questions.
function wishFields(wishes) {
  if (!wishes.length) return { element: null, values: () => ({}) };
  const choices = wishes.map((wish) => [wish, h("select", { name: wish }, ["any answer", "must be YES", "must be NO"].map((text) => h("option", {}, text)))]);
  const chosen = (text) => choices.filter(([, select]) => select.value === text).map(([wish]) => wish);
  const element = h(
    "details",
    { class: "wishes" },
    h("summary", {}, "What must be proved of the level"),
    choices.map(([wish, select]) => h("label", { class: "field" }, h("span", {}, wish.replace(":", ": ")), select)),
  );
  return { element, values: () => ({ require: chosen("must be YES"), forbid: chosen("must be NO") }) };
}

function levelTitle(source, seed, { tried, answers }) {
  const proved = answers.map(({ question, verdict }) => `${question} ${verdict}`).join(", ");
  return `${source ? `${source}, ` : ""}seed ${seed} (${tried === 1 ? "first attempt" : `attempt ${tried}`}; proved ${proved})`;
}
