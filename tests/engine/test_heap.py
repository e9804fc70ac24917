from __future__ import annotations

import heapq
import random

import numpy as np
import pytest

from solvent.engine.heap import grow_heap, heap_pop, heap_push, heap_size, new_heap


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_heapq(seed):
    draw = random.Random(seed)
    heap = new_heap(0)
    model: list[tuple[int, int]] = []
    for _ in range(1500):
        if model and draw.random() < 0.45:
            priority, item = heap_pop(heap)
            assert (int(priority), int(item)) == heapq.heappop(model)
        else:
            entry = (draw.choice([draw.randint(-5, 5), -(2**63), 2**63 - 1]), draw.randint(0, 20))
            if not heap_push(heap, np.int64(entry[0]), np.int64(entry[1])):
                assert heap_size(heap) == len(heap) - 1
                heap = grow_heap(heap)
                assert heap_push(heap, np.int64(entry[0]), np.int64(entry[1]))
            heapq.heappush(model, entry)
        assert heap_size(heap) == len(model)
    drained = [heap_pop(heap) for _ in range(int(heap_size(heap)))]
    assert [(int(priority), int(item)) for priority, item in drained] == sorted(model)


def test_a_full_heap_is_left_alone():
    heap = new_heap(2)
    assert heap_push(heap, np.int64(4), np.int64(1))
    assert heap_push(heap, np.int64(3), np.int64(2))
    before = heap.copy()
    assert not heap_push(heap, np.int64(1), np.int64(3))
    assert np.array_equal(heap, before)
