"""The kernel that follows a clausal refutation by reverse unit propagation.

Load the axioms and run, then load the proof and run: each call of `run` takes steps until it looked at about `limit`
clauses. The fields are described in `rup_kernel.pxd`.

A proof may be forged to be slow, so all that a step does is counted, and no step costs more than a few times the size
of formula and proof: hash buckets depend on a seed that nobody can know beforehand, and a search in a long clause goes
on where the last one ended.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, TINY, longer_row, new_row

if cython.compiled:
    from cython.cimports.solvent.engine.random import scramble
else:
    from solvent.engine.random import scramble

AXIOM, ADD, DELETE = 0, 1, 2
"""What a step does: add a clause unchecked, add one that must follow, delete one."""

WORKING, DONE, REFUTED, NOT_IMPLIED, FULL = 0, 1, 2, 3, 4
"""Out of its limit · no steps left · the empty clause was derived · this step does not follow · antecedents full."""

_ADD = cython.declare(cython.longlong, ADD)
_DELETE = cython.declare(cython.longlong, DELETE)
_WORKING = cython.declare(cython.longlong, WORKING)
_DONE = cython.declare(cython.longlong, DONE)
_REFUTED = cython.declare(cython.longlong, REFUTED)
_NOT_IMPLIED = cython.declare(cython.longlong, NOT_IMPLIED)
_FULL = cython.declare(cython.longlong, FULL)

HEADER = 4
"""Words before the literals of a clause."""
_HEADER = cython.declare(cython.longlong, HEADER)
LONG = 32
"""A clause with more literals has one more word behind them: where the last search for one that is not false ended."""
_LONG = cython.declare(cython.longlong, LONG)
LITERALS_A_CLAUSE = cython.declare(cython.longlong, 16)
"""How many literals of a long clause count as much as a look at a clause."""
MAX_ARENA = (1 << 31) - 1
"""Clauses are known by their place, which must fit 31 bits."""


@cython.final
@cython.cclass
class RupFollower:
    """Hold the clauses of a formula and of a proof that follows from it."""

    def __init__(self, variables: int, literals: int, clauses: int, seed: int) -> None:
        """Make room for so many literals and clauses, of formula and proof; raises MemoryError beyond reason.

        The seed decides on hash buckets, and so on the effort alone.
        """
        codes = 2 * variables + 2
        room = codes + literals + literals // LONG + HEADER * (clauses + 1)
        if room > MAX_ARENA:
            raise MemoryError(f"expected a formula and proof of at most {MAX_ARENA} words, found {room}")
        buckets = 1 << max(4, clauses.bit_length())
        self.arena = new_row(room, SHORT)
        self.arena_end = codes
        self.buckets = new_row(buckets, SHORT)
        self.bucket_mask = buckets - 1
        self.hash_seed = seed
        self.chain_steps = 0
        self.unknown_deletions = 0
        self.values = new_row(codes, TINY)
        self.trail = new_row(variables + 1, SHORT)
        self.trail_end = 0
        self.facts = 0
        self.reasons = new_row(variables + 1, SHORT)
        self.contradiction = 0
        self.looked_at = 0
        self.stamps = new_row(codes)
        self.stamp = 0
        self.length = 0
        self.tautology = False
        self.bucket = 0
        self.recording = False
        self.antecedents_end = 0
        self.antecedents_room = 0
        self.steps = 0
        self.step = 0

    def load(self, literals: memoryview, starts: memoryview, kinds: memoryview, *, recording: bool = False) -> None:
        """Have these steps followed next; with `recording`, keep what each of them uses."""
        self.literals = literals
        self.starts = starts
        self.kinds = kinds
        self.steps = len(starts) - 1
        self.step = 0
        self.recording = recording
        if recording:
            self.antecedents_room = 4 * len(self.trail) + 1024
            self.antecedents = new_row(self.antecedents_room, SHORT)
            self.antecedents_end = 0
            self.antecedent_ends = new_row(self.steps + 1)
            self.step_refs = new_row(self.steps, SHORT)

    def run(self, limit: cython.longlong) -> int:
        """Take steps; returns one of the statuses above."""
        status: cython.longlong
        with cython.nogil:
            status = self.follow(limit)
        return status

    def grow(self) -> None:
        """Make room for more antecedents, after FULL."""
        self.antecedents_room *= 2
        self.antecedents = longer_row(memoryview(self.antecedents), self.antecedents_room)

    def recorded(self) -> tuple[memoryview, memoryview, memoryview, int, memoryview, memoryview, memoryview]:
        """Return what a proof that was followed with `recording` used; the rows are those of the kernel itself.

        They are the arena, the facts of the trail, reasons, contradiction, antecedents, their ends, and step_refs.
        """
        return (
            memoryview(self.arena),
            memoryview(self.trail)[: self.facts],
            memoryview(self.reasons),
            self.contradiction,
            memoryview(self.antecedents)[: self.antecedents_end],
            memoryview(self.antecedent_ends),
            memoryview(self.step_refs),
        )

    def follow(self, limit: cython.longlong) -> cython.longlong:
        """Take steps until the limit, the end, the empty clause or a step that does not follow."""
        enough = self.looked_at + self.chain_steps + limit
        while self.step < self.steps:
            if self.looked_at + self.chain_steps >= enough:
                return _WORKING
            if self.recording and self.antecedents_room - self.antecedents_end < 2 * self.trail.shape[0]:
                return _FULL
            self.looked_at += 1
            step = self.step
            kind: cython.longlong = self.kinds[step]
            ref = self.arena_end
            self.write_clause(self.starts[step], self.starts[step + 1])
            if kind == _DELETE:
                self.delete_clause()
            else:
                if kind == _ADD:
                    if not self.tautology and self.contradiction == 0 and not self.is_implied(ref):
                        return _NOT_IMPLIED
                    if self.length == 0:
                        return _REFUTED
                if self.recording:
                    self.step_refs[step] = ref
                self.arena[ref + 3] = self.buckets[self.bucket]
                self.buckets[self.bucket] = ref
                self.arena_end = ref + _HEADER + self.length
                if self.length > _LONG:
                    self.arena[self.arena_end] = ref + _HEADER + 2
                    self.arena_end += 1
                if not self.tautology and self.contradiction == 0:
                    self.attach(ref)
            self.step = step + 1
            if self.recording:
                self.antecedent_ends[step + 1] = self.antecedents_end
        return _DONE

    def write_clause(self, begin: cython.longlong, end: cython.longlong) -> cython.void:
        """Write a clause without repetitions at the end of the arena.

        The hash does not depend on the order of the literals, which changes while clauses are watched.
        """
        ref = self.arena_end
        self.stamp += 1
        stamp = self.stamp
        length: cython.longlong = 0
        tautology: cython.bint = False
        mixed: cython.ulonglong = 0
        for place in range(begin, end):
            literal: cython.longlong = self.literals[place]
            code: cython.longlong = 2 * literal if literal > 0 else 1 - 2 * literal
            if self.stamps[code] == stamp:
                continue
            self.stamps[code] = stamp
            tautology = tautology or self.stamps[code ^ 1] == stamp
            self.arena[ref + _HEADER + length] = code
            length += 1
            mixed ^= scramble(self.hash_seed ^ code)
        self.looked_at += (end - begin) // LITERALS_A_CLAUSE
        self.arena[ref] = length
        self.arena[ref + 1] = 0
        self.arena[ref + 2] = 0
        self.arena[ref + 3] = 0
        self.length = length
        self.tautology = tautology
        self.bucket = (mixed >> 1) & self.bucket_mask

    def delete_clause(self) -> cython.void:
        """Delete one clause with the same literals as the one just written, whose codes carry the last stamp."""
        before: cython.longlong = 0
        other: cython.longlong = self.buckets[self.bucket]
        while other != 0:
            self.chain_steps += 1
            same: cython.bint = self.arena[other] == self.length
            place = other + _HEADER
            while same and place < other + _HEADER + self.length:
                same = self.stamps[self.arena[place]] == self.stamp
                place += 1
            self.chain_steps += (place - other) // LITERALS_A_CLAUSE
            if same:
                if before == 0:
                    self.buckets[self.bucket] = self.arena[other + 3]
                else:
                    self.arena[before + 3] = self.arena[other + 3]
                self.arena[other] = -self.length  # the watch lists drop it when they meet it
                return
            before = other
            other = self.arena[other + 3]
        self.unknown_deletions += 1

    def is_implied(self, ref: cython.longlong) -> cython.bint:
        """Tell whether making every literal of the clause false leads, by unit propagation, to a conflict."""
        for place in range(ref + _HEADER, ref + _HEADER + self.length):
            code: cython.longlong = self.arena[place]
            if self.values[code] == 1:  # a fact satisfies the clause
                if self.recording:
                    self.note_antecedent(-(code >> 1))
                self.forget_assumptions()
                return True
            if self.values[code] == 0:
                self.set_true(code ^ 1, 0)
        conflict = self.propagate(self.facts)
        if self.recording and conflict != 0:
            self.record(conflict)
        self.forget_assumptions()
        return conflict != 0

    def forget_assumptions(self) -> cython.void:
        """Take everything but facts off the trail."""
        for place in range(self.facts, self.trail_end):
            code: cython.longlong = self.trail[place]
            self.values[code] = 0
            self.values[code ^ 1] = 0
        self.trail_end = self.facts

    def attach(self, ref: cython.longlong) -> cython.void:
        """Watch two literals that are not false; if there is only one, make it a fact; if none, it is a contradiction.

        A clause that a fact satisfies needs no watching, for facts stay.
        """
        first = ref + _HEADER
        open_literals: cython.longlong = 0
        for place in range(first, first + self.length):
            code: cython.longlong = self.arena[place]
            if self.values[code] == 1:
                return
            if self.values[code] == 0:
                self.arena[place] = self.arena[first + open_literals]
                self.arena[first + open_literals] = code
                open_literals += 1
                if open_literals == 2:
                    break
        if open_literals == 2:
            for side in range(2):
                watched: cython.longlong = self.arena[first + side]
                self.arena[ref + 1 + side] = self.arena[watched]
                self.arena[watched] = ref
        elif open_literals == 1:
            self.set_true(self.arena[first], ref)
            self.contradiction = self.propagate(self.facts)
            self.facts = self.trail_end
        else:
            self.contradiction = ref

    def set_true(self, code: cython.longlong, reason: cython.longlong) -> cython.void:
        """Make a code true because of a clause, 0 if it is only assumed."""
        self.values[code] = 1
        self.values[code ^ 1] = -1
        self.trail[self.trail_end] = code
        self.reasons[code >> 1] = reason
        self.trail_end += 1

    def propagate(self, begin: cython.longlong) -> cython.longlong:
        """Draw what follows from the trail from `begin` on; returns a clause that became false, or 0."""
        while begin < self.trail_end:
            false_code: cython.longlong = self.trail[begin] ^ 1
            begin += 1
            link = false_code  # where in the arena the number of the current clause stands
            ref: cython.longlong = self.arena[link]
            while ref != 0:
                self.looked_at += 1
                first = ref + _HEADER
                other: cython.longlong = self.arena[first]
                side: cython.longlong = 1
                if other == false_code:
                    other = self.arena[first + 1]
                    side = 0
                own_link = ref + 1 + side
                length: cython.longlong = self.arena[ref]
                if length < 0:
                    self.arena[link] = self.arena[own_link]
                elif self.values[other] == 1:
                    link = own_link
                else:
                    if length > _LONG:
                        place = self.find_in_long(first, first + length)
                    else:
                        place = first + 2
                        while place < first + length and self.values[self.arena[place]] == -1:
                            place += 1
                    if place < first + length:  # watch this one from now on
                        code: cython.longlong = self.arena[place]
                        self.arena[place] = false_code
                        self.arena[first + side] = code
                        self.arena[link] = self.arena[own_link]
                        self.arena[own_link] = self.arena[code]
                        self.arena[code] = ref
                    elif self.values[other] == -1:
                        return ref
                    else:
                        self.set_true(other, ref)
                        link = own_link
                ref = self.arena[link]
        return 0

    def find_in_long(self, first: cython.longlong, end: cython.longlong) -> cython.longlong:
        """Return where a literal stands that is not false and not watched, `end` if nowhere.

        It begins where the last search ended and comes round once. While unit consequences are drawn, what is false
        stays so; beginning at the front each time would cost the square of the length.
        """
        begin: cython.longlong = self.arena[end]
        place = begin
        while place < end and self.values[self.arena[place]] == -1:
            place += 1
        self.looked_at += (place - begin) // LITERALS_A_CLAUSE
        if place == end:
            place = first + 2
            while place < begin and self.values[self.arena[place]] == -1:
                place += 1
            self.looked_at += (place - first) // LITERALS_A_CLAUSE
            if place == begin:
                return end
        self.arena[end] = place
        return place

    def record(self, conflict: cython.longlong) -> cython.void:
        """Write down the clauses and facts that lead to a conflict, walking the trail backwards from it."""
        self.stamp += 1
        stamp = self.stamp
        ref = conflict
        place = self.trail_end
        while ref != 0:
            self.note_antecedent(ref)
            self.looked_at += self.arena[ref] // LITERALS_A_CLAUSE
            for index in range(ref + _HEADER, ref + _HEADER + self.arena[ref]):
                self.stamps[self.arena[index] & ~1] = stamp  # the even code stands for the variable
            ref = 0
            while ref == 0 and place > self.facts:
                place -= 1
                variable: cython.longlong = self.trail[place] >> 1
                if self.stamps[2 * variable] == stamp:
                    ref = self.reasons[variable]
        for fact in range(self.facts):
            known: cython.longlong = self.trail[fact] >> 1
            if self.stamps[2 * known] == stamp:
                self.note_antecedent(-known)

    def note_antecedent(self, used: cython.longlong) -> cython.void:
        """Write down one clause or fact that the step at hand uses."""
        self.antecedents[self.antecedents_end] = used
        self.antecedents_end += 1
