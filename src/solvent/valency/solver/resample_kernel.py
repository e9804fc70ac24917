"""Draw small windows of a complete fill anew, until what is counted and what hangs together is as it must be.

Every step keeps all neighbours in agreement. A change is taken if it makes the fill better, or now and then a little
worse: fewer loose pieces, counts nearer to their bounds, and each module as often as it is wanted.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import FRACTION, SHORT, UNSIGNED, new_row, new_table

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, lowest_bit, popcount, without_lowest_bit
    from cython.cimports.solvent.engine.random import after_draws, index_of, scramble, unit_of
    from cython.cimports.solvent.valency.solver.local_joins_kernel import LocalJoins
    from cython.cimports.solvent.valency.solver.local_rows_kernel import LocalRows
    from cython.cimports.solvent.valency.solver.loose_parts_kernel import LooseParts
    from cython.cimports.solvent.valency.solver.network_kernel import Arcs
else:
    from solvent.engine.bits import bit, lowest_bit, popcount, without_lowest_bit
    from solvent.engine.random import after_draws, index_of, scramble, unit_of
    from solvent.valency.solver.local_joins_kernel import LocalJoins
    from solvent.valency.solver.local_rows_kernel import LocalRows
    from solvent.valency.solver.loose_parts_kernel import LooseParts
    from solvent.valency.solver.network_kernel import Arcs

MAX_WINDOW = 32
"""The largest window, in nodes."""
_MAX_WINDOW = cython.declare(cython.longlong, MAX_WINDOW)
MAX_EFFORT = cython.declare(cython.longlong, 1 << 17)
"""How many nodes are gone over in one call; that takes some milliseconds."""
TRIES_A_WINDOW = cython.declare(cython.longlong, 3)
"""How often the modules of one window are drawn before another is taken."""
SOFTENING = cython.declare(cython.double, 4.0)
"""How many nodes are added to how many are wanted, so that rare modules do not weigh too much."""
PATIENCE = cython.declare(cython.double, 16.0)
"""How many nodes a module may be ahead or behind before that changes how often it is drawn much."""
RARELY = cython.declare(cython.double, 0.25)
"""How often a module is drawn that is not wanted anywhere."""
MISSING = cython.declare(cython.double, 8.0)
"""How much more often one is drawn of which there are too few."""
COUNTS_A_PIECE = cython.declare(cython.double, 5.0)
"""How many nodes too many or too few cost as much as a loose piece."""
MAX_GAIN = cython.declare(cython.longlong, 4)
"""How many pieces at most a change is hoped to join; one that is too dear even then is not looked at any further."""


@cython.final
@cython.cclass
class Resampling:
    """Hold a complete fill that is being improved. Work can stop anywhere and go on in the next call."""

    arcs: Arcs
    """Who is whose neighbour."""
    joins: LocalJoins
    """What must hang together, or not in a circle."""
    rows: LocalRows
    """Which rows must not be too long."""
    mates: cython.const[cython.int][:, ::1]
    """Shape (nodes, mates): nodes that must change with each, as its images in a symmetry; -1 for none."""
    mate_count: cython.longlong
    """How many mates a node has at most."""
    loose: LooseParts
    """What hung together wrongly when that was looked up last."""
    held: cython.int[::1]
    """Shape (nodes): the module on each node; negative where there is none."""
    roots: cython.const[cython.ulonglong][:, ::1]
    """Shape (nodes, words): what may stand on each node."""
    region_of: cython.const[cython.int][::1]
    """Shape (nodes): the region of each node."""
    wanted: cython.const[cython.double][:, ::1]
    """Shape (regions, modules): how many nodes are to hold each module."""
    counts: cython.longlong[:, ::1]
    """Shape (regions, modules): how many do."""
    modules: cython.longlong
    """How many modules there are."""
    sets: cython.const[cython.uchar][:, ::1]
    """Shape (bounds, modules): 1 for each module that a bound counts."""
    scope: cython.const[cython.uchar][:, ::1]
    """Shape (bounds, nodes): 1 for each node that counts."""
    bounds: cython.const[cython.longlong][:, ::1]
    """Shape (bounds, 2): the least and the most there may be."""
    bound_count: cython.longlong
    """How many bounds there are."""
    tally: cython.longlong[::1]
    """Shape (bounds): how many there are."""
    places: cython.const[cython.int][::1]
    """The nodes on which several modules are possible."""
    random: cython.ulonglong
    """Where chance comes from."""
    warmth: cython.double
    """How much worse a change may make it, about."""
    largest: cython.longlong
    """How many nodes a window has at most."""
    cost_of_piece: cython.double
    """What a loose piece costs."""
    window: cython.int[::1]
    """The nodes that are drawn anew."""
    window_count: cython.longlong
    """How many there are."""
    fresh: cython.int[::1]
    """By place in the window, the module that was drawn; -1 before that."""
    stale: cython.int[::1]
    """By place in the window, the module before that."""
    open: cython.ulonglong[:, ::1]
    """By place in the window and word, what may stand there beside what stays."""
    left: cython.ulonglong[:, ::1]
    """The same beside what was drawn so far."""
    pull: cython.double[::1]
    """Shape (modules): the weights to draw with, for the node at hand."""
    since_look: cython.longlong
    """How many windows were drawn since loose pieces were looked up."""
    steps_a_look: cython.longlong
    """How many are."""
    broken = cython.declare(cython.longlong, visibility="readonly")
    """How many pieces are loose, how far paths are from getting through, and how many circles there are, joins too many
    or too few in loops, and rows that are too long, all together."""
    misses = cython.declare(cython.longlong, visibility="readonly")
    """How far counts are out of their bounds, all together."""
    distance = cython.declare(cython.double, visibility="readonly")
    """How far modules are from how often they are wanted: the sum of squares, each over what is wanted."""
    steps = cython.declare(cython.longlong, visibility="readonly")
    """How many windows were drawn in all."""
    taken = cython.declare(cython.longlong, visibility="readonly")
    """How many of them were kept."""

    def __init__(
        self,
        joins: LocalJoins,
        rows: LocalRows,
        roots: memoryview,
        region_of: memoryview,
        wanted: memoryview,
        counts: memoryview,
        places: memoryview,
        seed: int,
    ) -> None:
        """Take a complete fill, in `joins.held`. `counts` must be right; bounds are given afterwards."""
        self.arcs = joins.arcs
        self.joins = joins
        self.rows = rows
        self.mates = new_table(1, 1, SHORT)
        self.mate_count = 0
        self.loose = LooseParts(joins, rows)
        self.held = joins.held
        self.roots = roots
        self.region_of = region_of
        self.wanted = wanted
        self.counts = counts
        self.modules = wanted.shape[1]
        nothing = memoryview(bytes(1)).cast("B", (1, 1))
        self.sets = nothing
        self.scope = nothing
        self.bounds = new_table(1, 2)
        self.bound_count = 0
        self.tally = new_row(1)
        self.places = places
        self.random = seed
        self.warmth = 0.0
        self.largest = 1
        self.cost_of_piece = 1.0
        self.window = new_row(MAX_WINDOW, SHORT)
        self.window_count = 0
        self.fresh = new_row(MAX_WINDOW, SHORT)
        self.stale = new_row(MAX_WINDOW, SHORT)
        self.open = new_table(MAX_WINDOW, self.arcs.words, UNSIGNED)
        self.left = new_table(MAX_WINDOW, self.arcs.words, UNSIGNED)
        self.pull = new_row(self.modules, FRACTION)
        self.since_look = 0
        self.steps_a_look = 1
        self.broken = 0
        self.misses = 0
        self.distance = 0.0
        self.steps = 0
        self.taken = 0

    def keep_counts(self, sets: memoryview, scope: memoryview, bounds: memoryview, tally: memoryview) -> None:
        """Keep counts within bounds; `tally` must be right."""
        self.sets = sets
        self.scope = scope
        self.bounds = bounds
        self.tally = tally
        self.bound_count = len(tally)

    def change_together(self, mates: memoryview) -> None:
        """Change nodes only together with their mates."""
        self.mates = mates
        self.mate_count = mates.shape[1]

    def set_manner(self, warmth: float, largest: int, cost_of_piece: float) -> None:
        """Set how much worse a change may make it, how large windows are, and what a loose piece costs."""
        self.warmth = warmth
        self.largest = max(1, min(largest, MAX_WINDOW - self.mate_count))
        self.cost_of_piece = cost_of_piece

    def begin(self) -> None:
        """Find out how good the fill is; call it once before the first run, and after the fill was changed."""
        self.steps_a_look = 64 + self.arcs.nodes // 4
        self.look()
        self.misses = 0
        bound: cython.longlong
        for bound in range(self.bound_count):
            self.misses += self.missed(bound, self.tally[bound])
        self.distance = 0.0
        region: cython.longlong
        module: cython.longlong
        for region in range(self.wanted.shape[0]):
            for module in range(self.modules):
                self.distance += self.distance_of(region, module)

    def run(self, limit: cython.longlong, goal: cython.double) -> int:
        """Draw up to `limit` windows; returns how many. It ends when nothing is wrong and the goal is reached."""
        done: cython.longlong = 0
        self.joins.effort = 0
        with cython.nogil:
            while done < limit and self.joins.effort < MAX_EFFORT and not self.is_good(goal):
                self.step()
                done += 1
        return done

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_good(self, goal: cython.double) -> cython.bint:
        """Tell whether nothing is wrong and modules are about as often there as they are wanted."""
        return self.broken == 0 and self.misses == 0 and self.distance <= goal

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def draw_word(self) -> cython.ulonglong:
        """Draw a random word."""
        self.random = after_draws(self.random, 1)
        return scramble(self.random)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self) -> cython.void:
        """Draw one window anew, and keep or drop that."""
        self.steps += 1
        self.since_look += 1
        if self.since_look >= self.steps_a_look:
            self.look()
        self.choose_window()
        self.joins.effort += 1 + self.window_count // 8
        if not self.narrow_window():
            return
        _tries: cython.longlong
        for _tries in range(TRIES_A_WINDOW):
            if self.draw_window():
                self.judge()
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_window(self) -> cython.void:
        """Choose a few nodes that hang together along edges: often about a loose piece, if there is one."""
        word = self.draw_word()
        node: cython.longlong
        if self.loose.count > 0 and word & 1 != 0:
            node = self.loose.nodes[index_of(word, self.loose.count)]
        else:
            node = self.places[index_of(word, self.places.shape[0])]
        size: cython.longlong = 1 + index_of(self.draw_word(), self.largest)
        self.window_count = 0
        self.add_with_mates(node)
        _tries: cython.longlong
        for _tries in range(3 * size):
            if self.window_count >= size:
                return
            word = self.draw_word()
            node = self.window[index_of(word, self.window_count)]
            arcs: cython.longlong = self.arcs.near_end[node] - self.arcs.start[node]
            if arcs == 0:
                return
            arc: cython.longlong = self.arcs.start[node] + index_of(scramble(word), arcs)
            node = self.arcs.target[arc]
            if self.held[node] >= 0:
                self.add_with_mates(node)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_with_mates(self, node: cython.longlong) -> cython.void:
        """Add a node to the window, unless it is there, and those that must change with it."""
        self.add(node)
        mate: cython.longlong
        for mate in range(self.mate_count):
            if self.mates[node, mate] >= 0:
                self.add(self.mates[node, mate])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, node: cython.longlong) -> cython.void:
        """Add a node to the window, unless it is there."""
        index: cython.longlong
        for index in range(self.window_count):
            if self.window[index] == node:
                return
        self.window[self.window_count] = node
        self.window_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def narrow_window(self) -> cython.bint:
        """Find what may stand in the window beside what stays, something else on its first node; False if nothing."""
        self.joins.gather(self.window, self.window_count)
        words = self.arcs.words
        index: cython.longlong
        word: cython.longlong
        arc: cython.longlong
        for index in range(self.window_count):
            node: cython.longlong = self.window[index]
            for word in range(words):
                self.open[index, word] = self.roots[node, word]
            if index == 0:
                self.open[0, self.held[node] >> 6] &= ~bit(self.held[node] & 63)
            for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
                other: cython.longlong = self.arcs.target[arc]
                if self.held[other] < 0 or self.is_inside(other):
                    continue
                kind: cython.longlong = self.arcs.kind[arc]
                for word in range(words):
                    self.open[index, word] &= self.arcs.against[kind, self.held[other], word]
            some: cython.ulonglong = 0
            for word in range(words):
                some |= self.open[index, word]
            if some == 0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_inside(self, node: cython.longlong) -> cython.bint:
        """Tell whether a node is in the window."""
        return self.joins.near_mark[node] == self.joins.near_turn and self.joins.place[node] < self.window_count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def draw_window(self) -> cython.bint:
        """Draw a module for each node of the window, always next where least is possible; False at a contradiction."""
        words = self.arcs.words
        index: cython.longlong
        word: cython.longlong
        drawn: cython.longlong
        arc: cython.longlong
        for index in range(self.window_count):
            self.fresh[index] = -1
            for word in range(words):
                self.left[index, word] = self.open[index, word]
        for drawn in range(self.window_count):
            index = 0 if drawn == 0 else self.tightest()
            module = self.draw_module(index)
            if module < 0:
                return False
            self.fresh[index] = module
            node: cython.longlong = self.window[index]
            for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
                other: cython.longlong = self.arcs.target[arc]
                if not self.is_inside(other):
                    continue
                place: cython.longlong = self.joins.place[other]
                kind: cython.longlong = self.arcs.kind[arc]
                if self.fresh[place] >= 0:
                    held: cython.longlong = self.fresh[place]
                    if self.arcs.support[kind, module, held >> 6] & bit(held & 63) == 0:
                        return False  # two edges may join the same nodes
                    continue
                some: cython.ulonglong = 0
                for word in range(words):
                    self.left[place, word] &= self.arcs.support[kind, module, word]
                    some |= self.left[place, word]
                if some == 0:
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tightest(self) -> cython.longlong:
        """Return the place in the window, not drawn yet, where least is possible."""
        best: cython.longlong = -1
        least: cython.longlong = 0
        index: cython.longlong
        word: cython.longlong
        for index in range(self.window_count):
            if self.fresh[index] >= 0:
                continue
            size: cython.longlong = 0
            for word in range(self.arcs.words):
                size += popcount(self.left[index, word])
            if best < 0 or size < least:
                best = index
                least = size
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def draw_module(self, index: cython.longlong) -> cython.longlong:
        """Draw one of the modules left at a place of the window; -1 if there is none."""
        region: cython.longlong = self.region_of[self.window[index]]
        total: cython.double = 0.0
        word: cython.longlong
        for word in range(self.arcs.words):
            left: cython.ulonglong = self.left[index, word]
            while left != 0:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                self.pull[module] = self.pull_of(region, module)
                total += self.pull[module]
        aim: cython.double = unit_of(self.draw_word()) * total
        chosen: cython.longlong = -1
        for word in range(self.arcs.words):
            left = self.left[index, word]
            while left != 0 and aim >= 0.0:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                chosen = module
                aim -= self.pull[module]
        return chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pull_of(self, region: cython.longlong, module: cython.longlong) -> cython.double:
        """Return the weight to draw a module with: more the further it is behind, and if a count lacks it."""
        wanted: cython.double = self.wanted[region, module]
        held: cython.double = self.counts[region, module]
        pull: cython.double = (wanted + RARELY) * (wanted + PATIENCE) / (held + PATIENCE)
        bound: cython.longlong
        for bound in range(self.bound_count):
            if self.tally[bound] < self.bounds[bound, 0] and self.sets[bound, module] != 0:
                pull *= MISSING
        return pull

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def judge(self) -> cython.void:
        """Put what was drawn in place, and take it back unless it is worth it."""
        distance: cython.double = self.distance
        misses: cython.longlong = self.misses
        tolerance: cython.double = self.tolerance()
        self.swap_in()
        cost: cython.double = self.distance - distance + self.cost_of_piece / COUNTS_A_PIECE * (self.misses - misses)
        # Once nothing is wrong, it stays so.
        must_stay: cython.bint = self.broken == 0 and misses == 0
        if self.broken == 0:
            hopeless: cython.bint = cost > tolerance
        else:
            hopeless = cost - self.cost_of_piece * MAX_GAIN > tolerance
        if hopeless or (must_stay and self.misses > 0):
            self.swap_out(distance, misses)
            return
        more: cython.longlong = self.more_broken()
        if cost + self.cost_of_piece * more > tolerance or (must_stay and more > 0):
            self.swap_out(distance, misses)
            return
        self.broken += more
        self.taken += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tolerance(self) -> cython.double:
        """Draw how much worse a change may make it: twice as much half as often."""
        word = self.draw_word()
        bits: cython.double = 0.0
        while word & 1 != 0:
            bits += 1.0
            word = word >> 1
        return self.warmth * bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def swap_in(self) -> cython.void:
        """Put what was drawn on the nodes of the window."""
        index: cython.longlong
        for index in range(self.window_count):
            node: cython.longlong = self.window[index]
            self.stale[index] = self.held[node]
            self.put(node, self.fresh[index])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def swap_out(self, distance: cython.double, misses: cython.longlong) -> cython.void:
        """Put back what was there before."""
        index: cython.longlong
        for index in range(self.window_count):
            self.put(self.window[index], self.stale[index])
        self.distance = distance
        self.misses = misses

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, node: cython.longlong, module: cython.longlong) -> cython.void:
        """Put a module on a node, and keep the books."""
        before: cython.longlong = self.held[node]
        if before == module:
            return
        region: cython.longlong = self.region_of[node]
        self.distance -= self.distance_of(region, before) + self.distance_of(region, module)
        self.counts[region, before] -= 1
        self.counts[region, module] += 1
        self.distance += self.distance_of(region, before) + self.distance_of(region, module)
        self.held[node] = module
        bound: cython.longlong
        for bound in range(self.bound_count):
            if self.scope[bound, node] != 0 and self.sets[bound, before] != self.sets[bound, module]:
                self.misses -= self.missed(bound, self.tally[bound])
                self.tally[bound] += 1 if self.sets[bound, module] != 0 else -1
                self.misses += self.missed(bound, self.tally[bound])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def distance_of(self, region: cython.longlong, module: cython.longlong) -> cython.double:
        """Return how far one module is from how often it is wanted."""
        away: cython.double = self.counts[region, module] - self.wanted[region, module]
        return away * away / (self.wanted[region, module] + SOFTENING)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def missed(self, bound: cython.longlong, tally: cython.longlong) -> cython.longlong:
        """Return how far a count is out of its bounds."""
        if tally < self.bounds[bound, 0]:
            return self.bounds[bound, 0] - tally
        if tally > self.bounds[bound, 1]:
            return tally - self.bounds[bound, 1]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def more_broken(self) -> cython.longlong:
        """Return how much more is broken with what was drawn than before."""
        more: cython.longlong = 0
        join: cython.longlong
        if self.rows.count > 0:
            more += self.rows.broken_near(self.window, self.window_count)
            self.show_stale()
            more -= self.rows.broken_near(self.window, self.window_count)
            self.show_fresh()
        for join in range(self.joins.count):
            self.show_stale()
            self.joins.note(join)
            more -= self.joins.strain(join)
            self.show_fresh()
            more += self.joins.strain(join)
            # A path that does not get through may come nearer to it, or not, without joining anything.
            if self.joins.is_as_noted(join) and (self.joins.ends[join, 0] < 0 or self.broken == 0):
                continue
            more += self.joins.broken_near(join)
            self.show_stale()
            more -= self.joins.broken_near(join)
            self.show_fresh()
        return more

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def show_stale(self) -> cython.void:
        """Have the window hold what it held before, the books left as they are."""
        index: cython.longlong
        for index in range(self.window_count):
            self.held[self.window[index]] = self.stale[index]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def show_fresh(self) -> cython.void:
        """Have the window hold what was drawn, the books left as they are."""
        index: cython.longlong
        for index in range(self.window_count):
            self.held[self.window[index]] = self.fresh[index]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look(self) -> cython.void:
        """Look up again what hangs together wrongly."""
        self.since_look = 0
        self.loose.look()
        self.broken = self.loose.broken
