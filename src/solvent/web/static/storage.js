// What this browser keeps for us, as JSON; where it may not keep anything, nothing is kept and nothing breaks.

export function recall(name, usual, place = "localStorage") {
  try {
    return JSON.parse(window[place].getItem(name)) ?? usual;
  } catch {
    return usual;
  }
}

export function keep(name, value, place = "localStorage") {
  try {
    if (value === null) window[place].removeItem(name);
    else window[place].setItem(name, JSON.stringify(value));
  } catch {
    // a browser may forbid storing, or have no room left
  }
}
