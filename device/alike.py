"""Values made of the fields that they share with others."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


def alike(kind: type[T], of: object, /, **more: Any) -> T:
    """Return a ``kind`` with the fields that ``of`` has by the same names, but for those that are given."""
    shared = (name for name in kind.__struct_fields__ if name not in more and hasattr(of, name))
    return kind(**{name: getattr(of, name) for name in shared}, **more)
