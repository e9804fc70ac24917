// Moves and what they changed, so that every moment of them can be shown without asking again.

export class Track {
  constructor({ moves, places, changes, events, won }) {
    Object.assign(this, { moves, places, changes, events, won });
  }

  get length() {
    return this.moves.length;
  }

  // How everything stands after so many moves.
  frame(move) {
    const frame = { move, place: this.places[move], taken: new Set(), absent: new Set(), open: new Set(), goal: true, switches: new Map(), blocks: new Map(), have: null };
    for (const change of this.changes) {
      if (change.move > move) break;
      for (const number of change.taken ?? []) frame.taken.add(number);
      for (const [number, isOpen] of change.gates ?? []) put(frame.open, number, isOpen);
      for (const [number, isThere] of change.there ?? []) put(frame.absent, number, !isThere);
      for (const [name, state] of change.switches ?? []) frame.switches.set(name, state);
      frame.goal = change.goal ?? frame.goal;
      for (const [number, place] of change.blocks ?? []) frame.blocks.set(number, place);
      frame.have = change.have ?? frame.have;
    }
    return frame;
  }

  // Whether this begins with all the moves of another.
  extends(other) {
    return other.length <= this.length && other.moves.every((move, index) => move === this.moves[index]);
  }
}

function put(set, value, isIn) {
  if (isIn) set.add(value);
  else set.delete(value);
}
