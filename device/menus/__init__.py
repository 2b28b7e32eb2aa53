"""The box's menus: key events in, pages out. No pin, pixel or file is known here.

============ ===============================================================
module       what it holds
============ ===============================================================
``core``     :class:`Box`: the stack of views, what every page's header says
``messages`` short messages over the page
``views``    the views that all menus are made of: a list, a text, a table
``play``     the match: the pending question, the draft of a step, refusals, undo
``home``     home screen, a new match, past matches, set-up
``readings`` what a sensor saw, put to people
============ ===============================================================
"""

from device.menus.core import Box

__all__ = ["Box"]
