"""Give out workers in turns between clients, so that one with hundreds of requests keeps nobody else from theirs.

A client alone may fill the queue. When another one comes, the latest request of the greediest client is asked to come
back later to make room, and workers that become free go to the client who holds the fewest.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter, deque

from starlette.requests import Request

from solvent.web.errors import Busy

SERVER = ""
"""The client of work that the server does for everybody, such as a picture that all pages show."""
NETWORK_BITS = 64
"""An IPv6 client has a whole network of this size to itself, and so as many addresses as it likes."""


def client_of(request: Request) -> str:
    """Return what tells clients apart: their address. Behind a proxy that does not pass addresses on, all are one."""
    return client_at(request.client.host if request.client is not None else "")


def client_at(host: str) -> str:
    """Return what an address stands for: itself, or the network that a client has to itself."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


class FairTurns:
    """Count free workers, and hold those who wait for one. Used in one event loop only."""

    def __init__(self, workers: int, room: int) -> None:
        self._free = workers
        self._room = room
        # One worker is always left to the others, unless there are too few to share.
        self._most_of_one_client = workers - 1 if workers > 2 else workers
        self._holding: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._turns = 0
        self._last_turn: dict[str, int] = {}
        """When each client that waits or holds a worker had its last turn, counted in turns."""

    def must_wait(self, client: str = SERVER) -> bool:
        """Tell whether the next request of a client has to wait for a worker."""
        return not self._may_begin(client)

    def has_room(self, client: str = SERVER) -> bool:
        """Tell whether a client's next request may begin or wait."""
        if self._may_begin(client) or sum(map(len, self._waiting.values())) < self._room:
            return True
        greediest = self._greediest()
        return greediest is not None and self._waits(greediest) > self._waits(client) + 1

    async def take(self, client: str = SERVER) -> None:
        """Wait for a worker; raises Busy when there is no room to wait. Give it back with `give_back`."""
        if not self.has_room(client):
            raise Busy
        if self._may_begin(client):
            self._begin(client)
            return
        if sum(map(len, self._waiting.values())) >= self._room:
            self._displace()
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:  # it came just before the client left
                self.give_back(client)
            else:
                self._forget(client, turn)
            raise

    def give_back(self, client: str = SERVER) -> None:
        """Let the next one have a client's worker."""
        self._free += 1
        self._holding[client] -= 1
        while (chosen := self._next_client()) is not None:
            turn = self._waiting[chosen].popleft()
            if not self._waiting[chosen]:
                del self._waiting[chosen]
            if not turn.done():
                self._begin(chosen)
                turn.set_result(None)
        if not self._holding[client]:
            del self._holding[client]
            if client not in self._waiting:
                self._last_turn.pop(client, None)

    def _may_begin(self, client: str) -> bool:
        return self._free > 0 and self._holding[client] < self._most_of_one_client and not self._waits(client)

    def _begin(self, client: str) -> None:
        self._free -= 1
        self._holding[client] += 1
        self._turns += 1
        self._last_turn[client] = self._turns

    def _next_client(self) -> str | None:
        """Return who has the next turn: of those who hold the fewest workers, the one whose last was longest ago."""
        if self._free <= 0:
            return None
        allowed = [client for client in self._waiting if self._holding[client] < self._most_of_one_client]
        return min(allowed, key=lambda client: (self._holding[client], self._last_turn.get(client, 0)), default=None)

    def _waits(self, client: str) -> int:
        return len(self._waiting.get(client, ()))

    def _greediest(self) -> str | None:
        return max(self._waiting, key=self._waits, default=None)

    def _displace(self) -> None:
        """Ask the latest request of the greediest client to come back later."""
        greediest = self._greediest()
        assert greediest is not None
        turn = self._waiting[greediest].pop()
        if not turn.done():
            turn.set_exception(Busy())

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(client)
        if waiting is not None and turn in waiting:
            waiting.remove(turn)
            if not waiting:
                del self._waiting[client]
                if not self._holding[client]:
                    self._last_turn.pop(client, None)
