from solvent.engine.bits cimport bit, lowest_bit, without_lowest_bit
from solvent.engine.heap_kernel cimport Heap
from solvent.valency.solver.draw_kernel cimport Draws
from solvent.valency.solver.network_kernel cimport Regions
from solvent.valency.solver.propagate_kernel cimport Fill


cdef class Choosing:
    cdef Fill fill
    """What is chosen from."""
    cdef Regions regions
    """Which module is wanted how often."""
    cdef Draws draws
    """Where chance comes from."""
    cdef bint balancing
    """Whether a module that is behind its share gets more weight."""
    cdef bint by_entropy
    """Whether the node of least entropy is next; else nodes come in a given order."""
    cdef const int[::1] order
    """Shape (open nodes): the order of choosing, if it is given."""
    cdef long long order_length
    """How many nodes it has."""
    cdef int[::1] rank
    """Shape (nodes): the place of each node in the order."""
    cdef long long place
    """Where in the order the first node is that may still be open."""
    cdef Heap heap
    """Nodes by entropy. One is put in again whenever its key changes, and old entries are passed over."""
    cdef long long[::1] keys
    """Shape (nodes): the entropy of each node as it is now."""
    cdef double[::1] pull
    """Shape (modules): the weights to draw with, for the node at hand."""
    cdef readonly long long last
    """The node that was chosen last."""

    cdef long long is_ready(self, long long effort) noexcept nogil
    cdef long long next_node(self) noexcept nogil
    cdef long long next_in_order(self) noexcept nogil
    cdef long long next_by_entropy(self) noexcept nogil
    cdef long long refresh_keys(self, long long effort) noexcept nogil
    cdef long long entropy_key(self, long long node) noexcept nogil
    cdef double steered_weight(self, long long region, long long module) noexcept nogil
    cdef void choose(self, long long node) noexcept nogil
    cdef long long draw_module(self, long long node) noexcept nogil
