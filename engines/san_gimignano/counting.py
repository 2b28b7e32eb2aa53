"""A final layout, reported tower by tower where no play is followed (level ``score``)."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS
from engines.san_gimignano import questions as q
from engines.san_gimignano.building import change_towers
from engines.san_gimignano.cards import CAPPELLA, MONUMENTO, PIETRA, Tower, plain, read_stones, run
from engines.san_gimignano.deals import finish
from engines.san_gimignano.state import COUNTED, NOBODY, Frame, State
from engines.san_gimignano.zones import nobles_of


def final(state: State, token: str) -> State:
    """A tower's shape, or no more towers on this side."""
    seat = state.frames[-1].seat
    if token == q.FLIPPED:
        frame = Frame("final", seat=1) if seat == 0 else Frame("final_marker")
        return replace(state, frames=(frame,))
    low, _, high = token.rstrip("s").partition("-")
    if not high:
        return _ask(state, "final_height", plain(int(low), 1))
    return _ask(state, "final_stones" if token[-1] == "s" else "final_state", run(int(low), int(high)))


def _ask(state: State, question: str, tower: Tower) -> State:
    return replace(state, frames=(Frame(question, tower=tower, seat=state.frames[-1].seat),))


def _tower(state: State) -> Tower:
    tower = state.frames[-1].tower
    assert tower
    return tower


def final_height(state: State, token: str) -> State:
    """How high a plain tower is."""
    height = int(token[1:].rstrip("s"))
    return _ask(state, "final_state", plain(_tower(state).low, height, stones=token.count("s")))


def final_stones(state: State, token: str) -> State:
    """Which storeys of a run are stones."""
    tower = _tower(state)
    return _ask(state, "final_state", run(tower.low, tower.high, stones=read_stones(token)))


def final_state(state: State, token: str) -> State:
    """Whether it is completed; then it stands."""
    seat = state.frames[-1].seat
    tower = replace(_tower(state), complete=token == q.COMPLETED)
    cards = tower.height - len(tower.stones)
    state = replace(state, middle=state.middle - cards, frames=(Frame("final", seat=seat),))
    return change_towers(_used(state, seat, PIETRA, len(tower.stones)), seat, None, tower)


def _used(state: State, seat: int, kind: int, copies: int = 1) -> State:
    if not copies or seat == NOBODY:
        return state
    nobles = nobles_of(state)
    used = list(nobles.used)
    used[seat] += bags.one(kind, copies)
    return replace(state, nobles=replace(nobles, used=(used[0], used[1]), deck=nobles.deck - copies))


def holder(state: State, token: str) -> State:
    """Who has the marker, used the nobles that score, closed; what does not score is not asked."""
    seat = SEATS.index(token) if token != q.NO_MARKER else NOBODY
    asked = state.frames[-1].question
    match asked:
        case "final_marker":
            state = replace(state, marker=seat)
        case "final_monumento":
            state = _used(state, seat, MONUMENTO)
        case "final_cappella":
            state = _used(state, seat, CAPPELLA)
        case "final_closer":
            state = replace(state, closer=seat)
    following = holders_asked(state)
    following = following[following.index(asked) + 1 :]
    if following:
        return replace(state, frames=(Frame(following[0]),))
    return finish(replace(state, ending=True, frames=()), COUNTED)


def holders_asked(state: State) -> list[str]:
    """Which of the questions after the towers matter."""
    asked = ["final_marker"]
    if state.nobles:
        asked += ["final_monumento", "final_cappella"]
    if state.deals and state.deals.penalty:
        asked.append("final_closer")
    return asked
