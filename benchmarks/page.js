// Runs in the page before anything of its own: notes when something is first seen, and when something changes.
(() => {
  const seen = {};
  window.benchmark = { seen, changes: [], inputs: [], verdicts: [] };
  const { changes, inputs, verdicts } = window.benchmark;
  const isVisible = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;

  // After the next frame is on its way to the screen.
  const painted = (note) => requestAnimationFrame(() => setTimeout(() => note(performance.now())));

  window.benchmark.waitFor = (selector) => {
    const look = () => {
      if ([...document.querySelectorAll(selector)].some(isVisible)) painted((now) => (seen[selector] ??= now));
      else requestAnimationFrame(look);
    };
    look();
  };

  for (const kind of ["pointerup", "keydown"]) {
    document.addEventListener(kind, (event) => inputs.push(event.timeStamp), { capture: true });
  }

  // A board changes by its elements, or by what is painted on its canvas.
  const changed = () => painted((now) => changes.push(now));
  for (const method of ["fillRect", "drawImage", "clearRect", "putImageData"]) {
    const usual = CanvasRenderingContext2D.prototype[method];
    CanvasRenderingContext2D.prototype[method] = function (...given) {
      if (this.canvas.isConnected) changed();
      return usual.apply(this, given);
    };
  }
  new MutationObserver((records) => {
    const within = (selector) => records.some(({ target }) => (target.closest ? target : target.parentElement)?.closest(selector));
    if (within(".stage")) changed();
    if (within(".live-row")) painted((now) => verdicts.push([now, document.querySelectorAll(".live-verdicts[aria-busy]").length === 0]));
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})();
