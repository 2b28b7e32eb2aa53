"""Set-up, deals and turns, from the start to the end (SG-1, SG-2, SG-3.4, SG-3.13, SG-6, SG-7.2, SG-10).

Each chapter lists the actions that it adds to a turn (:func:`offers`). :data:`ASKING` has the question of an
action; one without a question is begun by its chapter (:func:`begins`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Domain, Figures, Label, Level, Picker, Setup
from engines.kit import Objection, note, opening, question
from engines.san_gimignano import position
from engines.san_gimignano import state as s
from engines.san_gimignano.book import BOOK, either
from engines.san_gimignano.cards import CARDS, GIOSTRA, HIGH, NOBLES, RANK_NAMES, card, lane, read_owned
from engines.san_gimignano.hands import Hand, HeldPool
from engines.san_gimignano.scoring import points, table
from engines.san_gimignano.state import Deals, Frame, Nobles, State

# Set-up


@BOOK.method
def start(setup: Setup) -> State:
    """Return the deal of SG-1.2 with the first market still to be reported, or the setup's position."""
    chosen, state = opening(
        "San Gimignano", "SG-1.1", setup, position.read, seats=(2,), options=s.OPTIONS, there=position.options
    )
    if state:
        return state
    nobles, deals_chosen = None, chosen["deals"]
    if chosen["nobles"] == "yes":
        nobles = Nobles(pietra_guard=chosen["pietra_guard"] == "yes")
    several = None
    if deals_chosen != "1":
        up_to = deals_chosen == "target"
        count, target = (0, int(chosen["target"])) if up_to else (int(deals_chosen), 0)
        several = Deals(count, target, chosen["closer_penalty"] == "yes", 1 - setup.start)
    return deal(setup.level, chosen["donazione"] == "must", 1 - setup.start, nobles, several)


# The turn

PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS = "P", "X", "B", "E", "C", "close", "pass"
BOOK.asks(
    either(
        Domain("action", (PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS)),
        Domain("action", (PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, *NOBLES, PASS)),
    ),
    "action",
)

ASKING = {EXCHANGE: "put", BUILD: "build", EXTEND: "extend", COMPLETE: "complete"}
"""The first question of an action."""

Offers = Callable[[State, Hand], Iterable[str]]
Begins = Callable[[State, str], State]
_OFFERS: list[Offers] = []
_BEGINS: dict[str, Begins] = {}


def offers(function: Offers) -> Offers:
    """Register the decorated function for a chapter's part of the list of actions, behind earlier parts."""
    _OFFERS.append(function)
    return function


def begins(*tokens: str) -> Callable[[Begins], Begins]:
    """Register the decorated function as the effect of these actions."""

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


BOOK.needs(
    *("action.ending", "SG-6.2", (PURCHASE, EXCHANGE, COMPLETE, CLOSE), "action"),
    lambda state: not state.ending,
)


@BOOK.effect("action")
def effect_action(state: State, token: str) -> State:
    if token in ASKING:
        return replace(state, frames=(Frame(ASKING[token]),))
    return _BEGINS[token](state, token)


@begins(PASS)
def begin_pass(state: State, _: str) -> State:
    if state.passes:
        return finish(replace(state, passes=2), s.DOUBLE_PASS)
    note(Label("hands.passed", (("seat", 1 - state.seat),)))
    return replace(state, passes=1, seat=1 - state.seat)


@BOOK.method
def gives_up(state: State, choice: Choice) -> Label | None:
    """Ask before a choice that gives up a turn, the rest of the deal, or both decks."""
    if choice.question != "action" or choice.token not in (PASS, CLOSE):
        return None
    what = "decks" if choice.token == CLOSE else "deal" if state.passes else "turn"
    return Label(f"gives_up.{what}")


_ACTIONS = {PURCHASE: 0, BUILD: 1}


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit.

    A player who cannot purchase builds; plain towers of high ranks come first; the other player's towers come
    before one's own. All answers to another question have the same rank.
    """
    asked, token = choice.question, choice.token
    if asked == "action":
        return _ACTIONS.get(token, len(_ACTIONS))
    if asked == "build":
        return HIGH - int(token) if token.isdecimal() else HIGH
    owned = read_owned(token) if asked == "target" else None
    return int(owned is not None and owned[0] == state.seat)


def settle(state: State) -> State:
    """Return the state after an action's last draw: refill, ending phase, the other's turn (SG-3.4, SG-6.3).

    The first market of a deal (SG-1.2) is the same refill.
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
    """Ask the opponent of ``player`` for a Giostra; return None if that hand cannot hold one (SG-9.8).

    ``played`` remembers the noble or storeys to cancel; :mod:`engines.san_gimignano.nobles` has the question.
    """
    if not state.advanced.within_reach(1 - player, state.unseen_nobles()).most(GIOSTRA):
        return None
    asked = replace(played, question="giostra", seat=1 - player, open=False)
    return replace(state, frames=(*state.frames, asked))


# Filling the market

BOOK.asks(
    Domain("rank", RANK_NAMES, Picker.WHEEL),
    "market",
    report=True,
    figures=lambda state: (("n", state.frames[-1].n), ("seat", state.frames[-1].seat), ("rank", 0)),
)


def _turn_up(state: State, n: int, *, opened: bool) -> State:
    """Turn ``n`` cards up into the market; ask for unknown ones, one by one."""
    while n:
        if state.next_rank == s.HIDDEN:
            return replace(state, frames=(Frame("market", n, open=opened),))
        state = replace(state.off_deck(), market=state.market + card(state.next_rank))
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
    state = replace(state.off_deck(), market=state.market + card(int(token)))
    state = _turn_up(state, n, opened=True)
    return state if state.frames else settle(state)


@BOOK.fits("market")
def fits_market(state: State) -> bool:
    most = min(s.MARKET - bags.total(state.market), state.deck)
    return 0 < state.frames[-1].n <= most and state.next_rank == s.HIDDEN


@BOOK.method
def seen(state: State) -> str:
    """Name a card of the first deal's deck by the number of cards that lie under it since the deal.

    The name is empty for anything else: the card that a Palazzo puts under the deck may be another one the
    next time, and people may go back before a later deal, for which they shuffle anew.
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
    """Keep the score of the last deal; the other player deals (SG-10.2)."""
    assert state.deals
    dealer = 1 - state.deals.dealer
    deals = replace(state.deals, dealer=dealer, past=(*state.deals.past, table(state)))
    nobles = Nobles(pietra_guard=state.nobles.pietra_guard) if state.nobles else None
    fresh = deal(state.level, state.must_donate, dealer, nobles, deals)
    return replace(fresh, adjusted=state.adjusted, waived=state.waived)


def deal(level: Level, must_donate: bool, dealer: int, nobles: Nobles | None, deals: Deals | None) -> State:
    """Begin a deal: ask for its first market, or for a final layout (SG-1.2, SG-1.3)."""
    state = State(level=level, must_donate=must_donate, seat=dealer, nobles=nobles, deals=deals)
    if level is not Level.SCORE:
        return settle(state)
    final = Frame("final", seat=0, open=False)
    return replace(state, seat=1 - dealer, hands=(HeldPool(), HeldPool()), middle=CARDS, frames=(final,))


def finish(state: State, how: str) -> State:
    """End a deal and the match, or ask the table for the next deal (SG-10.1)."""
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
