"""The board this runs on, with everything that has a wire; no other file knows which it is.

A board has::

    sample()     the next sample of the converter, None while there is none
    gates()      what the light gates did since: (gate from 1, whether its beam is broken, ms), oldest first
    pressed()    how long its button was held when it was let go, in ms; 0 while nothing is new
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
