"""The organiser's desk: takes signed results in, shows outstanding tables, keeps rulings.

================ =========================================================================
module           what it holds
================ =========================================================================
``rows``         the rows that the desk keeps, and the state of a table
``store``        the database
``grounds``      reasons to refuse a match; the referee's verdict on a journal; a check of each live record
``intake``       turns bundles, journals and folders into results
``live``         matches that boxes send over a broker, and judges' rulings to them; ``attending`` keeps
                 the desk at the broker
``spare``        hands a lost box's match to a spare one
``gate``         accounts, sessions, a delay after wrong passwords
``seating``      draws a round by strict rules; ``standings`` ranks people
``rounds``       the desk's rounds: drawing, comparing with the roll call, changing, telling the boxes
``app``          the desk as a server: its routes, its own certificate for HTTPS at once
``front``        checks of every request, and the building of answers
``looking``      the pages, from templates in ``page/``; ``acting`` and ``planning`` handle their
                 forms, for results, and for people and rounds
``whole``        everything of the event in one bundle
``sheets``       CSV in and out
================ =========================================================================

The desk needs the extra ``podesta[desk]``. Its own modules import the extra; this package imports without it.
Nothing of the box imports the desk.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from device.event.desk.grounds import Grounds
from device.event.desk.rows import LiveRecord, SeatRow

if TYPE_CHECKING:
    from device.event.desk.app import ListenError, desk_at, run_desk
    from device.event.desk.store import DeskStore, StoreError, sqlite_address

_EXTRA = dict.fromkeys(("ListenError", "desk_at", "run_desk"), "app")
_EXTRA |= dict.fromkeys(("DeskStore", "StoreError", "sqlite_address"), "store")


def __getattr__(name: str) -> Any:
    """Import a name that needs the extra at its first use."""
    if name not in _EXTRA:
        raise AttributeError(name)
    return getattr(import_module(f"device.event.desk.{_EXTRA[name]}"), name)


__all__ = [
    "DeskStore",
    "Grounds",
    "ListenError",
    "LiveRecord",
    "SeatRow",
    "StoreError",
    "desk_at",
    "run_desk",
    "sqlite_address",
]
