"""The rulebook that the chapters register in, and the code that several of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Domain, Figures, Key
from engines.kit import Objection, Rulebook
from engines.san_gimignano import cards as c
from engines.san_gimignano import state as s
from engines.san_gimignano.hands import Hand, Reach
from engines.san_gimignano.state import State


class Book(Rulebook[State]):
    """The rulebook, and the seat that is asked."""

    def asked(self, state: State) -> int:
        """Return the seat that may answer the other's noble or effect, or else the seat whose turn it is."""
        frame = state.frames[-1] if state.frames else None
        return frame.seat if frame and frame.seat >= 0 else state.seat

    def knowing_less(self, state: State) -> Iterator[State]:
        """Yield the state; then with nothing known of the hands; then nor of the deck's bottom."""
        yield state
        hidden = state.forgotten()
        if state.nobles:
            hidden = replace(hidden, nobles=state.nobles.forgotten())
        yield hidden
        yield replace(hidden, bottom=(s.HIDDEN,) * len(state.bottom))

    def fact(self, state: State, key: Key) -> int:
        """Return the unseen copies, ``("unseen", rank)`` (nobles from 11 on), or the cards of ``("hand",
        seat)``.
        """
        name, number = key
        if name == "unseen":
            left = state.unseen() if number <= c.HIGH else state.unseen_nobles()
            return bags.count(left, number - c.LOW)
        if name == "hand":
            return state.hand_size(number)
        raise KeyError(f"no fact {name!r}; seats are {SEATS[:2]}")


BOOK = Book(
    ended={
        s.DOUBLE_PASS: "SG-2.2",
        s.COUNTED: "SG-7.2",
        s.DEALS_PLAYED: "SG-10.1",
        s.TARGET_REACHED: "SG-10.1",
    }
)


# Code that the chapters share


def either(basic: Domain, advanced: Domain) -> Callable[[State], Domain]:
    """Return the domain of a question that has more answers in the advanced game."""
    return lambda state: advanced if state.nobles is not None else basic


def hand_asked(state: State) -> Hand:
    """Return the cards that the hand of the asked seat may hold."""
    return state.hand_of(BOOK.asked(state))


def tower_figures(state: State) -> Figures:
    """Return the tower in question, short enough for a prompt, and its rank."""
    tower = state.tower
    return (("tower", tower.shape), ("rank", tower.low))


def kinds_of(state: State) -> range:
    """Return every kind of card in the game."""
    return range(len(c.KINDS)) if state.nobles else range(len(c.RANKS))


def number_of(kind: int) -> int:
    """Return a kind's number in the name of a fact: a tower card's rank, for nobles 11 or more."""
    return kind + c.LOW


def check_hand(state: State, need: Bag, asked: str = "") -> Objection | None:
    """Refuse ``need`` if the hand of the seat whose turn it is cannot hold it (SG-11.1)."""
    hand, towers, asked = state.hand_of(state.seat), need & c.TOWER_CARDS, asked or c.figure(need)
    return _refuse_beyond(state, hand.towers, towers, asked, "towers") or (
        _refuse_beyond(state, hand.nobles, need - towers, asked, "nobles")
    )


def _refuse_beyond(state: State, hand: Reach, need: Bag, asked: str, back: str) -> Objection | None:
    """Refuse cards of one ``back`` that the hand cannot hold, with the nearest reason.

    They are too many for the hand; everybody saw the whole hand; it cannot hold so many copies of some kind;
    or not all of them together.
    """
    if hand.may_hold(need):
        return None
    for kind, copies in bags.items(need):
        if copies > (exist := bags.count(c.MANIFEST + c.NOBLE_MANIFEST, kind)):
            return Objection({"variant": f"{back}_exist", "cards": exist, "ranks": c.KINDS[kind]})
    short = [kind for kind, copies in bags.items(need) if hand.most(kind) < copies]
    kinds = short or [kind for kind, _ in bags.items(need)]
    figures: dict[str, int | str] = {"asked": asked, "cards": hand.zone.size}
    if bags.total(need) > hand.zone.size:
        figures |= {"variant": f"{back}_few", "needed": bags.total(need)}
    elif not hand.zone.unknown:
        figures |= {"variant": f"{back}_known", "holds": c.figure(hand.zone.known)}
    elif lacking := [kind for kind in short if not hand.most(kind)]:
        figures |= {"variant": f"{back}_none", "ranks": ",".join(c.KINDS[kind] for kind in lacking)}
    elif short:
        at_most = ",".join(f"{hand.most(kind)}×{c.KINDS[kind]}" for kind in short)
        figures |= {"variant": f"{back}_most", "at_most": at_most}
    else:
        figures |= {"variant": f"{back}_places", "unknown": hand.zone.unknown}
    return Objection(figures, (*(("unseen", number_of(k)) for k in kinds), ("hand", state.seat)))


def check_held(state: State, kind: int) -> Objection | None:
    """Refuse a card that the hand of the asked seat cannot hold (SG-11.1)."""
    if hand_asked(state).may_hold(bags.one(kind)):
        return None
    return Objection({}, (("unseen", number_of(kind)), ("hand", BOOK.asked(state))))


def check_too_many(state: State, nobles: int) -> Objection | None:
    """Refuse more nobles than the asked seat may use now (SG-9.4)."""
    seat = BOOK.asked(state)
    if not nobles or nobles <= state.more_nobles(seat):
        return None
    mine, theirs = (bags.total(state.advanced.used[one]) for one in (seat, 1 - seat))
    return Objection({"used": mine, "theirs": theirs, "more": nobles})
