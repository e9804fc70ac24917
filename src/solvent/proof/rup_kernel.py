"""The kernel that follows a clausal refutation by reverse unit propagation.

A literal is coded as 2·v for variable v and 2·v + 1 for its negation, so `code ^ 1` negates. V is the number of
variables. The state is:

- `arena` (int32): first the heads of the watch lists, `arena[code]` for each code below 2·V + 2; then the clauses, one
  after the other as they came. Clause `ref` is, from `arena[ref]` on: its length (negated once it is deleted), the next
  clause in the watch list of its first literal, the same of its second, the next clause in its hash bucket, then its
  literals, which are distinct. The first two are watched; 0 ends a list.
- `values` (int8, 2·V + 2): 1 for a true code, -1 for a false one, 0 while open.
- `trail` (int32, V + 1): the true codes in the order they became true. Outside a check it holds only facts: what unit
  propagation alone gave. Facts stay when the clause that gave them is deleted: they follow from the formula anyway.
- `reasons` (int32, V + 1): for each variable on the trail the clause that forced it, 0 if it was assumed.
- `stamps` (int64, 2·V + 2): which codes were seen last, and in which pass.
- `buckets` (int32, a power of two): the first clause of each hash bucket, 0 if none.
- `counters` (int64): see the names below.
- `antecedents` (int32), `antecedent_ends` (int64, steps + 1): for each step the clauses its check used (`ref`) and the
  facts (`-v`); `step_refs` (int32, steps): the clause each step added, else 0. All of length 0 if nobody wants to know.

One call of `follow` takes steps until it looked at about `limit` clauses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.kernel import kernel
from solvent.engine.jit.random import scramble
from solvent.proof.drup import ADD, DELETE

AXIOM = 0
"""A step that adds a clause unchecked. ADD adds one that must follow, DELETE deletes one."""

WORKING, DONE, REFUTED, NOT_IMPLIED, FULL = 0, 1, 2, 3, 4
"""Out of its limit · no steps left · the empty clause was derived · this step does not follow · antecedents full."""

STEP, ARENA_END, FACTS, CONTRADICTION, UNKNOWN_DELETIONS, STAMP, LOOKED_AT, ANTECEDENTS = range(8)
"""The counters: the next step; where the next clause goes; facts on the trail; the clause that facts alone make false,
0 if none; deletions of clauses that were not there; the last stamp; clauses looked at; antecedents written."""
COUNTERS = 8

HEADER = 4


@kernel
def follow(
    literals: Any,
    starts: Any,
    kinds: Any,
    arena: Any,
    values: Any,
    trail: Any,
    reasons: Any,
    stamps: Any,
    buckets: Any,
    counters: Any,
    antecedents: Any,
    antecedent_ends: Any,
    step_refs: Any,
    limit: Any,
) -> Any:
    """Take steps from `counters[STEP]` on; returns one of the statuses above. After NOT_IMPLIED, STEP is the one."""
    record = len(antecedent_ends) > 0
    enough = counters[LOOKED_AT] + limit
    while counters[STEP] < len(kinds):
        if counters[LOOKED_AT] >= enough:
            return WORKING
        if record and len(antecedents) - counters[ANTECEDENTS] < 2 * len(trail):
            return FULL
        counters[LOOKED_AT] += 1
        step = counters[STEP]
        ref = counters[ARENA_END]
        length, tautology, bucket = _write_clause(
            literals, starts[step], starts[step + 1], arena, stamps, buckets, counters
        )
        if kinds[step] == DELETE:
            _delete(length, bucket, arena, stamps, buckets, counters)
        else:
            if kinds[step] == ADD and not tautology and counters[CONTRADICTION] == 0:
                implied = _is_implied(ref, length, arena, values, trail, reasons, stamps, counters, antecedents, record)
                if not implied:
                    return NOT_IMPLIED
            if kinds[step] == ADD and length == 0:
                return REFUTED
            if record:
                step_refs[step] = ref
            arena[ref + 3] = buckets[bucket]
            buckets[bucket] = ref
            counters[ARENA_END] = ref + HEADER + length
            if not tautology and counters[CONTRADICTION] == 0:
                _attach(ref, length, arena, values, trail, reasons, counters)
        counters[STEP] = step + 1
        if record:
            antecedent_ends[step + 1] = counters[ANTECEDENTS]
    return DONE


@kernel
def _write_clause(literals: Any, begin: Any, end: Any, arena: Any, stamps: Any, buckets: Any, counters: Any) -> Any:
    """Write a clause without repetitions at the end of the arena; returns length, tautology and hash bucket.

    The hash does not depend on the order of the literals, which changes while clauses are watched.
    """
    ref = counters[ARENA_END]
    counters[STAMP] += 1
    stamp = counters[STAMP]
    length, tautology, mixed = 0, False, np.uint64(0)
    for place in range(begin, end):
        literal = np.int64(literals[place])
        code = 2 * literal if literal > 0 else 1 - 2 * literal
        if stamps[code] == stamp:
            continue
        stamps[code] = stamp
        tautology = tautology or stamps[code ^ 1] == stamp
        arena[ref + HEADER + length] = code
        length += 1
        mixed ^= scramble(np.uint64(code))
    arena[ref] = length
    arena[ref + 1] = 0
    arena[ref + 2] = 0
    arena[ref + 3] = 0
    return length, tautology, np.int64(mixed >> np.uint64(1)) & (len(buckets) - 1)


@kernel
def _delete(length: Any, bucket: Any, arena: Any, stamps: Any, buckets: Any, counters: Any) -> None:
    """Delete one clause with the same literals as the one just written, whose codes carry the last stamp."""
    stamp = counters[STAMP]
    before = np.int64(0)
    other = np.int64(buckets[bucket])
    while other != 0:
        same = arena[other] == length
        place = 0
        while same and place < length:
            same = stamps[arena[other + HEADER + place]] == stamp
            place += 1
        if same:
            if before == 0:
                buckets[bucket] = arena[other + 3]
            else:
                arena[before + 3] = arena[other + 3]
            arena[other] = -length  # the watch lists drop it when they meet it
            return
        before = other
        other = np.int64(arena[other + 3])
    counters[UNKNOWN_DELETIONS] += 1


@kernel
def _is_implied(
    ref: Any,
    length: Any,
    arena: Any,
    values: Any,
    trail: Any,
    reasons: Any,
    stamps: Any,
    counters: Any,
    antecedents: Any,
    record: Any,
) -> Any:
    """Tell whether making every literal of the clause false leads, by unit propagation, to a conflict."""
    facts = counters[FACTS]
    assigned = facts
    for place in range(ref + HEADER, ref + HEADER + length):
        code = np.int64(arena[place])
        if values[code] == 1:  # a fact satisfies the clause
            if record:
                antecedents[counters[ANTECEDENTS]] = -(code >> 1)
                counters[ANTECEDENTS] += 1
            _forget(facts, assigned, values, trail)
            return True
        if values[code] == 0:
            values[code], values[code ^ 1] = -1, 1
            trail[assigned] = code ^ 1
            reasons[code >> 1] = 0
            assigned += 1
    conflict, assigned = _propagate(facts, assigned, arena, values, trail, reasons, counters)
    if record and conflict != 0:
        _record(conflict, facts, assigned, arena, trail, reasons, stamps, counters, antecedents)
    _forget(facts, assigned, values, trail)
    return conflict != 0


@kernel
def _forget(begin: Any, end: Any, values: Any, trail: Any) -> None:
    for place in range(begin, end):
        code = trail[place]
        values[code] = 0
        values[code ^ 1] = 0


@kernel
def _attach(ref: Any, length: Any, arena: Any, values: Any, trail: Any, reasons: Any, counters: Any) -> None:
    """Watch two literals that are not false; if there is only one, make it a fact; if none, it is a contradiction.

    A clause that a fact satisfies needs no watching, for facts stay.
    """
    open_literals = 0
    for place in range(length):
        code = np.int64(arena[ref + HEADER + place])
        if values[code] == 1:
            return
        if values[code] == 0:
            arena[ref + HEADER + place] = arena[ref + HEADER + open_literals]
            arena[ref + HEADER + open_literals] = code
            open_literals += 1
            if open_literals == 2:
                break
    if open_literals == 2:
        for side in range(2):
            code = np.int64(arena[ref + HEADER + side])
            arena[ref + 1 + side] = arena[code]
            arena[code] = ref
    elif open_literals == 1:
        code = np.int64(arena[ref + HEADER])
        values[code], values[code ^ 1] = 1, -1
        facts = counters[FACTS]
        trail[facts] = code
        reasons[code >> 1] = ref
        conflict, assigned = _propagate(facts, facts + 1, arena, values, trail, reasons, counters)
        counters[FACTS] = assigned
        counters[CONTRADICTION] = conflict
    else:
        counters[CONTRADICTION] = ref


@kernel
def _propagate(begin: Any, assigned: Any, arena: Any, values: Any, trail: Any, reasons: Any, counters: Any) -> Any:
    """Draw what follows from `trail[begin:assigned]`; returns a clause that became false, or 0, and the trail's end."""
    looked_at = 0
    conflict = np.int64(0)
    while begin < assigned and conflict == 0:
        false_code = np.int64(trail[begin]) ^ 1
        begin += 1
        link = false_code  # where in the arena the number of the current clause stands
        ref = np.int64(arena[link])
        while ref != 0:
            looked_at += 1
            other = np.int64(arena[ref + HEADER])
            side = 1
            if other == false_code:
                other = np.int64(arena[ref + HEADER + 1])
                side = 0
            own_link = ref + 1 + side
            length = np.int64(arena[ref])
            if length < 0:
                arena[link] = arena[own_link]
                ref = np.int64(arena[link])
                continue
            if values[other] == 1:
                link = own_link
                ref = np.int64(arena[link])
                continue
            place = ref + HEADER + 2
            end = ref + HEADER + length
            while place < end and values[arena[place]] == -1:
                place += 1
            if place < end:
                code = np.int64(arena[place])
                arena[place] = false_code
                arena[ref + HEADER + side] = code
                arena[link] = arena[own_link]
                arena[own_link] = arena[code]
                arena[code] = ref
                ref = np.int64(arena[link])
                continue
            if values[other] == -1:
                conflict = ref
                break
            values[other], values[other ^ 1] = 1, -1
            trail[assigned] = other
            reasons[other >> 1] = ref
            assigned += 1
            link = own_link
            ref = np.int64(arena[link])
    counters[LOOKED_AT] += looked_at
    return conflict, assigned


@kernel
def _record(
    conflict: Any,
    facts: Any,
    assigned: Any,
    arena: Any,
    trail: Any,
    reasons: Any,
    stamps: Any,
    counters: Any,
    antecedents: Any,
) -> None:
    """Write down the clauses and facts that lead to a conflict, walking the trail backwards from it."""
    counters[STAMP] += 1
    stamp = counters[STAMP]
    written = counters[ANTECEDENTS]
    ref, place = conflict, assigned
    while ref != 0:
        antecedents[written] = ref
        written += 1
        for index in range(ref + HEADER, ref + HEADER + np.int64(arena[ref])):
            stamps[np.int64(arena[index]) & ~1] = stamp  # the even code stands for the variable
        ref = np.int64(0)
        while ref == 0 and place > facts:
            place -= 1
            variable = np.int64(trail[place]) >> 1
            if stamps[2 * variable] == stamp:
                ref = np.int64(reasons[variable])
    for place in range(facts):
        variable = np.int64(trail[place]) >> 1
        if stamps[2 * variable] == stamp:
            antecedents[written] = -variable
            written += 1
    counters[ANTECEDENTS] = written
