"""The exit codes. A script can tell a verdict from a bad file and both from a bug, which is a traceback and code 1."""

from __future__ import annotations

DONE = 0
"""YES, accepted, or done."""
USAGE = 2
"""Usage: a command, option, question, domain, format or test that does not exist or is out of range."""
NO = 10
"""NO. From `hint`: the instance is lost. From `audit`: a counterexample was found. From `validate` and `report`: what
`--strict` or `--fail-on` names."""
UNKNOWN = 20
"""UNKNOWN: out of time, nodes or memory, or the method cannot decide. From `hint`: nothing found. From `generate`: no
instance of the requested kind. From `validate`: what `--strict` or `--fail-on` names."""
BAD_INPUT = 30
"""Bad input: a file, store or cluster that cannot be read, written or understood. From `solve --with-test`: a test that
is not sound. From `validate`: what `--strict` or `--fail-on` names."""
REJECTED = 31
"""A certificate was rejected, or one of those in a store."""
NOT_CHECKED = 32
"""Not checked: a limit ended the check, so the certificate is neither accepted nor rejected."""
CANCELLED = 130
"""Ctrl-C; by convention 128 and the number of the signal."""
PIPE_CLOSED = 141
"""The reader of the output stopped reading, as `head -1` does; by the same convention."""
