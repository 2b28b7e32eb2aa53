"""Nobles played as a turn, the Giostra against one, and the rest of storeys that it cancels (SG-9)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Domain, Figures, Label
from engines.kit import Objection, note
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import BOOK, check_hand, check_held, check_too_many, tower_figures
from engines.san_gimignano.building import find_laid, finish_laying
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.donazione import ALLOW, go_unguarded, threatens
from engines.san_gimignano.draws import draw_up_to
from engines.san_gimignano.hands import Hand
from engines.san_gimignano.state import DECKS_ONLY, Frame, State
from engines.san_gimignano.turns import ask_giostra, begins, offers, settle

# A noble as a turn (SG-9.3)


@offers
def offer_nobles(state: State, hand: Hand) -> Iterable[str]:
    return _find_playable(state, hand) if hand.noble_cards else ()


def _find_playable(state: State, hand: Hand) -> Iterable[str]:
    """Yield the nobles that may be the turn (SG-9.3, SG-9.4)."""
    if state.more_nobles(state.seat) < 1:
        return
    for name in c.NOBLES:
        kind = c.kind_of(name)
        if kind in (c.PIETRA, c.GIOSTRA) or not hand.nobles.most(kind) or (kind == c.VIA and state.ending):
            continue
        if kind == c.PALAZZO and hand.size < 3 and not overtopped(state):
            continue
        yield name


def overtopped(state: State) -> bool:
    """Return True if the opponent's highest tower is higher: a Palazzo is removed then (SG-9.10)."""
    return state.highest(1 - state.seat) > state.highest(state.seat)


def _read_noble(token: str) -> int | None:
    return c.kind_of(token) if token in c.NOBLES else None


BOOK.needs("noble.ending", "SG-9.12", ("via",), "action", lambda state: not state.ending)


@BOOK.check("noble.turn", "SG-9.3", "action")
def check_noble_turn(_: State, token: str) -> Objection | None:
    kind = _read_noble(token)
    return Objection({"noble": c.KINDS[kind]}) if kind in (c.PIETRA, c.GIOSTRA) else None


@BOOK.check("noble.one_more", "SG-9.4", "action")
def check_noble_one_more(state: State, token: str) -> Objection | None:
    return check_too_many(state, 1) if _read_noble(token) else None


@BOOK.check("palazzo.two_cards", "SG-9.10", "action")
def check_palazzo_two_cards(state: State, token: str) -> Objection | None:
    others = state.hand_size(state.seat) - 1
    if token != "palazzo" or others >= 2 or overtopped(state):
        return None
    return Objection({"cards": max(others, 0)})


@BOOK.check("noble.hand", "SG-11.1", "action", pieces=True)
def check_noble_hand(state: State, token: str) -> Objection | None:
    kind = _read_noble(token)
    return check_hand(state, bags.one(kind), c.KINDS[kind]) if kind else None


@begins(*c.NOBLES)
def begin_nobles(state: State, name: str) -> State:
    noble = bags.one(c.kind_of(name))
    state = state.use(state.seat, noble)
    return ask_giostra(state, state.seat, Frame("", put=noble)) or _do_noble(state, noble, opened=True)


def _do_noble(state: State, noble: Bag, *, opened: bool) -> State:
    """Do the effect of a noble that no Giostra cancels."""
    if noble == bags.one(c.VIA):
        n = state.hand_limit(state.seat) - state.hand_size(state.seat)
        return draw_up_to(state, n, opened=opened, sources=DECKS_ONLY)
    if noble == bags.one(c.PALAZZO):
        tokens = _list_returns(state) or [KEEP]
        if len(tokens) == 1:
            return effect_palazzo(state, tokens[0])
        return replace(state, frames=(Frame("palazzo", open=opened),))
    return settle(state)


# The two cards of a Palazzo (SG-9.10)

KEEP = "keep"
RETURNS = {"tt": (2, 0), "tn": (1, 1), "nn": (0, 2)}
"""Two cards under their decks: the numbers of tower cards and of nobles."""
BOOK.asks(Domain("palazzo", (*RETURNS, KEEP)), "palazzo")


def _list_returns(state: State) -> list[str]:
    """Return the pairs that the player of a Palazzo may put under their decks, and a legal KEEP."""
    return [pair for pair in RETURNS if _holds(state, pair)] + [KEEP] * overtopped(state)


def _holds(state: State, pair: str) -> bool:
    """Return True if the seat whose turn it is holds such a pair of cards."""
    return all(n <= held for n, held in zip(RETURNS[pair], state.backs(state.seat), strict=True))


@BOOK.check("palazzo.keep", "SG-9.10", "palazzo")
def check_palazzo_keep(state: State, token: str) -> Objection | None:
    theirs, mine = state.highest(1 - state.seat), state.highest(state.seat)
    return Objection({"theirs": theirs, "mine": mine}) if token == KEEP and theirs <= mine else None


@BOOK.check("palazzo.backs", "SG-9.10", "palazzo", pieces=True)
def check_palazzo_backs(state: State, token: str) -> Objection | None:
    if token == KEEP or _holds(state, token):
        return None
    towers, nobles = state.backs(state.seat)
    return Objection({"towers": towers, "nobles": nobles})


@BOOK.effect("palazzo")
def effect_palazzo(state: State, token: str) -> State:
    """Put two cards under their decks, or none if the noble is removed."""
    removed, (towers, nobles) = overtopped(state), RETURNS.get(token, (0, 0))
    for key, n in (("hands.under", towers), ("hands.nobles_under", nobles)):
        if n:
            note(Label(key, (("n", n),)))
    state = replace(state, frames=()).bury(state.seat, towers, nobles)
    return settle(state.remove(state.seat, bags.one(c.PALAZZO)) if removed else state)


@BOOK.fits("palazzo")
def fits_palazzo(state: State) -> bool:
    if state.nobles is None or not bags.count(state.nobles.used[state.seat], c.PALAZZO):
        return False
    return bool(_list_returns(state)) or bool(state.waived)


# A Giostra in answer (SG-9.8)

JOUST = "giostra"
BOOK.asks(Domain("giostra", (JOUST, ALLOW)), "giostra")


@BOOK.figures("giostra")
def figures_giostra(state: State) -> Figures:
    return (("noble", noble_of(state.frames[-1])),)


def noble_of(frame: Frame) -> str:
    """Return the name of the noble that a Giostra would cancel."""
    return c.names(frame.put & ~c.TOWER_CARDS)[0]


@BOOK.check("giostra.one_more", "SG-9.4", "giostra")
def check_giostra_one_more(state: State, token: str) -> Objection | None:
    return check_too_many(state, 1) if token == JOUST else None


@BOOK.check("giostra.hand", "SG-11.1", "giostra", pieces=True)
def check_giostra_hand(state: State, token: str) -> Objection | None:
    return check_held(state, c.GIOSTRA) if token == JOUST else None


@BOOK.effect("giostra")
def effect_giostra(state: State, token: str) -> State:
    """Do the noble's effect, or remove it and end its player's turn."""
    frame, below = state.frames[-1], state.frames[:-1]
    player = 1 - frame.seat
    state = replace(state, frames=below)
    if token == ALLOW:
        if below:  # a stone as a Guard
            return settle(replace(state, frames=()))
        if frame.tower:
            return finish_laying(state, frame.tower, frame.n, opened=False)
        return _do_noble(state, frame.put, opened=False)
    state = state.use(frame.seat, bags.one(c.GIOSTRA))
    if below:
        return go_unguarded(state.remove(player, bags.one(c.PIETRA)))
    if frame.tower is None:
        return settle(state.remove(player, frame.put))
    laid = _list_laid_stones(frame)
    if len(laid) > 1 and not frame.tower.plain:
        return replace(state, frames=(replace(frame, question="cancel", open=True),))
    return _cancel(state, frame, laid[0])


@BOOK.fits("giostra")
def fits_giostra(state: State) -> bool:
    frame = state.frames[-1]
    if len(state.frames) > 1:
        return _may_guard(state, *state.frames)
    return state.nobles is not None and frame.seat == 1 - state.seat and _is_answerable(state, frame)


def _may_guard(state: State, guard: Frame, asked: Frame) -> bool:
    """Return True if a Giostra can answer a stone used as a Guard."""
    nobles = state.nobles
    if guard.question != "guard" or asked.seat != 1 - guard.seat or nobles is None:
        return False
    if not nobles.pietra_guard or asked.tower or asked.put != bags.one(c.PIETRA):
        return False
    used = bags.count(nobles.used[guard.seat], c.PIETRA)
    stands = sum(len(tower.stones) for tower in state.towers[guard.seat])
    # One of the used stones must be the Guard, in no tower.
    return used > stands and threatens(state, guard)


def _is_answerable(state: State, frame: Frame) -> bool:
    """Return True if a Giostra can answer the used noble or the storeys with stones that the frame has."""
    nobles = frame.put & ~c.TOWER_CARDS
    if not nobles or not bags.within(nobles, state.advanced.used[state.seat]):
        return False
    if frame.tower is None:
        lone_stone = bags.count(frame.put, c.PIETRA) and not state.waived
        return bags.total(frame.put) == 1 and not lone_stone
    return _stands(state, frame, 1)


# The stone to cancel, if there are several in a run


def _list_laid_stones(frame: Frame) -> tuple[int, ...]:
    """Return the ranks of the stones that this step laid on ``frame.tower``."""
    tower = frame.tower
    assert tower
    if tower.plain:
        return (tower.low,) * bags.count(frame.put, c.PIETRA)
    return tuple(rank for rank in tower.stones if rank < tower.low + frame.n)


BOOK.asks(
    lambda state: Domain(
        "stones", tuple(c.write_stones([rank]) for rank in _list_laid_stones(state.frames[-1]))
    ),
    "cancel",
)
BOOK.figures("cancel", "remains")(tower_figures)


@BOOK.effect("cancel")
def effect_cancel(state: State, token: str) -> State:
    return _cancel(state, state.frames[-1], c.read_stones(token)[0])


def _cancel(state: State, frame: Frame, rank: int) -> State:
    rest, stone = _drop_stone(frame, rank), bags.one(c.PIETRA)
    if rest:
        state = _lower(state, frame, rest.tower).remove(state.seat, stone)
        return replace(state, frames=(rest,))
    return settle(_take_back(state, frame, frame.put - stone).remove(state.seat, stone))


@BOOK.fits("cancel")
def fits_cancel(state: State) -> bool:
    frame = state.frames[-1]
    asked = state.nobles is not None and frame.seat == 1 - state.seat
    return asked and _is_answerable(state, frame) and len(_list_laid_stones(frame)) > 1


# The rest of storeys laid with a stone that a Giostra cancelled (SG-9.5)

GO, BACK = "go", "back"
BOOK.asks(
    Domain("remains", (GO, BACK)),
    "remains",
    fits=lambda state: state.nobles is not None and _stands(state, state.frames[-1], 0),
)


@BOOK.effect("remains")
def effect_remains(state: State, token: str) -> State:
    """Go on with the Build or Extend with the other cards, or put all of them back into the hand."""
    frame, tower = state.frames[-1], state.tower
    if token == GO:
        return finish_laying(replace(state, frames=()), tower, frame.n, opened=True)
    return settle(_take_back(state, frame, frame.put))


def _drop_stone(frame: Frame, rank: int) -> Frame | None:
    """Return the frame of ``remains`` for the laid cards without one stone, None if they are no Build or
    Extend of that kind any more.
    """
    tower, n = frame.tower, frame.n - 1
    assert tower
    new, height = n + 1 == tower.height, tower.height - 1
    if tower.plain:
        rest = c.plain(tower.low, height, tower.complete, len(tower.stones) - 1)
    else:
        others = tuple(stone for stone in tower.stones if stone != rank)
        if rank == tower.low:
            rest = c.run(tower.low + 1, tower.high, tower.complete, others)
        elif new and rank == tower.high:
            rest = c.run(tower.low, tower.high - 1, tower.complete, others)
        else:
            return None
    stands = rest.height >= c.LEAST_STOREYS and len(rest.stones) < rest.height and n > 0
    return Frame("remains", n, frame.put - bags.one(c.PIETRA), rest, open=False) if stands else None


def _find_before(frame: Frame) -> Tower | None:
    """Return the tower as it stood before the storeys in ``frame`` were laid, None for a Build."""
    tower, n = frame.tower, frame.n
    assert tower
    if n == tower.height:
        return None
    if tower.plain:
        stones = len(tower.stones) - bags.count(frame.put, c.PIETRA)
        return c.plain(tower.low, tower.height - n, tower.complete, stones)
    low = tower.low + n
    return c.run(low, tower.high, tower.complete, [stone for stone in tower.stones if stone >= low])


def _lower(state: State, frame: Frame, left: Tower | None) -> State:
    """Replace the tower of a frame by the part ``left`` of it, or take it down."""
    tower, seat = frame.tower, state.seat
    assert tower
    lower = (("lower", left.figure),) if left else ()
    key = "hands.lower" if left else "hands.down"
    note(Label(key, (("tower", tower.figure), ("seat", seat), *lower)))
    return replace(state, frames=()).change_towers(seat, tower, left)


def _take_back(state: State, frame: Frame, laid: Bag) -> State:
    """Restore the tower as it was before, and put cards that were laid back into the hand."""
    state = _lower(state, frame, _find_before(frame))
    if laid:
        note(Label("hands.back", (("seat", state.seat), ("cards", c.figure(laid)))))
    pietre = bags.one(c.PIETRA, bags.count(laid, c.PIETRA))
    return state.using(state.seat, -pietre).gain(state.seat, laid)


def _stands(state: State, frame: Frame, least: int) -> bool:
    """Return True if the frame's last ``n`` storeys stand, ``put`` are their cards, ``least`` stones or more
    among them.
    """
    tower, n = frame.tower, frame.n
    if tower is None or tower not in state.towers[state.seat]:
        return False
    if n != tower.height and not 0 < n <= tower.height - c.LEAST_STOREYS:
        return False
    stones = len(_list_laid_stones(frame))
    if not least <= stones <= min(n, len(tower.stones)):
        return False
    return frame.put == find_laid(_find_before(frame), tower)
