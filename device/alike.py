"""Values made of the fields that they share with others."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


def alike(kind: type[T], /, *of: object, **more: Any) -> T:
    """Return a ``kind`` with the fields that one of some values has by the same names, and those given."""
    for value in of:
        shared = (name for name in kind.__struct_fields__ if name not in more and hasattr(value, name))
        more |= {name: getattr(value, name) for name in shared}
    return kind(**more)
