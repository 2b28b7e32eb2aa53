"""An event of many boxes at a real broker and desk: its speed, its delays, and its limit.

================ =========================================================================
module           what it holds
================ =========================================================================
``box``          a box without keys and screen, in this process or one of its own
``broker``       a Mosquitto for the bench, and its own rate
``measure``      the event, at rates raised until the page of tables lags
================ =========================================================================

It needs the extra ``podesta[desk]``, and Mosquitto.
"""

from __future__ import annotations

from device.bench.event.measure import measure
