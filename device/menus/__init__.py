"""The box's menus: key events in, pages out. No pin, pixel or file is known here.

=============== ==========================================================================
module          what it holds
=============== ==========================================================================
``core``        :class:`Box`: the stack of views, the keys, what every page's header says
``telling``     what was recorded, what hands do now, what all must know; short messages
``home``        home screen, past matches, set-up, language
``new_match``   the form of a new match
``readings``    what a sensor saw, put to people
``play``        the match: recording a step, undo, the end
``match_menu``  what can be looked at and done beside playing; entries; phones that act for seats
``scores``      score tables, and what made the score, entry by entry
``undoing``     what Undo offers, and going back as far as people agree to
``correcting``  an entry that was wrong, and what that does to the rest
``adjustment``  points and goods by hand
``standstill``  pause, a called judge and the word that comes, lost entries; the players' clock
``care``        what is written to a stick, and what the box has done to itself
``ending``      the final score, confirmed or disputed
``consent``     who must agree before something is ruled: all by name, or a judge with the PIN
``step``        a step put together choice by choice, and why one is refused
``rules``       the rules by chapter and by word
``pickers``     what is too much to list: counts, numbers of several digits
``grid``        a question on a board; ``ring``: in which order its choices come
``copies``      what is printed on a copy, and cameras taught its pieces; ``fact_entries``: entering a value
``views``       what menus are made of: a list, a text, a table, a wheel
``ui``          what a view and the box know of one another
=============== ==========================================================================

A module imports only those below it.
"""

from device.menus.core import Box, header_words
from device.menus.new_match import NewMatch
from device.menus.play import Play
from device.menus.step import Sure
from device.menus.ui import MOMENT_MS, RoundHere
from device.menus.views import READ_MS, Paged

__all__ = ["MOMENT_MS", "READ_MS", "Box", "NewMatch", "Paged", "Play", "RoundHere", "Sure", "header_words"]
