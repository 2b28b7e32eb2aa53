"""The expansions' tiles by number, with what public lists say of them and how sure that is (MK-17)."""

from __future__ import annotations

# More exchange offices (MK-17.3)

OFFICES = tuple(map(str, range(1, 7)))
"""Numbers of their owner's own: none are printed."""
OFFICE_LINES = tuple(f"1{resource}1{bonus}" for resource in "wdn" for bonus in "vrs")
"""What a line gives: a resource, and 1 VP, 1 river step or 1 step on a stair."""
