from __future__ import annotations

import json

from torture.campaign import Tally


def test_an_account_is_plain_data() -> None:
    tally = Tally()
    tally.count("forms", 3)
    tally.fail("wrong", "accepted")
    tally.measure("seconds", 2.5)
    assert json.loads(json.dumps(tally.as_json())) == {
        "tried": 3,
        "counts": {"forms": 3},
        "failures": {"wrong": 1},
        "accepted": {},
        "examples": [{"kind": "wrong", "what": "accepted", "reproduce": ""}],
        "worst": {"seconds": 2.5},
    }
