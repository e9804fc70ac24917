// A quiet celebration over a board: a ring that widens once, and a few paper dots that drift up and fade. Nothing moves
// for people who asked for less motion; the words beside it are for everyone.

import { h } from "./dom.js";
import { wantsLessMotion } from "./player.js";

const DOTS = 22;
const COLOURS = ["--accent", "--yes", "--mark", "--removed"];
const LONGEST = 2600; // milliseconds

export function celebrate(stage) {
  stage.classList.add("celebrated");
  setTimeout(() => stage.classList.remove("celebrated"), LONGEST);
  if (wantsLessMotion()) return;
  const sky = h("div", { class: "sky", "aria-hidden": "true" });
  stage.append(sky);
  for (let number = 0; number < DOTS; number++) sky.append(dot(number));
  setTimeout(() => sky.remove(), LONGEST);
}

// Dots are spread evenly with a little chance, so that it never looks like an accident.
function dot(number) {
  const made = h("i", {});
  const [left, size] = [((number + Math.random()) / DOTS) * 100, 5 + Math.random() * 6];
  Object.assign(made.style, { left: `${left}%`, width: `${size}px`, height: `${size}px`, background: `var(${COLOURS[number % COLOURS.length]})` });
  const [sway, rise] = [(Math.random() - 0.5) * 60, 55 + Math.random() * 40];
  made.animate(
    [
      { transform: "translate(0, 0)", opacity: 0 },
      { opacity: 0.9, offset: 0.15 },
      { transform: `translate(${sway}px, calc(var(--rise) * -${rise / 100}))`, opacity: 0 },
    ],
    { duration: LONGEST * (0.6 + Math.random() * 0.35), delay: Math.random() * 250, easing: "cubic-bezier(.2,.6,.3,1)", fill: "both" },
  );
  return made;
}
