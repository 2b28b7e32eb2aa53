"""An event of many boxes at a real broker and desk: how fast, how soon, and where it stops holding.

================ =========================================================================
module           what it holds
================ =========================================================================
``box``          a box without keys and screen, in this process or one of its own
``broker``       a Mosquitto of one's own, and what it delivers by itself
``measure``      the event, its rate raised step by step until the page of tables lags
================ =========================================================================

It needs the extra ``podesta[desk]``, and Mosquitto.
"""

from __future__ import annotations

from device.bench.event.measure import measure
