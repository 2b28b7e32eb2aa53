"""The organiser's desk: takes signed results in, shows outstanding tables, keeps rulings.

================ =========================================================================
module           what it holds
================ =========================================================================
``rows``         the rows that the desk keeps, and the state of a table
``store``        the database
``grounds``      reasons to refuse a match; the referee's verdict on a journal; a check of each live record
``intake``       turns bundles, journals and folders into results
``live``         matches that boxes send over a broker, and judges' rulings to them
``spare``        hands a lost box's match to a spare one
``gate``         accounts, sessions, a delay after wrong passwords
``seating``      draws a round by strict rules; ``standings`` ranks people
``rounds``       the desk's rounds: drawing, comparing with the roll call, changing, telling the boxes
``app``          the desk as a server: its routes, its stay at the broker, its own certificate for HTTPS
``front``        checks of every request, and the building of answers
``looking``      the pages, from templates in ``page/``; ``acting`` handles their forms
``whole``        everything of the event in one bundle
``sheets``       CSV in and out
================ =========================================================================

The desk needs the extra ``podesta[desk]``. Nothing of the box imports it.
"""

from __future__ import annotations

from device.event.desk.app import ListenError, parse_address, run_desk
from device.event.desk.grounds import Grounds
from device.event.desk.rows import LiveRecord, SeatRow
from device.event.desk.store import DeskStore, prepare_sqlite
