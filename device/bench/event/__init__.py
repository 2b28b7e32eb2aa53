"""An event of many boxes at a real broker and desk: its speed, its delays, and its limit.

================ =========================================================================
module           what it holds
================ =========================================================================
``parts``        boxes without keys and screen, in this process or one of their own; a Mosquitto, its rate
``measure``      the event, at rates raised until the page of tables lags
================ =========================================================================

It needs the extra ``podesta[desk]``, and Mosquitto.
"""

from __future__ import annotations

from device.bench.event.measure import measure
