// Bring what was just shown into sight, and keep it there while the page around it is still being laid out: an answer
// that comes a moment later and stands above would push it out again.

const SETTLING_MILLISECONDS = 1500;
const SCROLLING = ["wheel", "touchmove", "keydown", "pointerdown"];

// Scroll as little as is needed. A person who scrolls or presses something is never worked against.
export function bringIntoSight(element, behavior = "auto") {
  const scroll = () => element.isConnected && element.scrollIntoView({ block: "nearest", behavior });
  const observer = new ResizeObserver(scroll); // also reports once at the beginning
  const stop = () => {
    observer.disconnect();
    for (const event of SCROLLING) removeEventListener(event, stop);
  };
  for (const event of SCROLLING) addEventListener(event, stop, { passive: true });
  setTimeout(stop, SETTLING_MILLISECONDS);
  scroll();
  observer.observe(document.body);
  observer.observe(element);
}
