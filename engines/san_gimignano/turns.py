"""Deals and turns, from the first market to the end (SG-1.2, SG-2, SG-3.4, SG-3.13, SG-6, SG-7.2, SG-10).

A turn's actions belong to the chapters: each lists its own (:func:`offers`) and begins them (:func:`begins`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Domain, Figures, Label, Level, Picker
from engines.kit import Objection, note, question
from engines.san_gimignano import state as s
from engines.san_gimignano.book import BOOK, either
from engines.san_gimignano.cards import CARDS, GIOSTRA, HIGH, NOBLES, RANK_NAMES, card, lane, read_owned
from engines.san_gimignano.hands import Hand, HeldPool
from engines.san_gimignano.scoring import points, table
from engines.san_gimignano.state import Deals, Frame, Nobles, State

# The turn

PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS = "P", "X", "B", "E", "C", "close", "pass"
BOOK.asks(
    either(
        Domain("action", (PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS)),
        Domain("action", (PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, *NOBLES, PASS)),
    ),
    "action",
)

Offers = Callable[[State, Hand], Iterable[str]]
Begins = Callable[[State, str], State]
_OFFERS: list[Offers] = []
_BEGINS: dict[str, Begins] = {}


def offers(function: Offers) -> Offers:
    """Register the decorated function as a chapter's part of the list of actions, which it stands next in."""
    _OFFERS.append(function)
    return function


def begins(*tokens: str) -> Callable[[Begins], Begins]:
    """Register the decorated function as what these actions do."""

    def registered(function: Begins) -> Begins:
        _BEGINS.update(dict.fromkeys(tokens, function))
        return function

    return registered


@BOOK.lists("action")
def list_action(state: State) -> list[Choice]:
    hand = state.hand_of(state.seat)
    tokens: list[str] = []
    for offered in _OFFERS:
        tokens += offered(state, hand)
    tokens.append(PASS)
    return BOOK.listed("action", tokens)


@BOOK.check("action.ending", "SG-6.2", "action")
def check_action_ending(state: State, token: str) -> Objection | None:
    closed = (PURCHASE, EXCHANGE, COMPLETE, CLOSE)
    return Objection() if state.ending and token in closed else None


@BOOK.effect("action")
def effect_action(state: State, token: str) -> State:
    return _BEGINS[token](state, token)


@begins(PASS)
def begin_pass(state: State, _: str) -> State:
    if state.passes:
        return finish(replace(state, passes=2), s.DOUBLE_PASS)
    note(Label("hands.passed", (("seat", 1 - state.seat),)))
    return replace(state, passes=1, seat=1 - state.seat)


@BOOK.method
def gives_up(state: State, choice: Choice) -> Label | None:
    """Name what the choice gives up: a turn, what is left of the deal, or both decks."""
    if choice.question != "action" or choice.token not in (PASS, CLOSE):
        return None
    what = "decks" if choice.token == CLOSE else "deal" if state.passes else "turn"
    return Label(f"gives_up.{what}")


_ACTIONS = {PURCHASE: 0, BUILD: 1}


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit.

    Who cannot purchase builds; of plain towers the highest rank comes first; the other player's towers come
    before one's own. All choices of another question are alike.
    """
    asked, token = choice.question, choice.token
    if asked == "action":
        return _ACTIONS.get(token, len(_ACTIONS))
    if asked == "build":
        return HIGH - int(token) if token.isdecimal() else HIGH
    owned = read_owned(token) if asked == "target" else None
    return int(owned is not None and owned[0] == state.seat)


def settle(state: State) -> State:
    """Do what follows once an action's cards are drawn: refill, ending phase, the other's turn.

    SG-3.4, SG-6.3; dealing the first market (SG-1.2) is the same refill.
    """
    if not state.ending and not state.market and state.deck:
        n = min(s.MARKET, state.deck)
        note(Label("hands.refill", (("n", n),)))
        state = _turn_up(state, n, opened=False)
        if state.frames:
            return state
    ending = state.ending or state.deck == 0
    return replace(state, seat=1 - state.seat, passes=0, frames=(), ending=ending)


def ask_giostra(state: State, player: int, played: Frame) -> State | None:
    """Ask the opponent for a Giostra, if by what everybody saw that hand may hold it (SG-9.8).

    ``played`` remembers what a Giostra would cancel; :mod:`engines.san_gimignano.nobles` has the question.
    """
    if not state.noble_reach(1 - player).most(GIOSTRA):
        return None
    asked = replace(played, question="giostra", seat=1 - player, open=False)
    return replace(state, frames=(*state.frames, asked))


# The market is filled

BOOK.asks(
    Domain("rank", RANK_NAMES, Picker.WHEEL),
    "market",
    report=True,
    figures=lambda state: (("n", state.frames[-1].n), ("seat", state.frames[-1].seat), ("rank", 0)),
)


def _turn_up(state: State, n: int, *, opened: bool) -> State:
    """Turn ``n`` cards up into the market; those not known are asked for one by one."""
    while n:
        if state.top:
            state = replace(state, market=state.market + card(state.top[0]), top=state.top[1:])
        elif state.middle or state.bottom[0] == s.HIDDEN:
            return replace(state, frames=(Frame("market", n, open=opened),))
        else:
            state = replace(state, market=state.market + card(state.bottom[0]), bottom=state.bottom[1:])
        n -= 1
    return replace(state, frames=())


@BOOK.lists("market")
def list_market(state: State) -> list[Choice]:
    return BOOK.listed("market", [RANK_NAMES[kind] for kind, _ in bags.items(state.unseen())])


@BOOK.check("market.unseen", "SG-11.1", "market", pieces=True)
def check_market_unseen(state: State, token: str) -> Objection | None:
    if bags.count(state.unseen(), lane(int(token))):
        return None
    return Objection({"rank": token}, (("unseen", int(token)),))


@BOOK.effect("market")
def effect_market(state: State, token: str) -> State:
    n = state.frames[-1].n - 1
    if state.middle:
        state = replace(state, middle=state.middle - 1)
    else:
        state = replace(state, bottom=state.bottom[1:])
    state = _turn_up(replace(state, market=state.market + card(int(token))), n, opened=True)
    return state if state.frames else settle(state)


@BOOK.fits("market")
def fits_market(state: State) -> bool:
    left = s.MARKET - bags.total(state.market)
    hidden = state.middle > 0 or state.bottom[:1] == (s.HIDDEN,)
    return not state.top and 0 < state.frames[-1].n <= min(left, state.deck) and hidden


@BOOK.method
def seen(state: State) -> str:
    """Name the card of the first deal's deck a report is about: by how many lie under it since the deal.

    Empty for anything but such a card; what a Palazzo put under the deck may be another card the next time,
    and for a later deal, which people may have gone back before, the cards are shuffled anew.
    """
    number = state.deals.number if state.deals else 1
    if question(state) != "market" or not state.middle or number > 1:
        return ""
    return f"{number}/{state.middle}"


# One deal after the other

DEAL = "deal"
BOOK.asks(Domain("deal", (DEAL,)), "deal", report=True)


@BOOK.figures("deal")
def figures_deal(state: State) -> Figures:
    assert state.deals
    first, second = points(state)
    following = (("n", state.deals.number + 1), ("seat", 1 - state.deals.dealer))
    return (*following, ("points_a", first), ("points_b", second))


@BOOK.effect("deal")
def effect_deal(state: State, _: str) -> State:
    """Let the other player deal; what the last deal brought is kept (SG-10.2)."""
    assert state.deals
    dealer = 1 - state.deals.dealer
    deals = replace(state.deals, dealer=dealer, past=(*state.deals.past, table(state)))
    nobles = Nobles(pietra_guard=state.nobles.pietra_guard) if state.nobles else None
    fresh = deal(state.level, state.must_donate, dealer, nobles, deals)
    return replace(fresh, adjusted=state.adjusted, waived=state.waived)


def deal(level: Level, must_donate: bool, dealer: int, nobles: Nobles | None, deals: Deals | None) -> State:
    """Begin a deal with its first market to be reported, or a final layout to be set (SG-1.2, SG-1.3)."""
    state = State(level=level, must_donate=must_donate, seat=dealer, nobles=nobles, deals=deals)
    if level is not Level.SCORE:
        return settle(state)
    final = Frame("final", seat=0, open=False)
    return replace(state, seat=1 - dealer, hands=(HeldPool(), HeldPool()), middle=CARDS, frames=(final,))


def finish(state: State, how: str) -> State:
    """End a deal: the match is over, or the table is asked for the next deal (SG-10.1)."""
    deals = state.deals
    if deals is None:
        return replace(state, termination=how)
    if deals.count:
        over = s.DEALS_PLAYED if deals.number >= deals.count else ""
    else:
        over = s.TARGET_REACHED if max(points(state)) >= deals.target else ""
    if over:
        return replace(state, termination=over)
    note(Label("hands.deal", (("seat", 1 - deals.dealer), ("n", s.DEALT))))
    return replace(state, frames=(Frame("deal", open=False),))
