"""A final layout, reported tower by tower at the level ``score``."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Domain, Figures
from engines.kit import Objection
from engines.san_gimignano import building
from engines.san_gimignano import cards as c
from engines.san_gimignano import state as s
from engines.san_gimignano.book import BOOK, either
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.standing import THAT_IS_ALL
from engines.san_gimignano.state import Frame, State
from engines.san_gimignano.turns import finish

MARKER, CLOSER = "final_marker", "final_closer"
NOBLES = {"final_monumento": c.MONUMENTO, "final_cappella": c.CAPPELLA}
"""The questions about the users of nobles, with their kinds."""
HOLDERS = (MARKER, *NOBLES, CLOSER)

# A tower's shape, or no more towers on this side

BOOK.asks(
    either(
        Domain("shape", (*building.SHAPES.tokens, THAT_IS_ALL)),
        Domain("shape", (*building.SHAPES_9.tokens, THAT_IS_ALL)),
    ),
    "final",
    report=True,
)


@BOOK.figures("final", "final_height", "final_stones", "final_state", *HOLDERS)
def figures_final(state: State) -> Figures:
    frame = state.frames[-1]
    return (("n", frame.n), ("seat", frame.seat), ("rank", frame.tower.low if frame.tower else 0))


def _count_stones_left(state: State) -> int:
    """Return the number of stones that the layout may still show."""
    return c.STONES - bags.count(state.nobles.used[0] + state.nobles.used[1], c.PIETRA) if state.nobles else 0


def _find_needed(state: State, token: str) -> tuple[tuple[Bag, int], ...]:
    """Return every way to have such a tower: its tower cards and the number of its stones."""
    if token[0] in "xs":
        tower = state.tower.grown(token)
        return ((tower.bag, len(tower.stones)),)
    return c.ways(token)


@BOOK.check("final.stones", "SG-9.1", "final", "final_height", "final_stones")
def check_final_stones(state: State, token: str) -> Objection | None:
    left = _count_stones_left(state)
    if token == THAT_IS_ALL or any(stones <= left for _, stones in _find_needed(state, token)):
        return None
    return Objection({"left": left})


@BOOK.check("final.cards", "SG-11.1", "final", "final_height", "final_stones")
def check_final_cards(state: State, token: str) -> Objection | None:
    if token == THAT_IS_ALL:
        return None
    left, stones = state.unseen(), _count_stones_left(state)
    possible = [need for need, laid in _find_needed(state, token) if laid <= stones]
    if any(bags.within(need, left) for need in possible):
        return None
    short = [k for k, copies in bags.items(possible[0]) if bags.count(left, k) < copies]
    figures: dict[str, int | str] = {"unseen": ",".join(f"{bags.count(left, k)}×{k + c.LOW}" for k in short)}
    return Objection(figures, tuple(("unseen", k + c.LOW) for k in short))


@BOOK.effect("final")
def effect_final(state: State, token: str) -> State:
    if token == THAT_IS_ALL:
        frame = Frame("final", seat=1) if state.frames[-1].seat == 0 else Frame("final_marker")
        return replace(state, frames=(frame,))
    low, high = c.read_shape(token)
    if low == high:
        return _ask(state, "final_height", c.plain(low, 1))
    return _ask(state, "final_stones" if token[-1] == "s" else "final_state", c.run(low, high))


def _ask(state: State, question: str, tower: Tower) -> State:
    return replace(state, frames=(Frame(question, tower=tower, seat=state.frames[-1].seat),))


@BOOK.possible("final")
def possible_final(state: State, token: str) -> bool:
    if token == THAT_IS_ALL:
        return True
    low, high = c.read_shape(token)
    return low == high or token[-1] == "s" or bags.within(c.real_cards(low, high), state.unseen())


# The height of a plain tower

BOOK.asks(either(building.HEIGHTS, building.HEIGHTS_9), "final_height", report=True)


@BOOK.effect("final_height", "final_stones")
def effect_final_height_final_stones(state: State, token: str) -> State:
    return _ask(state, "final_state", state.tower.grown(token))


@BOOK.possible("final_height", "final_stones")
def possible_final_height_final_stones(state: State, token: str) -> bool:
    ((need, stones),) = _find_needed(state, token)
    return stones <= _count_stones_left(state) and bags.within(need, state.unseen())


# The stones of a run

BOOK.asks(building.stones_of, "final_stones", report=True)


@BOOK.fits("final_stones")
def fits_final_stones(state: State) -> bool:
    tower = state.frames[-1].tower
    if tower is None or tower.plain or tower.stones:
        return False
    return _count_stones_left(state) > 0


# Its side; then it stands

STANDING, COMPLETED = "|", "*"
BOOK.asks(Domain("final_state", (STANDING, COMPLETED)), "final_state", report=True)


@BOOK.effect("final_state")
def effect_final_state(state: State, token: str) -> State:
    seat = state.frames[-1].seat
    tower = replace(state.tower, complete=token == COMPLETED)
    cards = tower.height - len(tower.stones)
    state = replace(state, middle=state.middle - cards, frames=(Frame("final", seat=seat),))
    return _use(state, seat, c.PIETRA, len(tower.stones)).change_towers(seat, None, tower)


def _use(state: State, seat: int, kind: int, copies: int = 1) -> State:
    if not copies or seat == s.NOBODY:
        return state
    nobles = state.using(seat, bags.one(kind, copies)).advanced
    return replace(state, nobles=replace(nobles, deck=nobles.deck - copies))


@BOOK.fits("final_state")
def fits_final_state(state: State) -> bool:
    tower = state.frames[-1].tower
    if tower is None or tower.height < c.LEAST_STOREYS or len(tower.stones) > _count_stones_left(state):
        return False
    whole = tower.plain or c.forced_stones(tower.low, tower.high) <= set(tower.stones)
    return whole and bags.within(tower.bag, state.unseen())


# The seats that have the marker, used the nobles that score, and closed, as far as they score

NO_MARKER = "-"
BOOK.asks(
    Domain("marker", ("a", "b", NO_MARKER)),
    *HOLDERS,
    report=True,
    fits=lambda state: state.frames[-1].question in _list_asked(state),
)


BOOK.needs("final.marker", "SG-4.1", (NO_MARKER,), "final_marker", lambda state: not any(state.towers))


def _count_completed(state: State, seat: str) -> int:
    return sum(tower.complete for tower in state.towers[SEATS.index(seat)])


@BOOK.offers(
    *("final.closer", "SG-3.12", "final_closer"),
    told=lambda state, seat: {"completed": _count_completed(state, seat), "needed": s.COMPLETED_TO_CLOSE},
    pieces=False,
)
def offer_final_closer(state: State) -> list[str]:
    return [*(seat for seat in SEATS[:2] if _count_completed(state, seat) >= s.COMPLETED_TO_CLOSE), NO_MARKER]


@BOOK.effect(*HOLDERS)
def effect_holders(state: State, token: str) -> State:
    seat = SEATS.index(token) if token != NO_MARKER else s.NOBODY
    asked = state.frames[-1].question
    if asked in NOBLES:
        state = _use(state, seat, NOBLES[asked])
    else:
        state = replace(state, **{asked.removeprefix("final_"): seat})
    following = _list_asked(state)
    following = following[following.index(asked) + 1 :]
    if following:
        return replace(state, frames=(Frame(following[0]),))
    return finish(replace(state, ending=True, frames=()), s.COUNTED)


def _list_asked(state: State) -> list[str]:
    """Return the questions after the towers that matter for the score."""
    nobles, closer = state.nobles is not None, state.deals is not None and state.deals.penalty
    return [MARKER, *[*NOBLES] * nobles, *[CLOSER] * closer]
