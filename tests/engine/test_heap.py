from __future__ import annotations

import heapq
import random

import pytest

from solvent.engine.heap_kernel import Heap

pytestmark = pytest.mark.modes


def pop(heap: Heap) -> tuple[int, int]:
    heap.pop()
    return heap.priority, heap.item


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_heapq(seed):
    draw = random.Random(seed)
    heap = Heap(0)
    model: list[tuple[int, int]] = []
    for _ in range(1500):
        if model and draw.random() < 0.45:
            assert pop(heap) == heapq.heappop(model)
        else:
            entry = (draw.choice([draw.randint(-5, 5), -(2**63), 2**63 - 1]), draw.randint(0, 20))
            if not heap.push(*entry):
                assert heap.size == heap.capacity
                heap.grow()
                assert heap.push(*entry)
            heapq.heappush(model, entry)
        assert heap.size == len(model)
    assert [pop(heap) for _ in range(heap.size)] == sorted(model)


def test_a_full_heap_is_left_alone():
    heap = Heap(2)
    assert heap.push(4, 1)
    assert heap.push(3, 2)
    assert not heap.push(1, 3)
    assert heap.size == 2
    assert [pop(heap), pop(heap)] == [(3, 2), (4, 1)]


def test_a_cleared_heap_is_empty():
    heap = Heap(2)
    heap.push(4, 1)
    heap.clear()
    assert heap.size == 0
    heap.push(7, 5)
    assert pop(heap) == (7, 5)
