// Find where something stands in a JSON text: the line of `$.modules[1].bonds.right[0]`, so that an error about it can be
// shown in place. The text can be read as JSON, or nobody could have said what is wrong at that path.

// Return the line and column of the value at a path, counted from 1, or of the nearest value around it; null without one.
export function placeOf(text, path) {
  if (!path?.startsWith("$")) return null;
  const wanted = [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
  let at = skip(text, 0);
  for (const part of wanted) {
    const next = enter(text, at, part);
    if (next === null) break;
    at = next;
  }
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1).length + 1 };
}

const skip = (text, at) => at + text.slice(at).match(/^\s*/)[0].length;

// Return where one part of the value that begins at `at` begins: by its key in an object, by its number in a list.
function enter(text, at, part) {
  const isObject = text[at] === "{";
  if (!isObject && text[at] !== "[") return null;
  let here = skip(text, at + 1);
  for (let number = 0; here < text.length && text[here] !== "]" && text[here] !== "}"; number++) {
    let key = number;
    if (isObject) {
      const end = endOf(text, here);
      key = JSON.parse(text.slice(here, end));
      here = skip(text, skip(text, end) + 1); // after the colon
    }
    if (key === part) return here;
    here = skip(text, endOf(text, here));
    if (text[here] === ",") here = skip(text, here + 1);
  }
  return null;
}

// Return where the value that begins at `at` ends.
function endOf(text, at) {
  if (text[at] === '"') {
    let end = at + 1;
    while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    return end + 1;
  }
  if (text[at] !== "{" && text[at] !== "[") return at + text.slice(at).match(/^[^\s,\]}]*/)[0].length;
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    if (text[here] === '"') here = endOf(text, here) - 1;
    else if ("{[".includes(text[here])) depth++;
    else if ("}]".includes(text[here]) && --depth === 0) return here + 1;
  }
  return text.length;
}
