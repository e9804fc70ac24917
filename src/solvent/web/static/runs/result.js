// A result of a run on the bench: the instance as the store has it, and its answer once the checker has accepted it.

import { get } from "../api.js";
import { h, stylesheet } from "../dom.js";
import { statusBadge } from "../badges.js";

// Return what the workspace opens for `#/result/STORE/RUN/NUMBER/QUESTION`.
export async function findResult([store, run, number, question]) {
  stylesheet("/static/runs/runs.css");
  const at = `/api/runs/${[store, run, number].map(encodeURIComponent).join("/")}`;
  const query = question === undefined ? "" : `?question=${encodeURIComponent(question)}`;
  const found = await get(`${at}${query}`);
  const name = found.name.split("/").pop().slice(-200);
  return {
    domain: found.domain,
    text: found.text,
    name,
    title: name,
    crumbs: [
      ["#/runs", "Runs"],
      [`#/run/${encodeURIComponent(store)}/${encodeURIComponent(run)}`, `${found.store_name}, run ${found.run}`],
    ],
    stored: (bench) => showStored(bench, found, `${at}/checked${query}`),
  };
}

async function showStored(bench, found, at) {
  if (found.claims === null) {
    bench.answers.prepend(h("article", { class: "card" }, h("p", {}, "This run has no answer about it yet. Ask here:")));
    return;
  }
  if (found.claims === "ERROR") {
    bench.answers.prepend(
      h("article", { class: "card stored" }, h("header", { class: "row" }, statusBadge({ status: "ERROR" }), `The solver met a bug at “${found.question}”.`), h("p", {}, found.reason), found.error ? h("details", {}, h("summary", {}, "The traceback"), h("pre", { class: "lines" }, found.error)) : null),
    );
    return;
  }
  const about = bench.loaded;
  let checked;
  try {
    checked = await bench.jobs.run("Checking the stored answer once more…", (signal) => get(at, signal));
  } catch (error) {
    bench.complain(error);
    return;
  }
  if (!checked || !bench.place.isConnected) return;
  if (checked.answer) {
    bench.showAnswer(checked.answer, about);
    const card = bench.answers.firstElementChild;
    card.classList.add("stored");
    card.querySelector("header").after(h("p", { class: "quiet" }, "From the store", checked.answer.certified ? ", its certificate checked again just now." : "."));
  } else {
    bench.answers.prepend(
      h(
        "article",
        { class: "card trouble stored", role: "alert" },
        h("header", { class: "row" }, h("strong", {}, "Rejected."), "The store says ", h("strong", {}, checked.claims), ", but that must not be believed:"),
        h("ul", {}, checked.violations.map((violation) => h("li", {}, violation))),
        h("p", { class: "quiet" }, "The store was damaged or edited. Ask again here for an answer that holds."),
      ),
    );
  }
}
