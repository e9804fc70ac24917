"""Turn blame about what tiles mean into exclusions about what a generator puts there.

A judge says what tiles mean, a generator says which pieces it puts on them. Which piece means what is learned from the
levels that were read: a piece that meant two things is taken for neither, so an exclusion never rules out more than the
blame does.
"""

from __future__ import annotations

from collections.abc import Mapping

from solvent.core.judging import Blame, BlamedTile, Change, Exclusion, Part, Suggestion, Tile


class Dictionary:
    """Hold what pieces mean."""

    def __init__(self) -> None:
        self._meaning: dict[str, str | None] = {}
        self._pieces: dict[frozenset[str], frozenset[str]] = {}

    def learn(self, pieces: Mapping[Tile, str], meanings: Mapping[Tile, str]) -> bool:
        """Add what the pieces of a level mean; returns whether one means something else than before."""
        changed = False
        self._pieces.clear()
        for piece, meaning in {(piece, meanings.get(tile)) for tile, piece in pieces.items()}:
            if piece not in self._meaning:
                self._meaning[piece] = meaning
            elif self._meaning[piece] is not None and self._meaning[piece] != meaning:
                self._meaning[piece] = None
                changed = True
        return changed

    def exclude(self, blame: Blame, pieces: Mapping[Tile, str]) -> Exclusion:
        """Return what blame rules out, in pieces: those that are known to keep the meaning, and what is there now."""
        groups: dict[int, list[Part]] = {}
        for blamed in blame.tiles:
            if blamed.tile in pieces:  # otherwise nothing can be put there
                groups.setdefault(blamed.group, []).append(self._part(blamed, pieces))
        changes = [
            change for change in (self._change(each, pieces) for each in blame.suggestions) if change is not None
        ]
        return Exclusion([groups[group] for group in sorted(groups)], changes)

    def _change(self, suggestion: Suggestion, pieces: Mapping[Tile, str]) -> Change | None:
        """Return a suggestion in pieces; None if no piece is known that would do."""
        asks = []
        for row in suggestion.asks:
            parts = [self._part(blamed, pieces) for blamed in row if blamed.tile in pieces]
            parts = [part for part in parts if part.excluded or part.pieces]
            if not parts:
                return None
            asks.append(parts)
        return Change(asks, [tile for tile in suggestion.near if tile in pieces])

    def _part(self, blamed: BlamedTile, pieces: Mapping[Tile, str]) -> Part:
        if blamed.wants:
            return Part(blamed.tile, self._of(blamed.wants), excluded=False)
        return Part(blamed.tile, self._of(blamed.keeps) | {pieces[blamed.tile]})

    def _of(self, meanings: frozenset[str]) -> frozenset[str]:
        """Return the pieces known to have one of these meanings; many tiles ask for the same."""
        if meanings not in self._pieces:
            known = self._meaning.items()
            self._pieces[meanings] = frozenset(
                piece for piece, meaning in known if meaning is not None and meaning in meanings
            )
        return self._pieces[meanings]
