"""Refutations forged to take long: every piece of work counts, and none grows with the square of the size."""

from __future__ import annotations

from itertools import combinations

import pytest

from solvent.core.answer import Cause
from solvent.core.budget import Budget, Cancellation
from solvent.core.errors import LimitReached
from solvent.engine.arrays import TINY, new_row
from solvent.engine.random import scramble
from solvent.proof.drup import DrupProof, parse_drup
from solvent.proof.rup import ClauseList, check_refutation, refutation_violations
from solvent.proof.rup_kernel import DONE, WORKING, RupFollower
from solvent.proof.trimming import trim_refutation

COPIES = 1000
VARIABLES = 200


class AfterLooks(Cancellation):
    """Cancel after it was looked at so often."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    @property
    def requested(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def bucket(clause: tuple[int, ...], seed: int) -> int:
    mixed = 0
    for literal in clause:
        mixed ^= scramble(seed ^ (2 * literal))
    return mixed >> 1


def one_bucket(seed: int, mask: int) -> str:
    """Copies of a clause, and as many deletions of others that hash to the same bucket under the seed."""
    alike = [
        pair
        for pair in combinations(range(1, VARIABLES + 1), 2)
        if pair != (1, 2) and (bucket(pair, seed) ^ bucket((1, 2), seed)) & mask == 0
    ]
    assert len(alike) >= 3
    lines = ["1 2 0"] * COPIES
    lines += [f"d {a} {b} 0" for a, b in (alike * COPIES)[:COPIES]]
    return "\n".join(lines)


def follow(clauses: ClauseList, proof: DrupProof, seed: int) -> RupFollower:
    follower = RupFollower(VARIABLES, len(clauses.literals) + len(proof.literals), 1 + len(proof.kinds), seed)
    follower.load(clauses.literals, clauses.starts, new_row(len(clauses), TINY))
    assert follower.run(1 << 40) == DONE
    follower.load(proof.literals, proof.starts, proof.kinds)
    return follower


def test_a_walk_through_a_hash_bucket_counts_as_work():
    """Were it not counted, one call would take all the steps, however long the walks."""
    clauses = ClauseList.of([[1, 2]], variables=VARIABLES)
    forged = one_bucket(seed=0, mask=2047)
    follower = follow(clauses, parse_drup(forged, VARIABLES), seed=0)
    calls = 1
    while follower.run(10_000) == WORKING:
        calls += 1
    assert follower.chain_steps > COPIES * COPIES
    assert calls > 0.9 * COPIES * COPIES / 11_000


@pytest.mark.parametrize("seed", [1, 2, 12345678901234567890])
def test_a_bucket_is_not_known_beforehand(seed: int):
    clauses = ClauseList.of([[1, 2]], variables=VARIABLES)
    follower = follow(clauses, parse_drup(one_bucket(seed=0, mask=2047), VARIABLES), seed=seed)
    assert follower.run(1 << 40) == DONE
    assert follower.chain_steps < COPIES * COPIES / 10


def test_two_checks_use_two_seeds():
    """The same forgery meets buckets of other lengths each time, and comes to the same end."""
    clauses = ClauseList.of([[1, 2]], variables=VARIABLES)
    proof = parse_drup("\n".join(f"{n} {n + 1} 1 2 0\nd {n + 2} {n + 5} 0" for n in range(3, 180)), VARIABLES)
    checks = [check_refutation(clauses, proof) for _ in range(8)]
    assert len({check.followed.chain_steps for check in checks}) > 1
    assert {(check.unknown_deletions, *check.violations) for check in checks} == {
        (177, "the refutation ends without the empty clause")
    }


def chain_with_long_clause(length: int) -> ClauseList:
    """x1 implies x2 implies x3 and so on, and one clause says that they are not all true."""
    implications = [[-each, each + 1] for each in range(1, length)]
    return ClauseList.of([[-each for each in range(1, length + 1)], *implications], variables=length)


@pytest.mark.parametrize("length", [33, 1000, 8000])
def test_a_long_clause_costs_its_length_and_not_the_square(length: int):
    clauses = chain_with_long_clause(length)
    proof = parse_drup("-1 0\n", length)
    checked = check_refutation(clauses, proof)
    assert checked.violations == ["the refutation ends without the empty clause"]
    loaded = 2 * length + 2  # one look for each clause, and two for each on the way
    assert checked.followed.looked_at < loaded + 4 * length


@pytest.mark.parametrize("length", [30, 31, 32, 33, 34, 35, 64, 65, 200])
def test_long_clauses_are_searched_to_the_end(length: int):
    """Whatever literal is left, wherever the search began."""
    for kept in range(1, length + 1):
        given = ClauseList.of([list(range(1, length + 1)), *([-each] for each in range(1, length + 1) if each != kept)])
        assert refutation_violations(given, f"{kept} 0\n") == ["the refutation ends without the empty clause"]
        assert refutation_violations(given, f"-{kept} 0\n")[0].startswith("line 1: the clause")


def test_a_check_can_be_stopped_at_any_look():
    clauses = chain_with_long_clause(300)
    proof = "\n".join(["-1 0", *(f"-{each} -{each + 1} -{each + 2} 1 0" for each in range(2, 250)), "0"])
    for looks in range(6):
        meter = Budget(cancellation=AfterLooks(looks)).start()
        with pytest.raises(LimitReached) as caught:
            check_refutation(clauses, parse_drup(proof, 300), chunk=10, meter=meter)
        assert caught.value.reason.cause is Cause.CANCELLED


def test_trimming_keeps_to_the_limits():
    square = ClauseList.of([[1, 2], [1, -2], [-1, 2], [-1, -2]])
    with pytest.raises(LimitReached, match="out of time"):
        trim_refutation(square, "1 0\n0\n", Budget(seconds=0).start())


def test_a_refutation_beyond_the_memory_is_not_read():
    meter = Budget(megabytes=1).start()
    with pytest.raises(LimitReached, match="reading the refutation needs about 9 MB"):
        parse_drup("1 0\n" * 250_000, 1, meter)
