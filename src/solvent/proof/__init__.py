"""The forms of certificate and what checks them.

`replay` follows a plan, `closed_set` shows that nothing else can be reached, `rup` follows a clausal refutation.
A domain's checker restates its rules and hands them to one of these; none of them knows a domain or a solver.
"""
