// A proof to step through: each step in words, and what it uses lit on the board.

import { work } from "./api.js";
import { button, h, show } from "./dom.js";
import { Player } from "./player.js";

const SECONDS = 20;
const NARROW = "(max-width: 860px)"; // where what stands beside the board on a wide screen stands far below it
const PACE = 1600; // milliseconds that a step stays when it plays by itself

// A button that fetches the steps of an answer's proof and shows them below itself, for a page whose part can show one.
export function proofButton(bench, answer, about) {
  const place = h("div", { class: "proof-steps" });
  const begin = button("Step through the proof", async () => {
    const was = bench.loaded;
    const found = await bench.attempt(() =>
      bench.jobs.run("Taking the proof apart…", (signal) =>
        work("steps", { text: about.text, domain: bench.domain.name, certificate: answer.certificate, seconds: SECONDS }, { signal }),
      ),
    );
    if (found && bench.loaded === was) play(bench, place, begin, found, about, answer.certificate);
  });
  return h("div", { class: "stepping" }, begin, place);
}

// The page's part shows a step by `showStep(step, {before, about, certificate})`: the steps before it, what they are about;
// null puts everything back.
function play(bench, place, begin, { steps, complete }, about, certificate) {
  bench.closeProof?.();
  const part = bench.active;
  begin.hidden = true;
  const usual = bench.player;
  const words = h("p", { class: "step-text", "aria-live": "polite" });
  const player = new Player({
    label: "Step of the proof",
    title: "The proof, step by step",
    first: 1,
    last: steps.length,
    pace: PACE,
    show: (at) => {
      const step = steps[at - 1];
      words.textContent = step.text;
      part.showStep?.(step, { before: steps.slice(0, at - 1), about, certificate });
    },
    text: (at) => `${at} of ${steps.length}${complete ? "" : " or more"}`,
    close: () => bench.closeProof?.(),
    below: words,
  });
  bench.closeProof = () => {
    player.pause();
    const hadFocus = place.contains(document.activeElement);
    show(place);
    begin.after(place);
    begin.hidden = false;
    part.showStep?.(null);
    if (hadFocus) begin.focus();
    if (bench.player === player) bench.player = usual?.close ? null : usual; // one that is always there comes back
    bench.closeProof = null;
  };
  if (usual?.close) usual.close();
  bench.player = player;
  show(place, player.element);
  if (matchMedia(NARROW).matches) (bench.mode === "edit" ? bench.room : bench).stage.after(place);
  player.goTo(1);
  if (place.parentElement !== begin.parentElement) place.previousElementSibling.scrollIntoView({ block: "nearest" });
  player.toggle.focus({ preventScroll: true }); // the button that was pressed is gone
}
