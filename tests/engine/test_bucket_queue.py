from __future__ import annotations

import random

import numpy as np
import pytest

from solvent.engine.bucket_queue import (
    bucket_pop,
    bucket_push,
    bucket_size,
    grow_bucket_queue,
    new_bucket_queue,
)


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_one_list_for_each_priority(seed, monotone):
    draw = random.Random(seed)
    heads, nodes = new_bucket_queue(1, 0)
    model: dict[int, list[int]] = {}
    floor = count = grown = 0
    for item in range(1500):
        if count and draw.random() < 0.45:
            lowest = min(model)
            expected = model[lowest].pop()
            if not model[lowest]:
                del model[lowest]
            priority, found = bucket_pop(heads, nodes)
            assert (int(priority), int(found)) == (lowest, expected)
            count -= 1
            floor = lowest if monotone else 0
        else:
            priority = floor + draw.randint(0, 8 if monotone else 40)
            if not bucket_push(heads, nodes, np.int64(priority), np.int64(item)):
                grown += 1
                heads, nodes = grow_bucket_queue(heads, nodes, priority)
                assert bucket_push(heads, nodes, np.int64(priority), np.int64(item))
            model.setdefault(priority, []).append(item)
            count += 1
        assert bucket_size(heads) == count
    assert grown >= 3


def test_room_is_used_again():
    heads, nodes = new_bucket_queue(3, 2)
    for round_number in range(20):
        assert bucket_push(heads, nodes, np.int64(2), np.int64(round_number))
        assert bucket_push(heads, nodes, np.int64(1), np.int64(-round_number))
        assert not bucket_push(heads, nodes, np.int64(0), np.int64(99))
        assert tuple(map(int, bucket_pop(heads, nodes))) == (1, -round_number)
        assert tuple(map(int, bucket_pop(heads, nodes))) == (2, round_number)


def test_a_priority_without_a_stack_is_refused():
    heads, nodes = new_bucket_queue(3, 5)
    before = heads.copy()
    assert not bucket_push(heads, nodes, np.int64(3), np.int64(1))
    assert np.array_equal(heads, before)
