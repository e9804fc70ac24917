// A thread of its own for the second checker, so that the page stays alive. All it needs is loaded when it begins: by
// the time somebody asks for a check, no server is needed any more.

import { checkWith } from "./second_checker.js";

let checkers = {};

self.onmessage = async ({ data }) => {
  if (data.domain) {
    const { check } = await import(`/domains/${data.domain}/second_checker.js`);
    checkers = { [data.domain]: check };
    self.postMessage({ ready: true });
    return;
  }
  const began = performance.now();
  const found = checkWith(checkers, data.text, data.certificate);
  self.postMessage({ number: data.number, found, seconds: (performance.now() - began) / 1000 });
};
