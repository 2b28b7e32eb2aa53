"""The board that this runs on, with everything that has a wire; no other file knows which board it is.

A board has::

    sample()     the next sample of the converter, None while there is none
    gates()      news of the light gates: (gate from 1, True if its beam is broken, ms), oldest first
    pressed()    how long its button was held until its release, in ms; 0 without a release
    ms()         milliseconds since the start; they never wrap
    read()       bytes from the line, None for nothing; it does not wait
    write(data)  bytes to the line
    show(lamp)   "away", "fault", "moving", "telling" or "rest" on its lamp
    alive()      keeps the watchdog quiet
"""

import sys

if sys.platform == "rp2":
    from boards.pico import Board
else:
    from boards.simulated import Board

__all__ = ["Board"]
