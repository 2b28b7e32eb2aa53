"""Donazione, the effect of a plain tower: Income, Trade and Conspiracy, and the Guard against them (SG-5)."""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.contract import Domain, Figures, Label, Picker
from engines.kit import Objection, note, of_frame, question
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import BOOK, check_held, check_too_many, tower_figures
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.draws import draw_up_to
from engines.san_gimignano.state import NOBODY, Frame, State
from engines.san_gimignano.turns import ask_giostra, settle

# Using or declining it (SG-5.1)

USE, DECLINE = "use", "decline"
BOOK.asks(Domain("donazione", (USE, DECLINE)), "donazione", fits=lambda state: _stands_from(state, 8))


@BOOK.figures("donazione")
def figures_donazione(state: State) -> Figures:
    """Tell the effect of the donazione; the variant is 0 if a 10 has several targets."""
    tower = state.tower
    if tower.low != 10:
        drawn, back = trades(state, tower.height) if tower.low == 9 else (tower.height, 0)
        return (*tower_figures(state), ("variant", tower.low), ("n", drawn), ("back", back))
    found = targets(state, tower)
    if len(found) != 1:
        return (*tower_figures(state), ("variant", 0))
    return (*tower_figures(state), ("variant", 10), ("target", found[0][1].shape))


def donate(state: State, tower: Tower) -> State:
    """Ask the builder of a new tower about its donazione, or do it if it must be used."""
    gives = tower.plain and tower.low >= 8 and not state.ending
    if not gives:
        return settle(state)
    if tower.low == 10 and not targets(state, tower):
        note(Label("hands.no_target"))
        return settle(state)
    if state.must_donate:
        return _donate(state, tower, opened=False)
    return replace(state, frames=(Frame("donazione", tower.height, tower=tower, open=False),))


@BOOK.effect("donazione")
def effect_donazione(state: State, token: str) -> State:
    tower = state.tower
    state = replace(state, frames=())
    return _donate(state, tower, opened=True) if token == USE else settle(state)


def _donate(state: State, tower: Tower, *, opened: bool) -> State:
    if tower.low == 8:  # SG-5.5
        return draw_up_to(state, tower.height, opened=opened)
    if tower.low == 9:  # SG-5.6
        other = 1 - state.seat
        if may_guard(state, other):
            return replace(state, frames=(Frame("guard", tower.height, seat=other, open=False),))
        traded = _do_trade(state, tower.height, opened=opened)
        if not opened:
            _note_trade(state, tower.height, traded)
        return traded
    others = targets(state, tower)  # SG-5.7
    if len(others) == 1:
        return _threaten(state, *others[0])
    return replace(state, frames=(Frame("target", tower=tower, open=opened),))


def _note_trade(before: State, built: int, after: State) -> None:
    """Note a Trade without a choice, or its draw alone if the table is asked which cards go back."""
    drawn, back = trades(before, built)
    figures: Figures = (("seat", before.seat), ("other", 1 - before.seat), ("n", drawn))
    if not after.frames:
        note(Label("hands.trade", (*figures, ("back", back))))
    elif question(after) == "returned":
        note(Label("hands.drawn", figures))


def _stands_from(state: State, rank: int) -> bool:
    tower = state.frames[-1].tower
    owner = BOOK.asked(state)
    return tower is not None and tower in state.towers[owner] and tower.plain and tower.low >= rank


# The target of a 10 (SG-5.7)


def _make_tower_domain(state: State) -> Domain:
    """Return the domain of all standing towers."""
    sides = enumerate(state.towers)
    return Domain(
        "target", tuple(dict.fromkeys(c.write_owned(owner, t) for owner, side in sides for t in side))
    )


BOOK.asks(_make_tower_domain, "target", fits=lambda state: _stands_from(state, 10))


def targets(state: State, built: Tower) -> list[tuple[int, Tower]]:
    """Return the towers that a 10 may destroy, each once behind its owner, owner 0's first (SG-5.7)."""
    found = [
        (owner, tower)
        for owner, tower in state.others(built)
        if tower.height <= built.height and not tower.complete and not _has_contract(tower)
    ]
    highest = max((tower.height for _, tower in found), default=0)
    return list(dict.fromkeys(one for one in found if one[1].height == highest))


def _has_contract(tower: Tower) -> bool:
    """Return True for a plain 6, which no 10 destroys (SG-5.3)."""
    return tower.plain and tower.low == 6


def _read_target(token: str) -> tuple[int, Tower]:
    named = c.read_owned(token)
    assert named
    return named


@BOOK.check("target.complete", "SG-5.7", "target")
def check_target_complete(_: State, token: str) -> Objection | None:
    tower = _read_target(token)[1]
    return Objection({"tower": tower.figure}) if tower.complete else None


@BOOK.check("target.contract", "SG-5.3", "target")
def check_target_contract(_: State, token: str) -> Objection | None:
    tower = _read_target(token)[1]
    return Objection({"tower": tower.figure}) if _has_contract(tower) else None


@BOOK.check("target.itself", "SG-5.7", "target")
def check_target_itself(state: State, token: str) -> Objection | None:
    owner, tower = _read_target(token)
    built = state.tower
    alike = owner == state.seat and tower == built
    return Objection({"tower": tower.figure}) if alike and state.towers[owner].count(built) == 1 else None


@BOOK.check("target.height", "SG-5.7", "target")
def check_target_height(state: State, token: str) -> Objection | None:
    _, tower = _read_target(token)
    if tower.height <= state.tower.height:
        return None
    return Objection({"tower": tower.figure, "height": tower.height, "built": state.tower.height})


@BOOK.check("target.highest", "SG-5.7", "target")
def check_target_highest(state: State, token: str) -> Objection | None:
    named, found = _read_target(token), targets(state, state.tower)
    if named in found:
        return None
    return Objection({"tower": named[1].figure, "highest": found[0][1].height})


@BOOK.effect("target")
def effect_target(state: State, token: str) -> State:
    return _threaten(replace(state, frames=()), *_read_target(token))


def _threaten(state: State, owner: int, tower: Tower) -> State:
    if may_guard(state, owner):
        return replace(state, frames=(Frame("guard", tower=tower, seat=owner, open=False),))
    return _destroy(state, owner, tower)


def _destroy(state: State, owner: int, tower: Tower) -> State:
    """Take the tower down and put its cards onto the deck (SG-5.8, SG-9.12)."""
    cards = tuple(c.ranks(tower.bag))
    note(("onto", cards))
    note(Label("hands.destroyed", (("tower", tower.figure), ("seat", owner))))
    if tower.stones:
        note(Label("hands.stones_stay", (("seat", owner), ("n", len(tower.stones)))))
    state = state.change_towers(owner, tower, None)
    return settle(replace(state, top=(*cards, *state.top)))


# A Guard against a 9 or a 10 (SG-5.2)

GUARD, STONE, ALLOW = "guard", "pietra", "allow"
_ANSWERS, _ANSWERS_9 = Domain("guard", (GUARD, ALLOW)), Domain("guard", (GUARD, STONE, ALLOW))
BOOK.asks(
    lambda state: _ANSWERS_9 if state.nobles and state.nobles.pietra_guard else _ANSWERS,
    "guard",
    fits=lambda state: state.frames[-1].seat != NOBODY and threatens(state, state.frames[-1]),
)


@BOOK.figures("guard")
def figures_guard(state: State) -> Figures:
    tower = state.frames[-1].tower
    return (("variant", 10), ("tower", tower.shape)) if tower else (("variant", 9),)


def may_guard(state: State, seat: int) -> bool:
    """Return True if ``seat`` is asked for a Guard: everybody's knowledge counts, not its hand (SG-5.2)."""
    hand = state.hand_of(seat)
    stone = state.nobles is not None and state.nobles.pietra_guard and hand.stones > 0
    return stone or hand.towers.most(c.lane(c.LOW)) > 0


@BOOK.check("guard.hand", "SG-11.1", "guard", pieces=True)
def check_guard_hand(state: State, token: str) -> Objection | None:
    return check_held(state, c.lane(c.LOW)) if token == GUARD else None


@BOOK.check("guard.one_more", "SG-9.4", "guard")
def check_guard_one_more(state: State, token: str) -> Objection | None:
    return check_too_many(state, 1) if token == STONE else None


@BOOK.check("guard.stone", "SG-11.1", "guard", pieces=True)
def check_guard_stone(state: State, token: str) -> Objection | None:
    return check_held(state, c.PIETRA) if token == STONE else None


@BOOK.effect("guard")
def effect_guard(state: State, token: str) -> State:
    frame = state.frames[-1]
    if token == GUARD:
        state = state.show(frame.seat, c.card(c.LOW))
        note(("under", c.LOW))
        note(Label("hands.guard_under"))
        return settle(replace(state, bottom=(*state.bottom, c.LOW)))
    if token == STONE:
        state = state.use(frame.seat, bags.one(c.PIETRA))
        return ask_giostra(state, frame.seat, Frame("", put=bags.one(c.PIETRA))) or settle(state)
    return go_unguarded(state)


def go_unguarded(state: State) -> State:
    """Do the effect that nobody guards against: a destruction, or a Trade."""
    frame = state.frames[-1]
    state = replace(state, frames=())
    if frame.tower:
        return _destroy(state, frame.seat, frame.tower)
    return _do_trade(state, frame.n, opened=False)


def threatens(state: State, guard: Frame) -> bool:
    """Return True if the effect to guard against is possible."""
    if guard.tower:
        return guard.tower in state.towers[guard.seat]
    return guard.seat != state.seat and guard.n >= c.LEAST_STOREYS


# Trade (SG-5.6): everybody sees the backs of the cards; the table is asked for them if there is a choice

BOOK.asks(
    Domain("count", tuple(f"n{n}" for n in range(c.HIGH + 1)), Picker.WHEEL),
    "traded",
    "returned",
    figures=of_frame(n="n"),
)


def _count_nobles(state: State) -> range:
    """Return the possible numbers of nobles among the ``n`` cards that a Trade moves now (SG-5.6, SG-9.2)."""
    frame = state.frames[-1]
    towers, nobles = state.backs(_find_giver(state))
    return range(max(0, frame.n - towers), min(frame.n, nobles) + 1)


def _find_giver(state: State) -> int:
    """Return the seat whose cards move now."""
    return state.seat if state.frames[-1].question == "returned" else 1 - state.seat


def _tell_backs(state: State, _: str) -> dict[str, int | str]:
    towers, nobles = state.backs(_find_giver(state))
    return {"n": state.frames[-1].n, "towers": towers, "nobles": nobles, "seat": _find_giver(state)}


@BOOK.offers("trade.backs", "SG-9.2", "traded", "returned", told=_tell_backs)
def offer_nobles_passed(state: State) -> list[str]:
    return [f"n{n}" for n in _count_nobles(state)]


def trades(state: State, built: int) -> tuple[int, int]:
    """Return the numbers of cards that a Trade of a 9 so high draws now and gives back (SG-5.6)."""
    drawn = min(built, state.hand_size(1 - state.seat))
    return drawn, min(built - 1, state.hand_size(state.seat) + drawn)


def _do_trade(state: State, built: int, *, opened: bool) -> State:
    drawn, _ = trades(state, built)
    state = replace(state, frames=(Frame("traded", drawn, tower=c.plain(9, built), open=opened),))
    counts = _count_nobles(state)
    return _draw_traded(state, counts[0], opened=opened) if len(counts) == 1 else state


@BOOK.effect("traded")
def effect_traded(state: State, token: str) -> State:
    return _draw_traded(state, int(token[1:]), opened=True)


def _draw_traded(state: State, nobles: int, *, opened: bool) -> State:
    n, tower = state.frames[-1].n, state.tower
    state = state.pass_unseen(1 - state.seat, n - nobles, nobles)
    return _give_back(replace(state, frames=()), tower, opened=opened)


def _give_back(state: State, tower: Tower, *, opened: bool) -> State:
    back = min(tower.height - 1, state.hand_size(state.seat))
    state = replace(state, frames=(Frame("returned", back, tower=tower, open=opened),))
    counts = _count_nobles(state)
    return effect_returned(state, f"n{counts[0]}") if len(counts) == 1 else state


@BOOK.effect("returned")
def effect_returned(state: State, token: str) -> State:
    nobles, n = int(token[1:]), state.frames[-1].n
    return settle(replace(state.pass_unseen(state.seat, n - nobles, nobles), frames=()))


@BOOK.fits("traded", "returned")
def fits_traded_returned(state: State) -> bool:
    frame = state.frames[-1]
    traded = state.nobles is not None and frame.tower is not None
    return traded and frame.n >= 0 and len(_count_nobles(state)) > 0
