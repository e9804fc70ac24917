"""The exit codes. A script can tell a verdict from a bad file and both from a bug, which is a traceback and code 1."""

from __future__ import annotations

DONE = 0
"""The verdict YES, or anything else that was done."""
USAGE = 2
"""A command, option, question, domain or format that does not exist."""
NO = 10
UNKNOWN = 20
BAD_INPUT = 30
"""A file that cannot be read, written or understood."""
REJECTED = 31
"""The checker does not accept the certificate."""
CANCELLED = 130
"""Ctrl-C; by convention 128 and the number of the signal."""
PIPE_CLOSED = 141
"""Whoever read the output stopped reading; by the same convention."""
