"""What a sensor saw, put to people: accept it, choose what it means, or see what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from device.box.play import Play
from device.box.views import Act, Item, Menu, Reader
from engines.contract import Choice
from engines.search import Exact, Interpretation, OutOfStep

if TYPE_CHECKING:
    from device.box.core import Box


class Proposal(msgspec.Struct, frozen=True):
    """What a reading would mean, how sure its sensor is (0 to 1), and the channel it came by."""

    meaning: Interpretation
    confidence: float
    channel: str


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
    at = play.referee.match.points[-1]
    if isinstance(meaning, Exact) and meaning.choices and proposal.confidence >= box.accept_from:
        play.propose(meaning.choices, at, proposal.channel)
        return
    found = (meaning.choices,) if isinstance(meaning, Exact) else meaning.explanations
    if found == ((),):
        return
    items = [Item(_label(play, choices), _accept(box, play, choices)) for choices in found]
    items.append(Item(words("reading.no"), box.pop))
    prompt = words("reading.prompt", percent=round(proposal.confidence * 100))
    box.push(Menu(box, words("reading.title"), prompt, items))


def _label(play: Play, choices: Sequence[Choice]) -> str:
    return play.referee.game.text(choices)


def _accept(box: Box, play: Play, choices: Sequence[Choice]) -> Act:
    at = play.referee.match.points[-1]

    def act() -> None:
        box.pop()
        play.propose(choices, at)

    return act
