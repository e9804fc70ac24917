// Make elements. Text is always set as text, so nothing that comes from an instance is ever taken for markup.

const SVG = "http://www.w3.org/2000/svg";

// Make an HTML element: h("button", {class: "plain", onclick: go}, "Go"). Children may be nested lists, texts or null.
export function h(tag, given = {}, ...children) {
  return fill(document.createElement(tag), given, children);
}

// A text with `words` between backticks, as children: these are set as code.
export const withCode = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));

// The same for SVG.
export function s(tag, given = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), given, children);
}

function fill(element, given, children) {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value); // an attribute would be against our own policy
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") element[name] = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
}

// Put these in place of all that an element holds.
export function show(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

// A list of words with what they mean, from {word: meaning}.
export function definitions(meanings) {
  return h("dl", { class: "definitions" }, Object.entries(meanings).map(([word, meaning]) => [h("dt", {}, word), h("dd", {}, meaning)]));
}

export function button(label, onclick, given = {}) {
  return h("button", { type: "button", ...given, onclick }, label);
}

// A picture from SVG text: in an <img> nothing in it runs, whatever it holds.
export function picture(svg, alt, given = {}) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  return h("img", { alt, ...given, src: address, onload: () => URL.revokeObjectURL(address) });
}

// Have the browser save something under a name.
export function save(name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Say something in passing, also to screen readers.
export function notice(message, kind = "info") {
  const line = h("p", { class: `notice ${kind}` }, message);
  const place = document.getElementById("notices");
  place.append(line);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => line.remove(), kind === "error" ? 9000 : 4000);
}

// Load a stylesheet once; resolves when it is there.
export function stylesheet(address) {
  if (document.querySelector(`link[rel="stylesheet"][href="${address}"]`)) return null;
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: address, onload: done, onerror: done }));
  });
}

// A box to tick that stays as it was the next time, where the browser lets us store that.
export function rememberedBox(name, usual, changed) {
  const box = h("input", { type: "checkbox", name, checked: usual });
  try {
    box.checked = { true: true, on: true, false: false, off: false }[localStorage.getItem(name)] ?? usual;
  } catch {
    // a browser may forbid storing
  }
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(name, String(box.checked));
    } catch {
      // it is then not remembered
    }
    changed(box.checked);
  });
  return box;
}

export async function copy(text, what = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
    notice(what);
  } catch {
    notice("The browser did not allow copying; select the text instead.", "error");
  }
}
