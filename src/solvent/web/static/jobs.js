// Work that takes a while: a bar, what it is at, and a way to stop it. One at a time in one place.

import { button, h, show } from "./dom.js";

export class Jobs {
  constructor(place) {
    this.place = place;
    this.stopper = null;
  }

  // Run `work(signal, progress)`; returns what it returns, or null if it was stopped. What ran here before is stopped.
  async run(label, work) {
    this.stop();
    const from = document.activeElement;
    const stopper = (this.stopper = new AbortController());
    const message = h("span", { class: "message" }, label);
    const counted = h("span", { class: "quiet" });
    const card = h(
      "div",
      { class: "job", role: "status" },
      h("progress", { "aria-label": label }),
      message,
      counted,
      button("Stop", () => stopper.abort(), { class: "stop" }),
    );
    const timer = setTimeout(() => show(this.place, card), 150); // what is done at once needs no bar
    const progress = (news) => {
      message.textContent = news.message || label;
      counted.textContent = news.nodes ? `${news.nodes.toLocaleString("en")} positions` : "";
    };
    try {
      return await work(stopper.signal, progress);
    } catch (error) {
      if (error.name === "AbortError") return null;
      throw error;
    } finally {
      clearTimeout(timer);
      if (card.contains(document.activeElement)) from?.focus(); // not lost with the button
      card.remove();
      if (this.stopper === stopper) this.stopper = null;
    }
  }

  stop() {
    this.stopper?.abort();
    this.stopper = null;
  }
}
