"""What stands behind the question mark of an address, as an object."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.requests import Request

from solvent.web.failures import Refusal

Wanted = TypeVar("Wanted", bound=msgspec.Struct)


def read_query(request: Request, kind: type[Wanted]) -> Wanted:
    """Return the query of a request as an object of this kind, or raise Refusal saying what is wrong with it."""
    given = request.query_params.multi_items()
    said = dict(given)
    if len(said) < len(given):
        raise Refusal("request", "expected each word of the address once, found one twice")
    try:
        return msgspec.convert(said, kind, strict=False)  # everything in an address is text
    except msgspec.ValidationError as error:
        raise Refusal("request", f"the address is not as described: {error}") from None
