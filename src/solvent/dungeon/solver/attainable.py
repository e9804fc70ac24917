"""What can be reached and opened at most while a gate stays shut, if everything found opens every door it could.

To pass a gate takes as many keys or bombs as gates of its kind lie on the way through it that has the fewest. Where
that is more than lies in all that can be reached, it stays shut as well; then so does what is behind it. The same holds
if it is more than what the gates leave that are known to be open.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection
from heapq import heappop, heappush
from itertools import count

from solvent.core.budget import Meter
from solvent.dungeon.solver.zone_graph import Door, Implications, ZoneGraph


class Outlook:
    """Know the doors of each zone, and what lies there."""

    def __init__(
        self,
        graph: ZoneGraph,
        implications: Implications,
        resource: Callable[[int], str],
        carried: Callable[[str], int],
        meter: Meter,
    ) -> None:
        """Begin: gates take of a `resource`, of which something may be `carried`."""
        self.implications = implications
        self.resource, self.carried, self.meter = resource, carried, meter
        self.exits: list[list[tuple[int, Door]]] = [[] for _ in meter.each(range(graph.count))]
        self.behind: dict[int, set[int]] = defaultdict(set)
        """For each gate the zones it leads into."""
        for (here, there), doors in meter.each(graph.doors.items()):
            for door in sorted(doors, key=lambda one: one.order):
                self.exits[here].append((there, door))
                for gate in door.gates:
                    self.behind[gate].add(there)
        self.stocks: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        """What lies in each zone of each resource."""
        self.items: dict[int, set[str]] = defaultdict(set)
        """The items that lie in each zone."""
        self._prices: dict[str, dict[int, int]] = {}
        self._before: dict[int, int] | None = None

    def attainable(
        self, shut_zones: Collection[int], shut_gate: int, opened: Collection[int]
    ) -> tuple[set[int], set[int]]:
        """Return zones that can be reached and gates that can be open, while some zones are not and a gate is not."""
        if self._before is None:
            self._before = self._find_gates_before()
        spent: dict[str, int] = defaultdict(int)
        for gate in opened:
            spent[self.resource(gate)] += 1
        shut = {shut_gate}
        while True:
            reached, gates, stock = self._spread(shut_zones, shut)
            more = dict.fromkeys(opened, 0) | {-1: 0}
            dear = set()
            for gate in gates:
                way = []
                passed = gate
                while passed not in more:
                    way.append(passed)
                    passed = self._before[passed]
                for number, later in enumerate(reversed(way), start=more[passed] + 1):
                    more[later] = number
                name = self.resource(gate)
                if spent[name] + more[gate] > stock[name]:
                    dear.add(gate)
            if not dear:
                return reached, gates
            shut |= dear

    def _spread(
        self, shut_zones: Collection[int], shut_gates: set[int]
    ) -> tuple[set[int], set[int], dict[str, int]]:
        """Return what can be reached and opened one after another, and how much of everything there is."""
        reached, gates, waiting = {0}, set(), [0]
        held: set[str] = set()
        stock: dict[str, int] = {}
        without_items: list[tuple[int, Door]] = []
        too_dear: dict[str, list[tuple[int, int, int, Door]]] = defaultdict(list)
        tries = count()
        while waiting:
            self.meter.checkpoint()
            here = waiting.pop()
            trying = [(there, door) for there, door in self.exits[here] if there not in shut_zones]
            for name, gained in self.stocks[here].items() if here in self.stocks else ():
                stock[name] = stock.get(name, self.carried(name)) + gained
                while too_dear[name] and too_dear[name][0][0] <= stock[name]:
                    trying.append(heappop(too_dear[name])[2:])
            if here in self.items and not self.items[here] <= held:
                held |= self.items[here]
                trying += without_items
                without_items = []
            for there, door in trying:
                if not shut_gates.isdisjoint(door.gates):
                    continue
                if not door.items <= held:
                    without_items.append((there, door))
                    continue
                for gate in door.gates:
                    name = self.resource(gate)
                    price = self._price_list(name)[gate]
                    if price > stock.setdefault(name, self.carried(name)):
                        heappush(too_dear[name], (price, next(tries), there, door))
                        break
                else:
                    gates.update(door.gates)
                    if there not in reached:
                        reached.add(there)
                        waiting.append(there)
        return reached, gates, stock

    def _price_list(self, name: str) -> dict[int, int]:
        """Return for each gate how many that take of a resource are opened on the way through it with the fewest."""
        if name in self._prices:
            return self._prices[name]
        prices: dict[int, int] = {}
        least = {0: 0}
        waiting = deque([(0, 0)])
        while waiting:
            self.meter.checkpoint()
            price, here = waiting.popleft()
            if price > least[here]:
                continue
            for there, door in self.exits[here]:
                if not door.gates and price < least.get(there, price + 1):
                    least[there] = price
                    waiting.appendleft((price, there))
                for gate in door.gates:
                    dearer = price + (self.resource(gate) == name)
                    if dearer >= prices.get(gate, dearer + 1):
                        continue
                    prices[gate] = dearer
                    for after in self.behind[gate]:
                        if dearer < least.get(after, dearer + 1):
                            least[after] = dearer
                            (waiting.append if dearer > price else waiting.appendleft)((dearer, after))
        self._prices[name] = prices
        return prices

    def _find_gates_before(self) -> dict[int, int]:
        """Return for each gate the last one of its resource that every way to it leads through; -1 for none."""
        dominators, gate_at = self.implications.dominators, self.implications.gate_at
        hanging: dict[int, list[int]] = defaultdict(list)
        for node, dominator in enumerate(dominators):
            hanging[dominator].append(node)
        found: dict[int, int] = {}
        passed: dict[str, list[int]] = defaultdict(lambda: [-1])
        stack = [0]
        while stack:
            node = stack.pop()
            if node < 0:  # all behind a gate was seen
                passed[self.resource(gate_at[~node])].pop()
                continue
            if node in gate_at:
                gate = gate_at[node]
                found[gate] = passed[self.resource(gate)][-1]
                passed[self.resource(gate)].append(gate)
                stack.append(~node)
            stack += hanging[node]
        return found
