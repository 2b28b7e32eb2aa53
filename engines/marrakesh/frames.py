"""What the frames of a state may be: what of a round is still to come, and what waits above that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from engines.contract import SEATS
from engines.kit.rulebook import question
from engines.marrakesh.book import BOOK
from engines.marrakesh.expansions.every import EXPANSIONS
from engines.marrakesh.rounds import CHOICES
from engines.marrakesh.scoring import PLAYED
from engines.marrakesh.state import EFFECT, ROUNDS, SEASONS, Frame, State, order
from engines.marrakesh.tiles import RIVER_EFFECTS

_AGAIN = ("oasis", "scroll", "workshop", "good", "sell_more")
"""Questions that are asked again once what is above them has happened."""
_ABOVE = {
    **dict.fromkeys(_AGAIN, ("again",)),
    "workshop": ("again", "gate", "gate_place", "shop"),
    "good": ("again", "good"),
    "oasis_number": ("instead",),
    **{question: above for each in EXPANSIONS for question, above in each.standing_on.items()},
}
"""What stands above a question that waits."""
_ADDED = {question: each.name for each in EXPANSIONS for question in each.words}
"""Expansions by the questions that they add."""
_ASKING = {"again": _AGAIN, "shop": ("workshop",), "good": ("good",)}
"""What happens only above some questions."""
_GOING_ON = ("spectators", "link")
"""Questions that always have an answer, whatever happens before."""
_BOOKED = {
    *("vp", "link", "all", "spectators", "threes", "entertainers"),
    *("score", "score_oasis", "returned", "sell"),
}
"""Names of what may give VP that are booked in its category."""
_SECONDS = {*RIVER_EFFECTS, *(f"taken_{half}" for halves in CHOICES.values() for half in halves)}


class Now(NamedTuple):
    """What goes on, ``use_a``, and what of the set-up, round or season's end comes after it."""

    going: str
    coming: tuple[str, ...]


def _by_seat(state: State, *words: str) -> list[str]:
    return [f"{word}_{SEATS[seat]}" for word in words for seat in order(state)]


def _seatless(word: str) -> str:
    """Return a word without its seat: ``use`` of ``use_a``; ``river_tile`` has none."""
    name, _, seat = word.rpartition("_")
    return name if seat in tuple(SEATS) else word


def current(state: State) -> Now | None:
    """How far the match has come; None where the words to come are the rest of no set-up, no round and no
    season's end (MK-2.1).
    """
    if state.termination:
        return Now("finish", ())
    claim = f"claim_{SEATS[state.start]}"
    turn_up = _by_seat(state, "turn_up") if state.season < SEASONS else []
    stages = (
        [*_by_seat(state, "stock", "turn_up"), "season"],
        [*_by_seat(state, "choose"), "throw", claim, *_by_seat(state, "use", "rapids"), "round_over"],
        [
            *_by_seat(state, "season_rapids"),
            "river_tile",
            *_by_seat(state, "provision"),
            *turn_up,
            "season_over",
        ],
        ["season_over", "finish"],
    )
    below = [frame.what if frame.question == EFFECT else "" for frame in state.frames]
    words = next((words for words in stages if words[-1] == below[0]), None)
    if words is None or (words is stages[0] and (state.season, state.round) != (1, 1)):
        return None
    if words in stages[2:] and state.round < ROUNDS:
        return None
    there = next(
        (at for at, pair in enumerate(zip_longest(below, reversed(words))) if pair[0] != pair[1]), len(words)
    )
    others = {_seatless(word) for word in (*words, "season", "finish")} - {"claim"}
    if there == len(words) or any(_seatless(word) in others for word in below[there:]):
        return None
    coming = tuple(words[len(words) - there :])
    going = words[len(words) - there - 1]
    if going == "throw" and question(state) != "tray":  # the start player claims again
        going, coming = claim, coming[1:]
    _, _, seat = going.rpartition("_")
    if seat in SEATS and going != claim and state.seat != SEATS.index(seat):
        return None
    return Now(going, coming)


def fit(state: State) -> Iterator[bool]:
    """Whether each frame fits the rest of the state and the one below it, and the last is a question."""
    below = Frame("")
    for number, frame in enumerate(state.frames, 1):
        name = frame.question if frame.question != EFFECT else frame.what.partition("_")[0]
        if below.question in _ABOVE:
            yield name in _ABOVE[below.question]
        elif below.question not in ("", EFFECT):
            yield below.question in _GOING_ON
        if frame.question != EFFECT:
            yield frame.question in BOOK.questions
            yield _ADDED.get(frame.question) in (None, *state.variant.expansions)
            yield BOOK.may_ask(replace(state, frames=state.frames[:number]))
        elif name in _ASKING:
            yield below.question in _ASKING[name]
        if re.sub(r"\d+$", "", name) in _BOOKED:
            yield frame.why in PLAYED
        if name == "claim":
            yield frame.question != EFFECT or frame.what in _by_seat(state, "claim")
        if frame.question == EFFECT and frame.what == "won":
            yield frame.source in state.tiles
        if frame.question == EFFECT and frame.what == "second":
            yield frame.why in _SECONDS and frame.source in state.tiles
        below = frame
    yield below.question != EFFECT
