"""The box's menus: key events in, pages out. This package knows no pin, pixel or file.

=============== ==========================================================================
module          what it holds
=============== ==========================================================================
``core``        :class:`Box`: the stack of views, the keys, the header of every page
``telling``     texts after an entry: the record, orders for hands, news; short messages
``home``        home screen, past matches, set-up, language
``new_match``   the form of a new match
``readings``    sensors' proposals, shown to people
``play``        the match: recording a step, undo, the end
``match_menu``  the menu beside play; entries; phones that act for seats
``scores``      score tables; the reasons of a score, entry by entry; the final one, confirmed or disputed
``undoing``     the offers of Undo, rollbacks as far as people agree, points and goods by hand
``correcting``  replacing a wrong entry, and the effect on later ones
``standstill``  pause, a called judge and the answer, lost entries; the players' clock
``care``        copies onto a stick, and updates, restores and resets of the box
``consent``     agreement to a ruling: of all by name, or of a judge with the PIN
``step``        a step put together choice by choice, and the reason of a refusal
``rules``       the rules by chapter and by word
``pickers``     entry of answers too long to list: counts, numbers of several digits
``ring``        the choices of a question in the order of turning, and on a board
``copies``      facts of a copy, and teaching cameras its pieces; ``fact_entries``: entering a value
``views``       the building blocks of menus: a list, a text, a table, a wheel
``ui``          the interface between a view and the box
=============== ==========================================================================

A module imports only those below it.
"""

from device.menus.core import Box, say_header
from device.menus.new_match import NewMatch
from device.menus.play import Play
from device.menus.step import Sure
from device.menus.ui import MOMENT_MS, RoundHere
from device.menus.views import READ_MS, Paged

__all__ = ["MOMENT_MS", "READ_MS", "Box", "NewMatch", "Paged", "Play", "RoundHere", "Sure", "say_header"]
