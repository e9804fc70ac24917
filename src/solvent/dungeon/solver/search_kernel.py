"""The kernel that searches states one by one, nearest first: for a shortest plan, or a shortest walk into a lost state.

A state is a point of interest and packed words; macros lead from one to the next. `searching` puts the parts together.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Callable

import cython

from solvent.engine.arrays import SHORT, longer_row, new_row, row_of

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
    from cython.cimports.solvent.dungeon.solver.guide_kernel import Guide
    from cython.cimports.solvent.dungeon.solver.mechanics import (
        CHANGED,
        DONE,
        EXHAUSTED,
        FOUND,
        FULL,
        ILLEGAL,
        LOOKS_A_CALL,
        LOOKS_A_NODE,
        NEEDS_TABLE,
        NOBODY,
        PAUSED,
        WORKING,
    )
    from cython.cimports.solvent.dungeon.solver.points_kernel import Points
    from cython.cimports.solvent.dungeon.solver.regions_kernel import Regions
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState, StateTable
    from cython.cimports.solvent.engine.heap_kernel import Heap
else:
    from solvent.dungeon.solver.graph_kernel import Graph
    from solvent.dungeon.solver.guide_kernel import Guide
    from solvent.dungeon.solver.mechanics import (
        CHANGED,
        DONE,
        EXHAUSTED,
        FOUND,
        FULL,
        ILLEGAL,
        LOOKS_A_CALL,
        LOOKS_A_NODE,
        NEEDS_TABLE,
        NOBODY,
        PAUSED,
        WORKING,
    )
    from solvent.dungeon.solver.points_kernel import Points
    from solvent.dungeon.solver.regions_kernel import Regions
    from solvent.dungeon.solver.state_kernel import PackedState, StateTable
    from solvent.engine.heap_kernel import Heap

from solvent.dungeon.solver.distances_kernel import FAR
from solvent.dungeon.solver.guide_kernel import UNIT

MAX_COMPARED = 48
"""How many earlier states at a point a new one is compared with. Any number is right; more prune more and cost more."""

SCALE = 1 << 32
"""What a move counts where penalties count too: more than all of them together on any way of fewer than
`SCALE / MAX_PENALTY` moves, so that a shorter way always comes first."""
MAX_PENALTY = 1_000
"""The most that one move may have."""

ROOM_AT_FIRST = 256
"""How many states there is room for at first."""

_SEEKING = cython.declare(cython.longlong, 0)
_SETTLED = cython.declare(cython.longlong, 1)
_FOLLOWING = cython.declare(cython.longlong, 2)
_UNIT = cython.declare(cython.longlong, UNIT)
_MAX_COMPARED = cython.declare(cython.longlong, MAX_COMPARED)
_FAR = cython.declare(cython.longlong, FAR)


@cython.final
@cython.cclass
class Search:
    """Search from one state. Parts beside the plain search are switched on before the first call of `run`."""

    graph: Graph
    """The graph of tiles."""
    points: Points
    """The points of interest, and the macros between them."""
    table = cython.declare(StateTable, visibility="readonly")
    """The states found so far; the place is the point."""
    length: cython.longlong[::1]
    """For each state, in how few moves it can be reached, as far as is known; `scale` times that, and penalties."""
    parent: cython.int[::1]
    """For each state the one before it on that way, NOBODY for the first."""
    macro: cython.int[::1]
    """For each state the macro that led to it."""
    closed: cython.uchar[::1]
    """For each state, 1 if it was expanded."""
    below: cython.int[::1]
    """For each state the one expanded before it at the same point, or NOBODY."""
    tops: cython.int[::1]
    """For each point the state expanded last, or NOBODY."""
    heat: cython.longlong[::1]
    """For each point how often it was expanded."""
    followed: cython.longlong[::1]
    """For each point how often the macros from there were tried."""
    failed_at: cython.int[::1]
    """For each point how many macros from there could not be done, if there is a limit."""
    macro_tries: cython.longlong
    """How many macros from a point may fail before the search goes on from there step by step; 0 for no limit."""
    scale: cython.longlong
    """What a move counts in lengths: 1, or more than any sum of penalties."""
    heap: Heap
    """States to expand, by moves so far plus what is left at least, in 64ths of a move."""
    words: PackedState
    """The state being expanded."""
    after: PackedState
    """Where a macro leads."""

    guide: Guide
    """What is known of the way to the goal."""

    prunes_dominated: cython.bint
    """Whether states are dropped if another is as good and as early."""
    better: PackedState
    """The bits of which more is better."""
    same: PackedState
    """The bits that must be the same for one state to be as good as another."""

    seeks_loss: cython.bint
    """Whether a lost state is sought, not a goal."""
    regions: Regions
    """What finds the situation of a state."""
    situations: StateTable
    """The situations that were explored."""
    ranks: cython.longlong[::1]
    """For each situation, -1 if it is lost."""
    thorough: cython.bint
    """Whether the player takes everything within reach before changing or leaving anything."""
    whole: PackedState
    """The situation of the state being expanded."""
    patient: cython.bint
    """Whether there is something to take first."""

    found = cython.declare(cython.longlong, visibility="readonly")
    """The state that was sought, or NOBODY."""
    wanted = cython.declare(cython.longlong, visibility="readonly")
    """After NEEDS_TABLE: the point."""
    used = cython.declare(cython.longlong, visibility="readonly")
    """How many nodes the last call of `run` took."""
    current: cython.longlong
    """The state being expanded, NOBODY between two."""
    stage: cython.longlong
    """Whether the region of that state is being found, or that is done, or its macros are being followed."""
    next_macro: cython.longlong
    """The macro from there to follow next."""
    last_macro: cython.longlong
    """Where its macros end."""
    looks: cython.longlong
    """How many more moves to look at before one more node is counted."""
    toll: cython.longlong
    """What copying or comparing a whole state counts, in looks."""
    expanded = cython.declare(cython.longlong, visibility="readonly")
    """How many states were expanded."""
    attempts = cython.declare(cython.longlong, visibility="readonly")
    """How many macros were tried."""
    successes = cython.declare(cython.longlong, visibility="readonly")
    """How many of them could be done."""
    failures = cython.declare(cython.longlong, visibility="readonly")
    """How many could not."""
    dead_ends = cython.declare(cython.longlong, visibility="readonly")
    """How many led to a dead end: to where the goal cannot be reached any more."""
    out_of_supply = cython.declare(cython.longlong, visibility="readonly")
    """How many led behind more gates than can ever be opened."""
    dominated = cython.declare(cython.longlong, visibility="readonly")
    """How many states were dropped for another as good."""
    out_of_sight = cython.declare(cython.longlong, visibility="readonly")
    """How many macros led to where the goal cannot be reached with every gate open."""
    longest_queue = cython.declare(cython.longlong, visibility="readonly")
    """How many states waited at most."""

    given_up = cython.declare(cython.longlong, visibility="readonly")
    """From how many points the search went on step by step after too many macros had failed."""

    def __init__(self, points: Points, guide: Guide, point: int, state: PackedState, macro_tries: int = 0) -> None:
        """Begin with one state. A limit of macros that fail needs points of which some can be left out."""
        graph = points.graph
        count = graph.mechanics.words
        room = ROOM_AT_FIRST
        self.graph = graph
        self.points = points
        self.table = StateTable(count, room)
        self.length = new_row(room)
        self.parent = new_row(room, SHORT)
        self.macro = new_row(room, SHORT)
        self.closed = bytearray(room)
        self.below = new_row(room, SHORT)
        self.tops = row_of([NOBODY] * points.count, SHORT)
        self.heat = new_row(points.count)
        self.followed = new_row(points.count)
        self.macro_tries = macro_tries if points.chosen else 0
        self.failed_at = new_row(points.count if self.macro_tries > 0 else 1, SHORT)
        self.scale = SCALE if points.penalises else 1
        self.given_up = 0
        self.heap = Heap(2 * room)
        self.words = PackedState([0] * count)
        self.after = PackedState([0] * count)
        self.guide = guide
        self.prunes_dominated = False
        self.better = self.same = self.after
        self.seeks_loss = False
        self.regions = None
        self.situations = None
        self.ranks = new_row(1)
        self.thorough = False
        self.whole = PackedState([0] * count)
        self.patient = False
        self.found = NOBODY
        self.wanted = NOBODY
        self.used = 0
        self.current = NOBODY
        self.stage = _FOLLOWING
        self.next_macro = 0
        self.last_macro = 0
        self.looks = 0
        self.toll = 1 + count // 8
        self.expanded = 0
        self.attempts = 0
        self.successes = 0
        self.failures = 0
        self.dead_ends = 0
        self.out_of_supply = 0
        self.dominated = 0
        self.out_of_sight = 0
        self.longest_queue = 0
        self.table.find_or_add(state, point)
        self.parent[0] = NOBODY
        self.heap.push(0, 0)

    def drop_dominated(self, better: PackedState, same: PackedState) -> None:
        """Drop states if another is as good and as early."""
        self.prunes_dominated = True
        self.better = better
        self.same = same

    def seek_loss(self, regions: Regions, situations: StateTable, ranks: memoryview, thorough: bool) -> None:
        """Seek a state in a situation that is lost, as ranks say, instead of a goal."""
        self.seeks_loss = True
        self.regions = regions
        self.situations = situations
        self.ranks = ranks
        self.thorough = thorough

    def run(self, limit: cython.longlong) -> int:
        """Expand states in the order of their priority for up to `limit` nodes; `used` is how many it were.

        A state is one node, and one more for each LOOKS_A_NODE moves looked at. After FULL, `grow`; after NEEDS_TABLE,
        build that of `wanted`; then call again.
        """
        status: cython.longlong
        with cython.nogil:
            status = self._run(limit)
        return status

    def grow(self, limit: cython.longlong) -> bool:
        """Make room for twice as many states, or for as many to wait: whichever are too many.

        It ends early after about `limit` looks; returns whether it is done.
        """
        if self.heap.size >= self.heap.capacity:
            self.heap.grow()
        if self.table.size < self.table.capacity:
            return True
        if not self.table.grow(limit):
            return False
        room = self.table.capacity
        self.length = longer_row(memoryview(self.length), room)
        self.parent = longer_row(memoryview(self.parent), room)
        self.macro = longer_row(memoryview(self.macro), room)
        self.closed = bytearray(memoryview(self.closed)) + bytearray(room - len(self.closed))
        self.below = longer_row(memoryview(self.below), room)
        return True

    @property
    def bytes(self) -> int:
        """Return the memory it takes."""
        rows = memoryview(self.length).nbytes + 3 * memoryview(self.parent).nbytes + len(self.closed)
        return self.table.bytes + rows + self.heap.memory().nbytes

    def heat_by_cell(self) -> dict[int, int]:
        """Return how often each cell was expanded, where it was."""
        return {self.points.cells[point]: self.heat[point] for point in range(self.points.count) if self.heat[point]}

    def walks_by_cell(self, checkpoint: Callable[[], None]) -> dict[int, int]:
        """Return how often macros that were tried walk over each cell, where they do."""
        walked = new_row(self.graph.nodes)
        for point in range(self.points.count):
            if self.followed[point] > 0:
                checkpoint()
                self.points.spread(point, self.followed[point], walked)
        return {cell: walked[cell] for cell in range(self.graph.nodes) if walked[cell]}

    def penalty_of(self, state: int) -> int:
        """Return the sum of the penalties on the way to a state."""
        return self.length[state] % self.scale

    def way_to(self, state: int) -> list[tuple[int, int]]:
        """Return the way to a state: pairs of a cell, the first one first, and the last arc of the macro from there."""
        way = []
        while self.parent[state] != NOBODY:
            arc = self.points.macro_arc[self.macro[state]]
            state = self.parent[state]
            way.append((self.points.cells[self.table.places[state]], arc))
        return way[::-1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, limit: cython.longlong) -> cython.longlong:
        """Do what `run` says."""
        self.used = 0
        left: cython.longlong = LOOKS_A_CALL
        while True:
            if self.current < 0 or self.looks <= 0:
                if self.used >= limit or left <= 0:
                    return WORKING if self.current >= 0 or self.heap.size > 0 else EXHAUSTED
                if self.current < 0:
                    ended = self._take_up()
                    if ended != DONE:
                        return ended
                else:
                    self.looks += LOOKS_A_NODE
                self.used += 1
            before = self.looks
            ended = self._expand()
            left -= before - self.looks
            if ended == DONE:
                self.current = NOBODY
            elif ended != PAUSED:
                return ended

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_up(self) -> cython.longlong:
        """Begin to expand the first state that waits: DONE, or EXHAUSTED if there is none; NEEDS_TABLE, see `run`."""
        while True:
            if self.heap.size == 0:
                return EXHAUSTED
            self.heap.pop()
            if self.closed[self.heap.item] == 0:
                break
        state = self.heap.item
        point = self.table.places[state]
        if self.macro_tries > 0 and self.failed_at[point] >= self.macro_tries and self.points.has_table[point] != 0:
            self.points.has_table[point] = 0
            self.points.macro_count[point] = -1
            self.given_up += 1
        if self.points.macro_count[point] < 0:
            self.heap.push(self.heap.priority, state)
            self.wanted = point
            return NEEDS_TABLE
        self.closed[state] = 1
        self.expanded += 1
        self.heat[point] += 1
        self.table.load(state, self.words)
        self.current = state
        self.looks = LOOKS_A_NODE
        self.patient = False
        self.next_macro = self.points.first_macro[point]
        self.last_macro = self.next_macro + self.points.macro_count[point]
        self.stage = _SETTLED
        if self.seeks_loss and self.graph.is_goal[self.points.cells[point]] == 0:
            self.stage = _SEEKING
            self.whole.become(self.words)
            self.regions.start(self.regions.areas.area_of[self.points.cells[point]], False)
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self) -> cython.longlong:
        """Go on with a state: DONE, FOUND if it is sought, PAUSED once no looks are left, FULL if there is no room."""
        point = self.table.places[self.current]
        if self.stage == _SEEKING:
            self.regions.looks = self.looks
            ended = self.regions.go_on(self.whole)
            self.looks = self.regions.looks
            if ended == PAUSED:
                return PAUSED
            self.stage = _SETTLED
            situation = self.situations.find(self.whole, self.regions.smallest)
            if situation >= 0 and self.ranks[situation] < 0:
                self.found = self.current
                return FOUND
            self.patient = self.thorough and not self.whole.equals(self.words)
        if self.stage == _SETTLED:
            self.stage = _FOLLOWING
            if not self.seeks_loss and self.graph.is_goal[self.points.cells[point]] != 0:
                self.found = self.current
                return FOUND
            if not self._goes_on(self.current, point):
                return DONE
            if not self.points.chosen or self.points.has_table[point] != 0:
                self.followed[point] += 1
        while self.next_macro < self.last_macro:
            if self.looks <= 0:
                return PAUSED
            if self.table.size >= self.table.capacity or self.heap.size >= self.heap.capacity:
                return FULL
            self.looks -= self.toll
            self._follow(self.current, self.next_macro)
            self.next_macro += 1
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _goes_on(self, state: cython.longlong, point: cython.longlong) -> cython.bint:
        """Tell whether anything can come of the state being expanded."""
        if self.seeks_loss:
            return self.graph.is_goal[self.points.cells[point]] == 0
        if self.prunes_dominated:
            if self._is_dominated(state, point):
                self.dominated += 1
                return False
            self.below[state] = self.tops[point]
            self.tops[point] = state
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _follow(self, state: cython.longlong, macro: cython.longlong) -> cython.void:
        """Note where a macro from the state being expanded leads."""
        arc = self.points.macro_arc[macro]
        self.attempts += 1
        effect = self.graph.take(arc, self.words, self.after)
        cell = self.graph.target[arc]
        if effect == ILLEGAL or (self.patient and self._leaves(effect, cell)):
            self.failures += 1
            if self.macro_tries > 0:
                self.failed_at[self.table.places[state]] += 1
            return
        self.successes += 1
        if not self.guide.is_alive(cell, self.after):
            self.dead_ends += 1
            return
        if not self.guide.is_supplied(cell):
            self.out_of_supply += 1
            return
        left = self.guide.moves_left(cell, self.after)
        if left >= _FAR:
            self.out_of_sight += 1
            return
        length = self.length[state] + self.points.macro_moves[macro] * self.scale
        if self.points.penalises:
            length += self.points.macro_penalty[macro]
        known = self.table.size
        following = self.table.find_or_add(self.after, self.points.point_at[cell])
        if following == known:
            self.below[following] = NOBODY
        elif self.length[following] <= length:
            return
        self.length[following] = length
        self.parent[following] = state
        self.macro[following] = macro
        self.closed[following] = 0
        self.heap.push(length * _UNIT + self.guide.estimate(left, cell, self.after) * self.scale, following)
        self.longest_queue = max(self.longest_queue, self.heap.size)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leaves(self, effect: cython.longlong, cell: cython.longlong) -> cython.bint:
        """Tell whether a move changes or leaves something; who takes everything first does neither before."""
        return effect == CHANGED or self.regions.backwards[self.regions.areas.area_of[cell]] != self.regions.stamp

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_dominated(self, state: cython.longlong, point: cython.longlong) -> cython.bint:
        """Tell whether a state expanded before, at the same point and not later, is as good in every way."""
        other: cython.longlong = self.tops[point]
        compared: cython.longlong = 0
        while other >= 0 and compared < _MAX_COMPARED:
            compared += 1
            self.looks -= self.toll + self.graph.mechanics.stocks
            if other != state and self.length[other] <= self.length[state] and self._is_as_good(other):
                return True
            other = self.below[other]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_as_good(self, other: cython.longlong) -> cython.bint:
        """Tell whether another state is as good as the one being expanded.

        As good: the same switches, blocks and fallen doors; open, taken and held everything the other has; and for each
        resource the same gates open, or enough in hand for every gate that is left. More open gates and as many keys
        would not do: the key that opened them may be one that the other state has yet to find, and to spend elsewhere.
        """
        for word in range(self.words.count):
            mine = self.words.words[word]
            theirs = self.table.words[other, word]
            if (mine & self.better.words[word] & ~theirs) | ((mine ^ theirs) & self.same.words[word]) != 0:
                return False
        for stock in range(self.graph.mechanics.stocks):
            if not self._has_as_much(stock, other):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _has_as_much(self, stock: cython.longlong, other: cython.longlong) -> cython.bint:
        """Tell whether of the gates a stock is spent on the same are open, or another state has enough for them all."""
        differ: cython.ulonglong = 0
        first = self.graph.mechanics.stock_gates.first[stock]
        last = self.graph.mechanics.stock_gates.first[stock + 1]
        for entry in range(first, last):
            word = self.graph.mechanics.stock_gates.word[entry]
            changed = self.table.words[other, word] ^ self.words.words[word]
            differ |= self.graph.mechanics.stock_gates.mask[entry] & changed
        if differ == 0:
            return True
        self.table.load(other, self.after)
        in_hand = self.graph.mechanics.in_hand(stock, self.after)
        return in_hand == self.graph.mechanics.worth_having(stock, self.after)
