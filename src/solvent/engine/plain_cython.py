"""Stand in for the module `cython` where kernels run as plain Python.

Compiled kernels never import it: Cython takes `import cython` for itself. What is here does nothing, since Python needs
no types; only the names must exist. Use no other names in kernels.
"""

from __future__ import annotations

from typing import Any, TypeVar

Decorated = TypeVar("Decorated")

compiled = False
longlong = ulonglong = int = schar = uchar = bint = double = object
void = None


def cclass(decorated: Decorated) -> Decorated:
    """Leave a class as it is."""
    return decorated


final = cfunc = ccall = inline = cclass


def exceptval(**_options: Any) -> Any:
    """Leave a function as it is."""
    return cclass


def freelist(_size: Any) -> Any:
    """Leave a class as it is."""
    return cclass


def declare(_type: Any, value: Any = None, **_options: Any) -> Any:
    """Return the value of a constant, or nothing for a field."""
    return value


def cast(_type: Any, value: Any) -> Any:
    """Return the value as it is: the caller knows that it fits."""
    return value


class _WithoutGil:
    """Serve as the decorator and as the `with` block."""

    def __call__(self, decorated: Decorated) -> Decorated:
        return decorated

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        pass


nogil = _WithoutGil()
gil = _WithoutGil()
