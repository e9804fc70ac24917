// "Check it in your browser": a second checker, written from the reference pages, looks at a certificate in the page
// itself. Nothing is sent anywhere.

import { button, h, show } from "./dom.js";

const threads = new Map(); // domain -> Thread

// A button, and room for what the second checker says about a certificate of an instance.
export function secondOpinion(domain, text, certificate) {
  if (!threads.has(domain)) threads.set(domain, new Thread(domain));
  const thread = threads.get(domain);
  const said = h("span", { class: "opinion", role: "status" }, h("span", { class: "quiet" }, "without our server"));
  const ask = button("Check it in your browser", async () => {
    ask.disabled = true;
    show(said, h("span", { class: "quiet" }, "Checking…"));
    show(said, ...opinion(await thread.check(text, certificate)));
    ask.disabled = false;
  }, { disabled: true });
  thread.ready.then(() => (ask.disabled = false), () => show(said, h("span", { class: "quiet" }, "The second checker could not be loaded.")));
  return h("div", { class: "second" }, ask, said);
}

function opinion({ found, seconds }) {
  const { verdict, violations, why } = found;
  const time = h("span", { class: "quiet" }, ` in ${seconds.toFixed(seconds < 1 ? 3 : 1)} s, by a second program in this page`);
  if (verdict === "accepted") return [h("span", { class: "checked" }, h("span", { "aria-hidden": "true" }, "✓ "), "Accepted"), time];
  if (verdict === "rejected") return [h("strong", { class: "wrong" }, h("span", { "aria-hidden": "true" }, "✗ "), "Rejected"), time, h("ul", {}, violations.slice(0, 20).map((line) => h("li", {}, line)))];
  return [h("span", {}, `Not checked: ${why}.`)];
}

class Thread {
  constructor(domain) {
    this.waiting = new Map(); // number of a check -> what to do with its result
    this.worker = new Worker("/static/second_check_worker.js", { type: "module" });
    this.ready = new Promise((done, failed) => {
      this.worker.onerror = failed;
      this.worker.onmessage = ({ data }) => {
        if (data.ready) done();
        else this.waiting.get(data.number)(data);
      };
    });
    this.worker.postMessage({ domain });
  }

  check(text, certificate) {
    const number = this.waiting.size;
    return new Promise((done) => {
      this.waiting.set(number, done);
      this.worker.postMessage({ number, text, certificate });
    });
  }
}
