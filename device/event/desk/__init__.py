"""The organiser's desk: takes signed results in, shows which tables are outstanding, keeps rulings.

================ =========================================================================
module           what it holds
================ =========================================================================
``rows``         the rows that the desk keeps, and how it stands with a table
``store``        the database
``grounds``      why a match is refused; what the referee says of a journal
``intake``       bundles, journals and folders become results
``sheets``       CSV in and out
================ =========================================================================

It needs the extra ``podesta[desk]``, which is loaded with the desk's own modules: the door opens without.
Nothing of the box imports it.
"""

from __future__ import annotations

from device.event.desk.grounds import Grounds, Vetting

__all__ = ["Grounds", "Vetting"]
