cdef class Arcs:
    cdef readonly long long nodes
    """How many nodes there are, null slots included."""
    cdef readonly long long words
    """How many words a set of modules takes: bit m % 64 of word m // 64 is module m."""
    cdef const long long[::1] start
    """Shape (nodes + 1): the arcs of node v are start[v] to start[v + 1]; first its edges, then its separations."""
    cdef const long long[::1] near_end
    """Shape (nodes): where the edges of node v end and its separations begin."""
    cdef const int[::1] target
    """Shape (arcs): the node at the end of each arc."""
    cdef const int[::1] kind
    """Shape (arcs): which table of supports each arc uses."""
    cdef const unsigned long long[:, :, ::1] support
    """Shape (kinds, modules, words): the modules that agree with m at the start of an arc."""
    cdef const unsigned long long[:, :, ::1] against
    """Shape (kinds, modules, words): the modules that agree with m at the end of an arc."""


cdef class Regions:
    cdef readonly long long modules
    """How many modules there are."""
    cdef const int[::1] of_node
    """Shape (nodes): the region of each node; region 0 is everything that is in no other."""
    cdef const long long[:, ::1] weights
    """Shape (regions, modules): how often each module is wanted there."""
    cdef const double[::1] totals
    """Shape (regions): what the weights of each region add up to."""
    cdef const long long[:, ::1] tiers
    """Shape (regions, modules): 0 if it is chosen by its weight, 1 if its weight is 0, 2 if it is a filler."""
