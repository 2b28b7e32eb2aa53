"""A final table entered by hand for level score (CT-7.2 to CT-7.4).

Seat by seat: both tracks before round 3 is added, stored tiles, marble, workers, region cards in hand, and
empty spaces of the region.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.kinds import CARDS, MARBLE, OF_EACH_SQUARE, WORKERS
from engines.castles_of_tuscany.regions import SPACES
from engines.castles_of_tuscany.state import COUNTED, ROUNDS, Frame, State
from engines.contract import Number
from engines.kit import Objection, of_frame

MOST_POINTS = 499
STORED_MOST = 6  # CT-2.2, CT-5.9: one place, and five square tiles
TOLD = {
    "final_orange": Number("orange", 0, MOST_POINTS),
    "final_green": Number("green", 0, MOST_POINTS),
    "final_stored": Number("stored", 0, STORED_MOST),
    "final_marble": Number("marble", 0, MARBLE),
    "final_workers": Number("workers", 0, WORKERS),
    "final_cards": Number("cards", 0, CARDS),
    "final_empty": Number("empty", 0, SPACES - 1),
}
"""The questions to each seat, in the order of ``Side.counted``."""
ORANGE, GREEN, STORED, OF_MARBLE, OF_WORKERS, OF_CARDS, EMPTY = range(len(TOLD))
_QUESTIONS = tuple(TOLD)
FULL_REGION = SPACES - 1
"""The least VP of a full region: 1 a space, without that of the first castle (CT-2.3, CT-4.1)."""
SHARED = {OF_MARBLE: MARBLE, OF_WORKERS: WORKERS, OF_CARDS: CARDS}
"""The figures of things that all seats share, with the number of them."""

for _question, _number in TOLD.items():
    BOOK.asks(_number, _question, report=True)


BOOK.figures(*TOLD)(of_frame("seat"))


def list_told(state: State, at: int) -> list[int]:
    """Return a figure of all seats that have told it."""
    return [side.counted[at] for side in state.sides if len(side.counted) > at]


@BOOK.check("final.supply", "CT-1.4", *(_QUESTIONS[at] for at in SHARED))
def check_final_supply(state: State, token: str) -> Objection | None:
    """Refuse more for all seats together than there is."""
    at = len(state.own.counted)
    number = sum(list_told(state, at)) + int(token)
    return Objection({"number": number, "all": SHARED[at]}) if number > SHARED[at] else None


@BOOK.check("final.storage", "CT-5.9", "final_stored")
def check_final_storage(state: State, token: str) -> Objection | None:
    """Refuse more stored than one tile a seat, and one more for each of five square tiles."""
    more = count_more_stored([*list_told(state, STORED), int(token)])
    return Objection({"number": more, "all": OF_EACH_SQUARE}) if more > OF_EACH_SQUARE else None


def count_more_stored(stored: Iterable[int]) -> int:
    """Return the number of tiles in places of square tiles (CT-2.2, CT-5.9)."""
    return sum(max(0, number - 1) for number in stored)


@BOOK.check("final.green", "CT-4.1", "final_empty")
def check_final_green(state: State, token: str) -> Objection | None:
    """Refuse a full region with fewer green VP than :data:`FULL_REGION`."""
    green = state.own.counted[GREEN]
    full = int(token) == 0 and green < FULL_REGION
    return Objection({"number": green, "all": FULL_REGION}) if full else None


@BOOK.check("final.orange", "CT-7.2", "final_green")
def check_final_orange(state: State, token: str) -> Objection | None:
    """Refuse more than twice the green VP on the orange track if nothing else counts there."""
    orange, most = state.own.counted[ORANGE], 2 * int(token)
    beyond = state.variant.all_green and orange > most
    return Objection({"number": orange, "all": most}) if beyond else None


def open_count(state: State) -> State:
    """Return the state that asks for the first seat's figures."""
    return replace(state, round=ROUNDS).asking(Frame(_QUESTIONS[0], open=False))


@BOOK.effect(*TOLD)
def effect_told(state: State, token: str) -> State:
    """Enter a figure and go on to the next, to the next seat, or to the end."""
    counted = (*state.own.counted, int(token))
    state = state.with_side(state.seat, counted=counted)
    if len(counted) < len(TOLD):
        return state.answered(Frame(_QUESTIONS[len(counted)], open=False))
    if state.seat + 1 < state.variant.seats:
        return replace(state, seat=state.seat + 1).answered(Frame(_QUESTIONS[0], open=False))
    return replace(state.answered(), round=ROUNDS + 1, termination=COUNTED)


@BOOK.fits(*TOLD)
def fits_told(state: State) -> bool:
    return len(state.own.counted) == _QUESTIONS.index(state.frames[-1].question)
