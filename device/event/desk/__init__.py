"""The organiser's desk: takes signed results in, shows which tables are outstanding, keeps rulings.

================ =========================================================================
module           what it holds
================ =========================================================================
``rows``         the rows that the desk keeps, and how it stands with a table
``store``        the database
``grounds``      why a match is refused; what the referee says of a journal, which records may follow
``intake``       bundles, journals and folders become results
``live``         matches as boxes tell them over a broker, judges' words to them; ``attending`` the
                 desk at the broker
``spare``        a lost box's match goes to a spare one
``gate``         accounts, sessions, a delay after wrong passwords
``seating``      a round drawn by strict rules; ``standings`` who leads
``rounds``       rounds of what the desk keeps: drawn, held against who is there, changed, told to boxes
``app``          the desk as a server, its routes; ``certificate`` of its own, for HTTPS at once
``front``        what each request passes and answers are made of
``looking``      the pages, ``page/`` their templates; ``acting`` and ``planning`` what
                 their forms do, about results, and about people and rounds
``whole``        everything of the event in one bundle
``sheets``       CSV in and out
================ =========================================================================

It needs the extra ``podesta[desk]``, which is loaded with the desk's own modules: the door opens without.
Nothing of the box imports it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from device.event.desk.grounds import Grounds, Vetting
from device.event.desk.rows import LiveRecord, SeatRow

if TYPE_CHECKING:
    from device.event.desk.app import ListenError, desk_at, run_desk
    from device.event.desk.store import DeskStore, StoreError, sqlite_address

_EXTRA = dict.fromkeys(("ListenError", "desk_at", "run_desk"), "app")
_EXTRA |= dict.fromkeys(("DeskStore", "StoreError", "sqlite_address"), "store")


def __getattr__(name: str) -> Any:
    """Load what needs the extra when it is asked for."""
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
    "Vetting",
    "desk_at",
    "run_desk",
    "sqlite_address",
]
