# A literal is coded as 2·v for variable v and 2·v + 1 for its negation, so `code ^ 1` negates. V is the number of
# variables. A clause is known by its place in the arena, its `ref`.

cdef class RupFollower:
    # What is followed.
    cdef int[::1] literals
    """The literals of all steps, one step after the other."""
    cdef long long[::1] starts
    """Step i is `literals[starts[i]:starts[i + 1]]`."""
    cdef signed char[::1] kinds
    """AXIOM, ADD or DELETE for each step."""
    cdef long long steps
    """How many steps there are."""
    cdef readonly long long step
    """The next step; after NOT_IMPLIED, the one that does not follow."""

    # The clauses so far.
    cdef int[::1] arena
    """First the heads of the watch lists, `arena[code]` for each code below 2·V + 2; then the clauses as they came. From
    `arena[ref]` on stand: the length (negated once it is deleted), the next clause in the watch list of its first
    literal, the same of its second, the next clause in its hash bucket, then its literals, which are distinct, and
    behind those of a long clause where to search it next. The first two are watched; 0 ends a list."""
    cdef long long arena_end
    """Where the next clause goes."""
    cdef int[::1] buckets
    """The first clause of each hash bucket, 0 if none; a power of two of them."""
    cdef long long bucket_mask
    """One less than the number of buckets."""
    cdef unsigned long long hash_seed
    """What the hash of a clause depends on beside its literals."""
    cdef readonly long long chain_steps
    """How many clauses were passed in hash buckets, in search of one to delete; a part of the work."""
    cdef readonly long long unknown_deletions
    """Steps that deleted a clause that was not there; they are skipped."""

    # What is true.
    cdef signed char[::1] values
    """1 for a true code, -1 for a false one, 0 while open."""
    cdef int[::1] trail
    """The true codes in the order they became true. Outside a check it holds only facts: what unit propagation alone
    gave. Facts stay when the clause that gave them is deleted: they follow from the formula anyway."""
    cdef long long trail_end
    """How many codes are on the trail."""
    cdef readonly long long facts
    """How many of them are facts."""
    cdef int[::1] reasons
    """For each variable on the trail the clause that forced it, 0 if it was assumed."""
    cdef long long contradiction
    """The clause that facts alone make false, 0 if none."""
    cdef readonly long long looked_at
    """How many clauses were looked at: the unit of work. Long ones count more."""

    # The clause just written at the end of the arena.
    cdef long long[::1] stamps
    """For each code the pass that saw it last."""
    cdef long long stamp
    """The number of the last pass."""
    cdef long long length
    """How many distinct literals it has."""
    cdef bint tautology
    """Whether it holds a literal and its negation."""
    cdef long long bucket
    """The hash bucket it belongs to."""

    # What each step used, for whoever wants to trim the proof.
    cdef bint recording
    """Whether the fields below are kept."""
    cdef int[::1] antecedents
    """The clauses (`ref`) and the facts (`-v`) that the checks of all steps used."""
    cdef long long antecedents_end
    """How many were written."""
    cdef long long antecedents_room
    """How many there is room for."""
    cdef long long[::1] antecedent_ends
    """Step i used `antecedents[antecedent_ends[i]:antecedent_ends[i + 1]]`."""
    cdef int[::1] step_refs
    """The clause each step added, 0 if it added none."""

    cdef long long follow(self, long long limit) noexcept nogil
    cdef void write_clause(self, long long begin, long long end) noexcept nogil
    cdef void delete_clause(self) noexcept nogil
    cdef bint is_implied(self, long long ref) noexcept nogil
    cdef void forget_assumptions(self) noexcept nogil
    cdef void attach(self, long long ref) noexcept nogil
    cdef void set_true(self, long long code, long long reason) noexcept nogil
    cdef long long propagate(self, long long begin) noexcept nogil
    cdef long long find_in_long(self, long long first, long long end) noexcept nogil
    cdef void record(self, long long conflict) noexcept nogil
    cdef void note_antecedent(self, long long used) noexcept nogil
