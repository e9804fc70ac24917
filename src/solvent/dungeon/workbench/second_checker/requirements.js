// Requirements as the text format writes them, read into trees, and the quotes of that format.

function unquoted(name) {
  return name.trim().replace(/^"(.*)"$/, "$1");
}

// Split at a separator that stands in no quotes.
function split(text, separator) {
  return text.match(new RegExp(`(?:"[^"]*"|[^"\\${separator}])+`, "g"))?.map((one) => one.trim()).filter(Boolean) ?? [];
}

// Cut "left WORD right" in two, at a word that stands in no quotes; right is null if there is none.
function cut(text, word) {
  const quoted = text.replace(/"[^"]*"/g, (name) => "\0".repeat(name.length));
  const found = new RegExp(`(^|\\s)${word}(\\s|$)`).exec(quoted);
  return found ? [text.slice(0, found.index).trim(), text.slice(found.index + found[0].length).trim()] : [text.trim(), null];
}

// A requirement as a tree: {is: "not", part}, {is: "all" or "any", parts}, or a single fact.
function readRequirement(text, badInput) {
  const tokens = text.match(/"[^"]*"|&&?|\|\|?|>=|=>|<=|=<|!=|==?|[<>≥≤≠∧∨¬!()]|[^\s"&|<>=!()≥≤≠∧∨¬]+/g) ?? [];
  let next = 0;
  const accept = (...words) => words.includes(tokens[next]) && ++next > 0;
  const list = (is, read, ...words) => {
    const parts = [read()];
    while (accept(...words)) parts.push(read());
    return parts.length === 1 ? parts[0] : { is, parts };
  };
  const either = () => list("any", both, "|", "||", "or", "∨");
  const both = () => list("all", single, "&", "&&", "and", "∧");
  const single = () => {
    if (accept("!", "not", "¬")) return { is: "not", part: single() };
    if (accept("(")) {
      const inner = either();
      if (!accept(")")) badInput(`requirement: expected ) in ${text}`);
      return inner;
    }
    return fact();
  };
  const words = (...ends) => {
    const found = [];
    while (next < tokens.length && !/^([&|<>=!()≥≤≠∧∨¬]+|and|or)$/.test(tokens[next]) && !ends.includes(tokens[next])) found.push(tokens[next++]);
    if (!found.length) badInput(`requirement: expected a name in ${text}`);
    return found;
  };
  const fact = () => {
    if (accept("always")) return { is: "always" };
    if (accept("never")) return { is: "never" };
    if (accept("cleared")) return { is: "cleared", name: unquoted(words().join(" ")) };
    if (accept("switch")) {
      const name = unquoted(words("is").join(" "));
      let [isNot, state] = [false, "on"];
      if (accept("is")) isNot = accept("not");
      else if (accept("!=", "≠")) isNot = true;
      else if (!accept("=", "==")) return { is: "switch", name, state };
      state = unquoted(words().join(" "));
      const found = { is: "switch", name, state };
      return isNot ? { is: "not", part: found } : found;
    }
    const found = words();
    let count = 1;
    if (found.length > 1 && /^\d+$/.test(found[0])) {
      count = Number(found.shift());
      if (found[0] === "of") found.shift();
    }
    const what = whatOf(found);
    const sign = tokens[next];
    if (!/^([<>]=?|=[<>]|==?|!=|[≥≤≠])$/.test(sign ?? "")) return atLeast(what, count);
    next++;
    const number = Number(tokens[next++]);
    if (!Number.isInteger(number)) badInput(`requirement: expected a number after ${sign} in ${text}`);
    const fewer = (limit) => ({ is: "not", part: atLeast(what, limit) });
    if ([">=", "=>", "≥"].includes(sign)) return atLeast(what, number);
    if (sign === ">") return atLeast(what, number + 1);
    if (sign === "<") return fewer(number);
    if (["<=", "=<", "≤"].includes(sign)) return fewer(number + 1);
    const exactly = { is: "all", parts: [atLeast(what, number), fewer(number + 1)] };
    return sign === "!=" || sign === "≠" ? { is: "not", part: exactly } : exactly;
  };
  const found = either();
  if (next < tokens.length) badInput(`requirement: ${tokens[next]} is not expected in ${text}`);
  return found;
}

function atLeast(what, count) {
  return count > 0 ? { ...what, count } : { is: "always" };
}

function whatOf(words) {
  const last = words.at(-1);
  if (last === "key" || last === "keys") return { is: "key", name: unquoted(words.slice(0, -1).join(" ")) };
  if (words.length === 1 && (last === "bombs" || last === "bomb")) return { is: "bombs", name: "" };
  return { is: "item", name: unquoted(words.join(" ")) };
}

export { cut, readRequirement, split, unquoted };
