"""The campaigns there are. Each is a module or package of this one with a `CAMPAIGN`, imported when it is run."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from torture.campaign import Campaign

NAMES: tuple[str, ...] = ("certificates", "inputs", "budgets", "runs", "server", "pages")


class _Campaigns(Mapping[str, Campaign]):
    """Find campaigns by name."""

    def __getitem__(self, name: str) -> Campaign:
        if name not in NAMES:
            raise KeyError(name)
        campaign: Campaign = importlib.import_module(f"torture.{name}").CAMPAIGN
        return campaign

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


CAMPAIGNS = _Campaigns()
