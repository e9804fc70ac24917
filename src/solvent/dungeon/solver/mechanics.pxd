# The kinds of `mechanics.py`, as constants in C. A test compares the two.

cdef enum:
    SPEND = 0
    NEED = 1
    NEED_ON = 2
    NEED_OFF = 3
    SHUT = 4
    NEVER = 5
    RULE = 6

    TAKE = 0
    GAIN = 1
    TOGGLE = 2
    ASSIGN = 3
    ADVANCE = 4
    SEIZE = 5
    EARN = 6
    REFILL = 7

    ILLEGAL = 0
    CALM = 1
    TOOK = 2
    CHANGED = 3

    ALWAYS = 0
    IF_BITS = 1
    NEVER_CALM = 2
    TRY = 3

    EXACT = 0
    SATURATE = 1
    OVERLOOK = 2

    WORKING = 0
    EXHAUSTED = 1
    FOUND = 2
    FULL = 3
    LOSSY = 4
    NEEDS_TABLE = 5

    DONE = 6
    PAUSED = 7
    UNDECIDED = 8

    NO_GATE = -1
    GATES_A_MOVE = 4
    NOBODY = -1
    LOOKS_A_NODE = 10000
    LOOKS_A_CALL = 1000000
