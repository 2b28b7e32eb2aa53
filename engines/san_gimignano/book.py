"""The rulebook that the chapters are written in, and what several of them say alike."""

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
    """The rulebook, and who is asked what it rests on."""

    def asked(self, state: State) -> int:
        """Return who may answer the other's noble or effect, or whose turn it is."""
        frame = state.frames[-1] if state.frames else None
        return frame.seat if frame and frame.seat >= 0 else state.seat

    def knowing_less(self, state: State) -> Iterator[State]:
        """Yield the state with all that is known; then with nothing known of the hands; then not of the
        deck's bottom.

        What lies open stays.
        """
        yield state
        hidden = state.forgotten()
        if state.nobles:
            hidden = replace(hidden, nobles=state.nobles.forgotten())
        yield hidden
        yield replace(hidden, bottom=(s.HIDDEN,) * len(state.bottom))

    def fact(self, state: State, key: Key) -> int:
        """Return ``("unseen", rank)`` copies known nowhere (nobles from 11), ``("hand", seat)`` cards."""
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


# What the chapters have in common


def either(basic: Domain, advanced: Domain) -> Callable[[State], Domain]:
    """Return the answers to a question that the advanced game widens."""
    return lambda state: advanced if state.nobles is not None else basic


def hand_asked(state: State) -> Hand:
    """Return the hands that whoever is asked may hold, by all that was seen."""
    return state.hand_of(BOOK.asked(state))


def tower_figures(state: State) -> Figures:
    """Return the tower in question, in the room that a prompt has, and its rank."""
    tower = state.tower
    return (("tower", tower.shape), ("rank", tower.low))


def kinds_of(state: State) -> range:
    """Return every kind of card in the game."""
    return range(len(c.KINDS)) if state.nobles else range(len(c.RANKS))


def number_of(kind: int) -> int:
    """Name a kind as facts do: tower cards by rank, nobles from 11 on."""
    return kind + c.LOW


def beyond_hand(state: State, need: Bag, asked: str = "") -> Objection | None:
    """Refuse ``need`` if by what is known the hand cannot hold it (SG-11.1)."""
    towers, asked = need & c.TOWER_CARDS, asked or c.figure(need)
    return _beyond(state, state.reach(state.seat), towers, asked, _TOWERS) or (
        _beyond(state, state.noble_reach(state.seat), need - towers, asked, _NOBLES)
    )


_TOWERS = ("towers_few", "towers_known", "towers_most", "towers_none", "towers_places")
_NOBLES = ("nobles_few", "nobles_known", "nobles_most", "nobles_none", "nobles_places")


def _beyond(
    state: State, hand: Reach, need: Bag, asked: str, words: tuple[str, str, str, str, str]
) -> Objection | None:
    """Refuse cards of one back that the hand cannot hold, by that of its ``words`` with the nearest reason.

    They are too many for the hand; the whole hand was seen; of some kind it cannot hold so many; or of all of
    them together.
    """
    if hand.may_hold(need):
        return None
    few, known, most, none, places = words
    for kind, copies in bags.items(need):
        if copies > (exist := bags.count(c.MANIFEST + c.NOBLE_MANIFEST, kind)):
            variant = "towers_exist" if kind < len(c.RANKS) else "nobles_exist"
            return Objection({"variant": variant, "cards": exist, "ranks": c.KINDS[kind]})
    short = [kind for kind, copies in bags.items(need) if hand.most(kind) < copies]
    kinds = short or [kind for kind, _ in bags.items(need)]
    figures: dict[str, int | str] = {"asked": asked, "cards": hand.zone.size}
    if bags.total(need) > hand.zone.size:
        figures |= {"variant": few, "needed": bags.total(need)}
    elif not hand.zone.unknown:
        figures |= {"variant": known, "holds": c.figure(hand.zone.known)}
    elif lacking := [kind for kind in short if not hand.most(kind)]:
        figures |= {"variant": none, "ranks": ",".join(c.KINDS[kind] for kind in lacking)}
    elif short:
        figures |= {"variant": most, "at_most": ",".join(f"{hand.most(k)}×{c.KINDS[k]}" for k in short)}
    else:
        figures |= {"variant": places, "unknown": hand.zone.unknown}
    return Objection(figures, (*(("unseen", number_of(k)) for k in kinds), ("hand", state.seat)))


def too_many(state: State, nobles: int) -> Objection | None:
    """Refuse so many more nobles of the seat to move by SG-9.4."""
    if not nobles or nobles <= (state.more_nobles(state.seat) if state.nobles else 0):
        return None
    assert state.nobles
    mine, theirs = (bags.total(state.nobles.used[seat]) for seat in (state.seat, 1 - state.seat))
    return Objection({"used": mine, "theirs": theirs, "more": nobles})
