"""Share out connections between clients: who holds hundreds of them keeps nobody else from having one.

A client alone may have all there are. When another one comes, the latest connection of the greediest client is closed
to make room, one on which nothing is being answered if it has one.
"""

from __future__ import annotations

from typing import Protocol

from solvent.web.fair_turns import client_at

SPARE = 16
"""How many connections beyond the limit are still told that the server is busy, rather than closed."""


class Connection(Protocol):
    """What is asked of a connection."""

    @property
    def peer(self) -> str:
        """Return the address at its other end."""
        ...

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is being answered on it."""
        ...

    def drop(self) -> None:
        """Close it at once."""
        ...


class ConnectionShares:
    """Count the connections of each client. Used in one event loop only."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._total = 0
        self._held: dict[str, list[Connection]] = {}

    def admit(self, connection: Connection) -> None:
        """Take in a connection; if there are too many, drop some of greedier clients, or this one if there are none."""
        held = self._held.setdefault(client_at(connection.peer), [])
        held.append(connection)
        self._total += 1
        while self._total > self._most:
            greediest = max(self._held.values(), key=len)
            if len(greediest) > len(held):
                self._drop(next((each for each in reversed(greediest) if each.is_idle), greediest[-1]))
            else:
                if self._total > self._most + SPARE:
                    self._drop(connection)
                return

    def release(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        client = client_at(connection.peer)
        held = self._held.get(client, [])
        if connection in held:
            held.remove(connection)
            self._total -= 1
            if not held:
                del self._held[client]

    def _drop(self, connection: Connection) -> None:
        self.release(connection)
        connection.drop()
