"""What a sensor saw, put to people: accept it, choose what it means, or see what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from device.box.play import Play
from device.box.views import Act, Item, Menu, Reader
from engines.contract import Choice, Decide
from engines.match import Point
from engines.search import Exact, Interpretation, OutOfStep

if TYPE_CHECKING:
    from device.box.core import Box


class Proposal(msgspec.Struct, frozen=True):
    """What a reading would mean, how sure its sensor is (0 to 1), and the channel it came by."""

    meaning: Interpretation
    confidence: float
    channel: str


SURE = 0.95
"""From this confidence on a reading with one meaning is a sure one."""


def show(box: Box, play: Play, proposal: Proposal) -> None:
    """Ask people; a reading that shows the table unchanged needs no question."""
    words, meaning = play.words, proposal.meaning
    if isinstance(meaning, OutOfStep):
        parts = [words("reading.out_of_step"), " ".join(meaning.differences)]
        if meaning.refusal:
            parts.append(f"{meaning.refusal.clause}: {words.refusal(meaning.refusal)}")
        box.refused()
        box.push(Reader(box, words("reading.title"), "\n".join(parts)))
        return
    found = (meaning.choices,) if isinstance(meaning, Exact) else meaning.explanations
    if found == ((),):
        return
    at = play.match.points[-1]
    sure = len(found) == 1 and proposal.confidence >= SURE
    policy = box.confirm.readings.sure if sure else box.confirm.readings.unsure
    if policy == "auto":
        play.propose(found[0], at, proposal.channel)
        return
    title = words("reading.title")
    if policy == "other" and isinstance(play.pending, Decide):
        title = words.name((play.pending.seats[0] + 1) % len(words.names))
    items = [Item(play.match.game.text(choices), _accept(box, play, choices, at)) for choices in found]
    items.append(Item(words("reading.no"), box.pop))
    prompt = words("reading.prompt", percent=round(proposal.confidence * 100))
    box.push(Menu(box, title, prompt, items))


def _accept(box: Box, play: Play, choices: Sequence[Choice], at: Point) -> Act:
    def act() -> None:
        box.pop()
        play.propose(choices, at)

    return act
