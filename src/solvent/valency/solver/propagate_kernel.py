"""What is still possible on each node, and drawing consequences from it: AC-3 on bit sets."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, TINY, UNSIGNED, new_row, new_table

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.engine.bits import low_bits, lowest_bit, popcount, without_lowest_bit
    from solvent.engine.random import scramble
    from solvent.valency.solver.network_kernel import Arcs, Regions

UNION_PAYS = cython.declare(cython.longlong, 3)
"""How many modules of a neighbour can be looked at one by one in the time that one row of supports takes."""
MAX_EFFORT = cython.declare(cython.longlong, 1 << 17)
"""The effort in one call beside its work; that takes some milliseconds."""
STEPS_A_UNIT = cython.declare(cython.longlong, 32)
"""How many words, modules or arcs looked at are one unit of effort."""
KNOWN_SETS = cython.declare(cython.longlong, 512)
"""For how many sets of modules it is kept what they support; a power of two."""


@cython.final
@cython.cclass
class Fill:
    """Hold what is known about each node. The fields are described in `propagate_kernel.pxd`."""

    def __init__(
        self,
        arcs: Arcs,
        regions: Regions,
        domains: memoryview,
        sizes: memoryview,
        settled: memoryview,
        filled_at: memoryview,
        counts: memoryview,
    ) -> None:
        nodes = arcs.nodes
        self.arcs = arcs
        self.regions = regions
        self.domains = domains
        self.sizes = sizes
        self.seen = new_table(nodes if arcs.words > 1 else 1, arcs.words, UNSIGNED)
        self.is_seen = new_row(nodes, TINY)
        self.settled = settled
        self.filled_at = filled_at
        self.counts = counts
        self.queue = new_row(nodes, SHORT)
        self.queue_head = 0
        self.queue_length = 0
        self.queued = new_row(nodes, TINY)
        self.touched = new_row(nodes, SHORT)
        self.touched_count = 0
        self.is_touched = new_row(nodes, TINY)
        self.choices = 0
        self.removed = 0
        self.work = 0
        self.effort = 0
        self.steps = 0
        self.known_sets = new_table(len(arcs.support) if arcs.words == 1 else 1, KNOWN_SETS, UNSIGNED)
        self.known_supports = new_table(len(arcs.support) if arcs.words == 1 else 1, KNOWN_SETS, UNSIGNED)
        kinds, modules = arcs.support.shape[0], arcs.support.shape[1]
        self.likely_word = new_table(kinds, modules, SHORT) if arcs.words > 1 else new_table(1, 1, SHORT)
        self.gone = new_row(arcs.words, UNSIGNED)
        self.doubtful = new_row(arcs.words, UNSIGNED)
        self.supported = new_row(arcs.words, UNSIGNED)

    def look_at(self, nodes: memoryview) -> None:
        """Have the arcs of these nodes, a row of 64 bits each, looked at."""
        row: cython.longlong[::1] = nodes
        place: cython.longlong
        with cython.nogil:
            for place in range(row.shape[0]):
                self.touch(row[place])
                self.enqueue(row[place])

    def draw_consequences(self, limit: cython.longlong) -> int:
        """Propagate up to `limit` nodes; returns the one that is left with nothing, or -1."""
        self.work = 0
        self.effort = 0
        with cython.nogil:
            failed: cython.longlong = self.propagate(limit)
        return failed

    def clear_queue(self) -> None:
        """Forget whose arcs were to be looked at."""
        while self.queue_length > 0:
            self.dequeue()

    def enqueue(self, node: cython.longlong) -> cython.void:
        """Have the arcs of a node looked at, unless they will be anyway."""
        if self.queued[node] == 0:
            self.queued[node] = 1
            place: cython.longlong = self.queue_head + self.queue_length
            if place >= self.arcs.nodes:
                place -= self.arcs.nodes
            self.queue[place] = node
            self.queue_length += 1

    def dequeue(self) -> cython.longlong:
        """Take the node out of the queue that is there longest; there must be one."""
        node: cython.longlong = self.queue[self.queue_head]
        self.queue_head += 1
        if self.queue_head == self.arcs.nodes:
            self.queue_head = 0
        self.queue_length -= 1
        self.queued[node] = 0
        return node

    def touch(self, node: cython.longlong) -> cython.void:
        """Note that the possibilities of a node have changed."""
        if self.is_touched[node] == 0:
            self.is_touched[node] = 1
            self.touched[self.touched_count] = node
            self.touched_count += 1

    def forget_touched(self) -> cython.void:
        """Drop the list of nodes that changed."""
        self.effort += self.touched_count
        place: cython.longlong
        for place in range(self.touched_count):
            self.is_touched[self.touched[place]] = 0
        self.touched_count = 0

    def settle(self, node: cython.longlong) -> cython.void:
        """Note that a node has one module left: which, and since which choice."""
        word: cython.longlong
        for word in range(self.arcs.words):
            if self.domains[node, word] != 0:
                module = word * 64 + lowest_bit(self.domains[node, word])
                if self.settled[node] != module:
                    region: cython.longlong = self.regions.of_node[node]
                    self.settled[node] = module
                    self.counts[region, module] += 1
                    self.counts[region, self.regions.modules] += 1
        self.filled_at[node] = self.choices

    def unsettle(self, node: cython.longlong) -> cython.void:
        """Note that a node is open again, if it was settled."""
        if self.settled[node] >= 0:
            region: cython.longlong = self.regions.of_node[node]
            self.counts[region, self.settled[node]] -= 1
            self.counts[region, self.regions.modules] -= 1
            self.settled[node] = -1

    def book_size(self, node: cython.longlong, size: cython.longlong) -> cython.void:
        """Note how many modules are left on a node."""
        self.removed += self.sizes[node] - size
        self.sizes[node] = size

    def narrowed(self, node: cython.longlong, size: cython.longlong) -> cython.void:
        """Note that a node has fewer modules left, one at least, and have its arcs looked at."""
        self.book_size(node, size)
        if size == 1:
            self.settle(node)
        self.touch(node)
        self.enqueue(node)

    def look_again(self, node: cython.longlong) -> cython.void:
        """Have all arcs of a node looked at from the beginning, whatever was seen of it before."""
        self.enqueue(node)
        self.is_seen[node] = 0

    def propagate(self, limit: cython.longlong) -> cython.longlong:
        """Take away modules that no neighbour supports, until nothing changes or the work reaches its limit.

        Returns the node that has none left, or -1. The unit of work is one node's arcs. It also ends, whatever the
        limit, when the effort becomes too much.
        """
        while self.queue_length > 0 and self.work < limit and self.effort < MAX_EFFORT:
            node = self.dequeue()
            self.work += 1
            if self.sizes[node] == 0:
                continue
            failed = self.follow_arcs(node) if self.arcs.words == 1 else self.follow_arcs_of_words(node)
            if failed >= 0:
                self.book_size(failed, 0)
                self.look_again(node)  # its other arcs are still to be looked at
                return failed
            self.steps += self.arcs.start[node + 1] - self.arcs.start[node]
            self.effort += self.steps // STEPS_A_UNIT
            self.steps %= STEPS_A_UNIT
        return -1

    def follow_arcs(self, node: cython.longlong) -> cython.longlong:
        """Keep beside a node what its modules support; returns a neighbour that is left with nothing, or -1.

        This is for up to 64 modules, a set of which is one word.
        """
        here: cython.ulonglong = self.domains[node, 0]
        slot: cython.longlong = scramble(here) & (KNOWN_SETS - 1)
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            other: cython.longlong = self.arcs.target[arc]
            kind: cython.longlong = self.arcs.kind[arc]
            kept: cython.ulonglong = self.domains[other, 0] & self.supported_by(kind, here, slot)
            if kept == self.domains[other, 0]:
                continue
            self.domains[other, 0] = kept
            if kept == 0:
                return other
            self.narrowed(other, popcount(kept))
        return -1

    def supported_by(self, kind: cython.longlong, modules: cython.ulonglong, slot: cython.longlong) -> cython.ulonglong:
        """Return what a set of modules, not empty, supports along an arc, all of them together.

        Few different sets come up in a fill, again and again, so the last one of each slot is kept.
        """
        rest = without_lowest_bit(modules)
        if rest == 0:
            return self.arcs.support[kind, lowest_bit(modules), 0]
        if self.known_sets[kind, slot] != modules:
            supported: cython.ulonglong = self.arcs.support[kind, lowest_bit(modules), 0]
            while rest != 0:
                supported |= self.arcs.support[kind, lowest_bit(rest), 0]
                rest = without_lowest_bit(rest)
            self.known_sets[kind, slot] = modules
            self.known_supports[kind, slot] = supported
        return self.known_supports[kind, slot]

    def follow_arcs_of_words(self, node: cython.longlong) -> cython.longlong:
        """Do as `follow_arcs` for any number of modules."""
        few_removed = self.note_removals(node)
        arc: cython.longlong
        word: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            other: cython.longlong = self.arcs.target[arc]
            kind: cython.longlong = self.arcs.kind[arc]
            if few_removed:
                self.doubt_supported_by_gone(kind)
                changed = self.drop_unsupported(kind, node, other)
            elif self.arcs.words * self.sizes[node] <= UNION_PAYS * self.sizes[other]:
                changed = self.intersect(kind, node, other)
            else:
                self.doubt_all()
                changed = self.drop_unsupported(kind, node, other)
            if not changed:
                continue
            size: cython.longlong = 0
            for word in range(self.arcs.words):
                size += popcount(self.domains[other, word])
            if size == 0:
                return other
            self.narrowed(other, size)
        return -1

    def note_removals(self, node: cython.longlong) -> cython.bint:
        """Write what was taken from a node since this was called last into `gone`; returns whether that is little.

        With many modules, what a few removals can change is far less than everything.
        """
        count: cython.longlong = 0
        word: cython.longlong
        for word in range(self.arcs.words):
            self.gone[word] = self.seen[node, word] & ~self.domains[node, word]
            self.seen[node, word] = self.domains[node, word]
            count += popcount(self.gone[word])
        few: cython.bint = self.is_seen[node] == 1 and count < self.sizes[node]
        self.is_seen[node] = 1
        return few

    def intersect(self, kind: cython.longlong, node: cython.longlong, other: cython.longlong) -> cython.bint:
        """Keep at the end of an arc what any module at its start supports; returns whether that took something away."""
        words = self.arcs.words
        word: cython.longlong
        place: cython.longlong
        for word in range(words):
            self.supported[word] = 0
        missing: cython.bint = True
        for word in range(words):
            left: cython.ulonglong = self.domains[node, word]
            while left != 0 and missing:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                self.steps += words
                rest: cython.ulonglong = 0
                for place in range(words):
                    self.supported[place] |= self.arcs.support[kind, module, place]
                    rest |= self.domains[other, place] & ~self.supported[place]
                missing = rest != 0
        if missing:
            for word in range(words):
                self.domains[other, word] &= self.supported[word]
        return missing

    def doubt_supported_by_gone(self, kind: cython.longlong) -> cython.void:
        """Make `doubtful` what modules supported that are gone."""
        words = self.arcs.words
        word: cython.longlong
        place: cython.longlong
        for word in range(words):
            self.doubtful[word] = 0
        for word in range(words):
            left: cython.ulonglong = self.gone[word]
            while left != 0:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                self.steps += words
                for place in range(words):
                    self.doubtful[place] |= self.arcs.support[kind, module, place]

    def doubt_all(self) -> cython.void:
        """Make everything `doubtful`."""
        word: cython.longlong
        for word in range(self.arcs.words):
            self.doubtful[word] = low_bits(64)

    def drop_unsupported(self, kind: cython.longlong, node: cython.longlong, other: cython.longlong) -> cython.bint:
        """Drop what is doubtful at the end of an arc and has no support; returns whether that took something away."""
        changed: cython.bint = False
        word: cython.longlong
        for word in range(self.arcs.words):
            left: cython.ulonglong = self.doubtful[word] & self.domains[other, word]
            self.steps += popcount(left)
            unsupported: cython.ulonglong = 0
            while left != 0:
                rest: cython.ulonglong = without_lowest_bit(left)
                if not self.has_support(kind, word * 64 + lowest_bit(left), node):
                    unsupported |= left ^ rest
                left = rest
            if unsupported != 0:
                self.domains[other, word] &= ~unsupported
                changed = True
        return changed

    def has_support(self, kind: cython.longlong, module: cython.longlong, node: cython.longlong) -> cython.bint:
        """Tell whether something at the start of an arc agrees with a module at its end."""
        word: cython.longlong = self.likely_word[kind, module]
        if self.arcs.against[kind, module, word] & self.domains[node, word] != 0:
            return True
        self.steps += self.arcs.words
        for word in range(self.arcs.words):
            if self.arcs.against[kind, module, word] & self.domains[node, word] != 0:
                self.likely_word[kind, module] = word
                return True
        return False
