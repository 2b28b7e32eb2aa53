"""The difference of two JSON texts: a page is not told again what it knows.

A change is ``[value]`` for a new value, ``{"key": change, …}`` for an object with the same keys, and
``[length, {"index": change, …}]`` for a list that is now so long. ``page/changes.js`` applies one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec


@lru_cache(4)
def changes(old: str, new: str) -> str:
    """Return the change that makes ``new`` of ``old``, as JSON; both are asked for once, whoever looks."""
    return msgspec.json.encode(_change(msgspec.json.decode(old), msgspec.json.decode(new))).decode()


def _change(old: Any, new: Any) -> Any:
    match old, new:
        case dict(), dict() if old.keys() == new.keys():
            return {key: _change(old[key], value) for key, value in new.items() if value != old[key]}
        case list(), list() if old and new:
            shared = min(len(old), len(new))
            found = {str(at): _change(old[at], new[at]) for at in range(shared) if old[at] != new[at]}
            return [len(new), found | {str(at): [new[at]] for at in range(shared, len(new))}]
        case _:
            return [new]
