"""A state in one line.

::

    a=5-7*,8x3 b=- marker=a market=6,8,8,10 hand.a=8,?4 hand.b=?5 shared=- deck=5,?24
    turn=b phase=building passes=0 level=full donazione=may doing=- over=-

in one line. Cards are ranks, ``?4`` four unknown ones, ``-`` none; the deck runs from its top to its bottom,
where a lone ``?`` is a card that only its player knows. A missing field has its usual value; a missing deck
holds all cards that are nowhere else. These fields follow only if they have another value::

    nobles=?7 nobles.a=via,?1 nobles.b=?0 nobles.shared=- used.a=pietra used.b=- removed=- pietra_guard=yes
    deals=2 target=120 closer_penalty=no dealer=a past=5-9;7x3*;a;-;via;- adjusted=5,-3 waived=SG-3.2

``nobles`` is the noble deck and makes the game the advanced one; ``past`` are the past deals (towers, marker,
closer, nobles used), ``/`` between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Hidden, Label, Level, Told
from engines.errors import BadPosition, Malformed
from engines.kit import Fields, Form, forms, given, joined, line, listed, reading, words, written
from engines.san_gimignano import cards as c
from engines.san_gimignano import state as s
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.hands import HeldPool
from engines.san_gimignano.state import Deals, Frame, Nobles, ScoredTable, State

# Fields


def _read_rank(word: str) -> int:
    return int(forms.one_of(word, c.RANK_NAMES))


def _make_form(known: Sequence[str]) -> Form:
    """Return the form of cards by their names, which must be ``known``."""
    return Form(
        lambda held: listed(c.names(held)),
        lambda value: bags.bag(c.KINDS.index(forms.one_of(word, known)) for word in words(value)),
    )


def _make_pool(cards: Form) -> Form:
    """Return the form of a hand: the known cards, and the number of the others."""

    def read(value: str) -> HeldPool:
        found = words(value)
        named = [word for word in found if not word.startswith("?")]
        unknown = sum(_read_unknown(word) for word in found if word.startswith("?"))
        return HeldPool(cards.read(listed(named)), unknown)

    return Form(lambda pool: listed([*c.names(pool.known), f"?{pool.unknown}"]), read)


def _read_unknown(word: str) -> int:
    return int(forms.matching(word, r"\?\d{1,2}", "{value!r} is no card, nor unknown cards like ?5")[1:])


_TOWERS, _NOBLES, _ANY = map(_make_form, (c.RANK_NAMES, c.NOBLES, c.KINDS))
_HOLDER = forms.holder(2)


def _read_towers(value: str) -> tuple[Tower, ...]:
    towers = []
    for word in words(value):
        tower = c.read_tower(word)
        if not tower or (tower.plain and tower.height - len(tower.stones) > tower.low):
            raise Malformed("{word!r} is not a tower like 8x3, 5-7 or 5-7*", word)
        towers.append(tower)
    return tuple(sorted(towers))


def _write_deck(state: State) -> str:
    bottom = [str(rank) if rank != s.HIDDEN else "?" for rank in state.bottom]
    return listed([*state.top, f"?{state.middle}", *bottom])


def _read_deck(value: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    cards = words(value)
    places = [place for place, word in enumerate(cards) if word.startswith("?") and word != "?"]
    if len(places) > 1:
        raise Malformed("{value} has more than one run of unknown cards", value)
    at = places[0] if places else len(cards)
    middle = _read_unknown(cards[at]) if places else 0
    top = tuple(map(_read_rank, cards[:at]))
    bottom = tuple(s.HIDDEN if word == "?" else _read_rank(word) for word in cards[at + 1 :])
    return top, middle, bottom


def _write_frame(frame: Frame) -> str:
    parts = [frame.question, f"n{frame.n}", f"p{_ANY.write(frame.put)}", f"t{frame.tower or '-'}"]
    parts += [f"s{_HOLDER.write(frame.seat)}", "open" if frame.open else "new", frame.sources]
    return ":".join(part for part in parts if part)


def _read_frame(word: str) -> Frame:
    pattern = r"(\w+):n(\d{1,2}):p([\w,-]+):t([\dxs*-]+):s([ab-]):(open|new)(?::(\w+))?"
    parts = re.fullmatch(pattern, word)
    sources = (None, s.BOTH_DECKS, s.DECKS_ONLY)
    if not parts or parts[1] not in BOOK.questions or parts[7] not in sources:
        raise Malformed("{word!r} is not a question", word)
    tower = None if parts[4] == "-" else _make_placeholder(parts[4])
    put, seat = _ANY.read(parts[3]), _HOLDER.read(parts[5])
    return Frame(parts[1], int(parts[2]), put, tower, seat, parts[6] == "open", parts[7] or "")


def _make_placeholder(text: str) -> Tower:
    """Return a tower in question; it has height 1, or no stones, if those are still open."""
    tower = c.read_tower(text)
    rank = re.fullmatch(r"(\d{1,2})x1", text)
    open_run = re.fullmatch(r"(\d{1,2})-(\d{1,2})", text)
    if tower:
        return tower
    if rank and int(rank[1]) in c.RANKS:
        return Tower(int(rank[1]), int(rank[1]), 1)
    if open_run:
        low, high = int(open_run[1]), int(open_run[2])
        if c.LOW - 1 <= low < high - 1 <= c.HIGH:
            return Tower(low, high, high - low + 1)
    raise Malformed("{text!r} is not a tower", text)


_SIDE = Form(listed, _read_towers)
_SCORED = (_SIDE, _SIDE, _HOLDER, _HOLDER, _NOBLES, _NOBLES)


def _write_table(past: ScoredTable) -> str:
    held = (*past.towers, past.marker, past.closer, *past.used)
    return ";".join(form.write(one) for form, one in zip(_SCORED, held, strict=True))


def _read_table(text: str) -> ScoredTable:
    parts = text.split(";")
    if len(parts) != len(_SCORED):
        raise Malformed("{text!r} is not a deal like 5-9;7x3*;a;-;via;-", text)
    a, b, marker, closer, used_a, used_b = (
        form.read(each) for form, each in zip(_SCORED, parts, strict=True)
    )
    return ScoredTable((a, b), marker, closer, (used_a, used_b))


_TABLE = {
    "": _SIDE.of_seats("towers"),
    "marker": _HOLDER,
    "market": _ANY,
    "hand": _make_pool(_TOWERS).of_seats("hands"),
    "shared": _TOWERS,
}
_TURN = {
    "turn": forms.seat(2).of("seat"),
    "phase": forms.either("building", "ending").of("ending"),
    "closer": _HOLDER,
    "passes": forms.number(0, 2),
    "level": forms.level(*Level),
    "donazione": forms.either("may", "must").of("must_donate"),
    "doing": forms.several(Form(_write_frame, _read_frame), "/").of("frames"),
    "over": forms.ended(s.DOUBLE_PASS, s.COUNTED, s.DEALS_PLAYED, s.TARGET_REACHED).of("termination"),
}
_OF_NOBLES = {
    "nobles": _make_pool(_NOBLES).of_seats("hands"),
    "nobles.shared": _NOBLES.of("shared"),
    "used": _NOBLES.of_seats(),
    "removed": _NOBLES,
    "pietra_guard": forms.YES,
}
_OF_DEALS = {
    "deals": Form(
        lambda count: str(count or "target"),
        lambda value: 0 if value == "target" else forms.number(2, 99).read(value),
        "count",
    ),
    "target": forms.number(0, 9999),
    "closer_penalty": forms.YES.of("penalty"),
    "dealer": forms.seat(2),
    "past": forms.several(Form(_write_table, _read_table), "/"),
}
_BY_HAND = {"adjusted": forms.points(2), "waived": forms.CLAUSES}

_NOTHING = State(hands=(HeldPool(), HeldPool()))
_ALWAYS = written(_TABLE, _NOTHING) | {"deck": ""} | written(_TURN, _NOTHING)
_WITH_NOBLES = {"nobles": ""} | written(_OF_NOBLES, Nobles())
_WITH_DEALS = written(_OF_DEALS, Deals(0, 0, True, 0)) | {"deals": ""}
_USUAL = joined(_ALWAYS, _WITH_NOBLES, _WITH_DEALS, written(_BY_HAND, _NOTHING))


# The line


def write(state: State) -> str:
    """Return the state's line."""
    fields = written(_TABLE, state) | {"deck": _write_deck(state)} | written(_TURN, state)
    if state.nobles:
        fields |= {"nobles": f"?{state.nobles.deck}"} | written(_OF_NOBLES, state.nobles)
    if state.deals:
        fields |= written(_OF_DEALS, state.deals)
    return line(fields | written(_BY_HAND, state), _USUAL, _ALWAYS)


def options(state: State) -> dict[str, str]:
    """Return the options of a state's match."""
    several = {"deals": "1", "target": "0", "closer_penalty": "yes"} | (
        written(_OF_DEALS, state.deals) if state.deals else {}
    )
    guard = state.nobles is not None and state.nobles.pietra_guard
    return several | {
        "donazione": "must" if state.must_donate else "may",
        "nobles": forms.YES.write(state.nobles is not None),
        "pietra_guard": forms.YES.write(guard),
    }


def parse(text: str, _facts: Told = ()) -> State:
    """Return the state of a line, faulty or not; raises BadPosition for one that cannot be read."""
    fields = Fields(given(text), _USUAL)
    held = fields.all(_TABLE, 2)
    elsewhere = bags.total(held["market"] & c.TOWER_CARDS) + sum(hand.size for hand in held["hands"])
    elsewhere += sum(tower.height - len(tower.stones) for side in held["towers"] for tower in side)
    left = f"?{max(c.CARDS - elsewhere, 0)}"
    top, middle, bottom = fields.read("deck", lambda deck: _read_deck(deck or left))
    return State(
        top=top,
        middle=middle,
        bottom=bottom,
        nobles=_read_nobles(fields, held["market"]) if fields.told.keys() & _WITH_NOBLES else None,
        deals=_read_deals(fields) if fields.told.keys() & _WITH_DEALS else None,
        **held,
        **fields.all(_TURN | _BY_HAND, 2),
    )


read, status = reading(parse, BOOK)


def _read_nobles(fields: Fields, market: Bag) -> Nobles:
    held = fields.all(_OF_NOBLES, 2)
    elsewhere = sum(map(bags.total, (*held["used"], held["removed"], market & ~c.TOWER_CARDS)))
    left = f"?{max(c.NOBLE_CARDS - elsewhere - sum(hand.size for hand in held['hands']), 0)}"
    return Nobles(deck=fields.read("nobles", lambda deck: _read_unknown(deck or left)), **held)


def _read_deals(fields: Fields) -> Deals:
    deals = Deals(**fields.all(_OF_DEALS, 2))
    if bool(deals.count) == bool(deals.target):
        raise BadPosition("position: deals={deals} has no target={target}", fields["deals"], fields["target"])
    return deals


# A hand told by its player


@BOOK.method
def seen_by(state: State, seat: int, held: str) -> State:
    """Return the state for a seat with the hand ``5,8,8,via``; raises Malformed for a text that cannot be
    read or contradicts what everybody saw.
    """
    cards = words(held)
    for word in cards:
        if word not in c.KINDS:
            raise Malformed(f"{word!r} in {held!r} is no card; a hand is written like 5,8,8,via")
    bag = bags.bag(map(c.KINDS.index, cards))
    backs = bags.total(bag & c.TOWER_CARDS), bags.total(bag & ~c.TOWER_CARDS)
    if backs != state.backs(seat) or not state.hand_of(seat).may_hold(bag):
        shown = _make_pool(_TOWERS).write(state.hands[seat])
        shown += f" and {_make_pool(_NOBLES).write(state.nobles.hands[seat])} nobles" if state.nobles else ""
        raise Malformed(f"{held!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
    return state.seen_by(seat, bag)


@BOOK.method
def hidden(state: State, seat: int) -> Hidden:
    """Return the cards that a hand may hold, going by what everybody saw."""
    sizes, held, kinds = state.backs(seat), state.hand_of(seat), []
    for kind, name in enumerate(c.KINDS):
        size = sizes[not bags.one(kind) & c.TOWER_CARDS]
        most = max((n for n in range(1, size + 1) if held.may_hold(bags.one(kind, n))), default=0)
        if most:
            kinds.append((name, Label("lies.card", (("card", name),)), most))
    return Hidden(sum(sizes), tuple(kinds))
