"""Find counting arguments: points for what stands where, whose sum by nodes and by edges cannot be the same.

Parity and pigeon-holes are what clauses say badly. Here they are linear equations: which part of an edge's choices is
taken is one unknown, shared by both ends, and `laws` has what the modules of a node say of the unknowns around it.
`elimination` adds laws up until all unknowns are gone; where bounds matter too, `simplex` does. `points` turns the sum
into the points of a certificate, and goes over them as the checker will.
"""
