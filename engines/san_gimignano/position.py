"""A state in one line, and everything that can be wrong with such a line.

::

    a=5-7*,8x3 b=- marker=a market=6,8,8,10 hand.a=8,?4 hand.b=?5 shared=- deck=5,?24
    turn=b phase=building passes=0 level=full donazione=may doing=- over=-

(one line in truth). Cards are ranks, ``?4`` four unknown ones, ``-`` none; the deck runs from its top to its
bottom, where a lone ``?`` is a card that only its player knows. Whatever is left out has its usual value, and
a deck left out holds all that is nowhere else. Only where there is something to say follow::

    nobles=?7 nobles.a=via,?1 nobles.b=?0 nobles.shared=- used.a=pietra used.b=- removed=- pietra_guard=yes
    deals=2 target=120 closer_penalty=no dealer=a past=5-9;7x3*;a;-;via;- adjusted=5,-3 waived=SG-3.2

``nobles`` is the noble deck and makes the game the advanced one; ``past`` are the deals played (towers,
marker, closer, nobles used), ``/`` between them.
"""

from __future__ import annotations

import re
from functools import partial

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Hidden, Label, Level, Problem, Told
from engines.errors import Malformed
from engines.kit.position import Fields, given, joined, line, listed, standing, words, yes_no
from engines.pools import HeldPool
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import (
    CARDS,
    HIGH,
    KINDS,
    LOW,
    NOBLE_CARDS,
    NOBLES,
    PIETRA,
    RANKS,
    TOWER_CARDS,
    Tower,
    names,
    read_tower,
)
from engines.san_gimignano.problems import problems
from engines.san_gimignano.state import (
    BOTH_DECKS,
    COUNTED,
    DEALS_PLAYED,
    DECKS_ONLY,
    DOUBLE_PASS,
    HIDDEN,
    NOBODY,
    TARGET_REACHED,
    Deals,
    Frame,
    Hand,
    Nobles,
    ScoredTable,
    State,
    hand_of,
    may_be_hand,
    seen_hand,
)

_HOLDERS = {"a": 0, "b": 1, "-": NOBODY}
_LETTERS = {seat: letter for letter, seat in _HOLDERS.items()}
_TERMINATIONS = (DOUBLE_PASS, COUNTED, DEALS_PLAYED, TARGET_REACHED)

_ALWAYS = {
    "a": "-",
    "b": "-",
    "marker": "-",
    "market": "-",
    "hand.a": "?0",
    "hand.b": "?0",
    "shared": "-",
    "deck": "",
    "turn": "a",
    "phase": "building",
    "closer": "-",
    "passes": "0",
    "level": "full",
    "donazione": "may",
    "doing": "-",
    "over": "-",
}
_OF_NOBLES = {
    "nobles": "",
    "nobles.a": "?0",
    "nobles.b": "?0",
    "nobles.shared": "-",
    "used.a": "-",
    "used.b": "-",
    "removed": "-",
    "pietra_guard": "no",
}
_OF_DEALS = {
    "deals": "",
    "target": "0",
    "closer_penalty": "yes",
    "dealer": "a",
    "past": "-",
}
_USUAL = joined(_ALWAYS, _OF_NOBLES, _OF_DEALS, {"adjusted": "0,0", "waived": "-"})


def write(state: State) -> str:
    """Return the state's line."""
    fields = {
        "a": listed(state.towers[0]),
        "b": listed(state.towers[1]),
        "marker": _LETTERS[state.marker],
        "market": _cards(state.market),
        "hand.a": _zone(state.hands[0]),
        "hand.b": _zone(state.hands[1]),
        "shared": _cards(state.shared),
        "deck": _deck(state),
        "turn": SEATS[state.seat],
        "phase": "ending" if state.ending else "building",
        "closer": _LETTERS[state.closer],
        "passes": str(state.passes),
        "level": state.level.value,
        "donazione": "must" if state.must_donate else "may",
        "doing": listed(map(_frame, state.frames), "/"),
        "over": state.termination or "-",
    }
    by_hand = {"adjusted": listed(state.adjusted), "waived": listed(state.waived)}
    more = (_noble_fields(state.nobles), _deal_fields(state.deals), by_hand)
    return line(joined(fields, *more), _USUAL, _ALWAYS)


def _noble_fields(nobles: Nobles | None) -> dict[str, str]:
    if nobles is None:
        return {}
    return {
        "nobles": f"?{nobles.deck}",
        "nobles.a": _zone(nobles.hands[0]),
        "nobles.b": _zone(nobles.hands[1]),
        "nobles.shared": _cards(nobles.shared),
        "used.a": _cards(nobles.used[0]),
        "used.b": _cards(nobles.used[1]),
        "removed": _cards(nobles.removed),
        "pietra_guard": yes_no(nobles.pietra_guard),
    }


def _deal_fields(deals: Deals | None) -> dict[str, str]:
    if deals is None:
        return {}
    return {
        "deals": str(deals.count) if deals.count else "target",
        "target": str(deals.target),
        "closer_penalty": yes_no(deals.penalty),
        "dealer": SEATS[deals.dealer],
        "past": listed(map(_table, deals.past), "/"),
    }


def options(state: State) -> dict[str, str]:
    """Return the options that a state is played with."""
    several = {"deals": "1", "target": "0", "closer_penalty": "yes"} | _deal_fields(state.deals)
    guard = state.nobles is not None and state.nobles.pietra_guard
    return several | {
        "donazione": "must" if state.must_donate else "may",
        "nobles": yes_no(state.nobles is not None),
        "pietra_guard": yes_no(guard),
    }


def _table(past: ScoredTable) -> str:
    parts = [*map(listed, past.towers), _LETTERS[past.marker], _LETTERS[past.closer], *map(_cards, past.used)]
    return ";".join(parts)


def _cards(held: Bag) -> str:
    return listed(names(held))


def _zone(zone: HeldPool) -> str:
    return listed([*names(zone.known), f"?{zone.unknown}"])


def _deck(state: State) -> str:
    bottom = [str(rank) if rank != HIDDEN else "?" for rank in state.bottom]
    return listed([*state.top, f"?{state.middle}", *bottom])


def _frame(frame: Frame) -> str:
    parts = [frame.question, f"n{frame.n}", f"p{_cards(frame.put)}", f"t{frame.tower or '-'}"]
    parts += [f"s{_LETTERS[frame.seat]}", "open" if frame.open else "new", frame.sources]
    return ":".join(part for part in parts if part)


def read(text: str, _facts: Told = ()) -> State:
    """The state a line describes; raises BadPosition for a line that cannot be read or may not stand."""
    return standing(_parse(text), problems)


def status(text: str, _facts: Told = ()) -> list[Problem]:
    """Everything wrong with what a readable line describes; raises BadPosition for an unreadable one."""
    return problems(_parse(text))


# Reading


def _parse(text: str) -> State:
    fields = Fields(given(text), _USUAL)
    hands = fields.read("hand.a", _read_zone), fields.read("hand.b", _read_zone)
    sides = fields.read("a", _read_towers), fields.read("b", _read_towers)
    market = fields.read("market", _read_mixed)
    elsewhere = bags.total(market & TOWER_CARDS) + sum(hand.size for hand in hands)
    elsewhere += sum(tower.height - len(tower.stones) for side in sides for tower in side)
    left = f"?{max(CARDS - elsewhere, 0)}"
    top, middle, bottom = fields.read("deck", lambda deck: _read_deck(deck or left))
    first, second = fields.points("adjusted", 2)
    return State(
        level=Level(fields.one_of("level", Level)),
        must_donate=fields.one_of("donazione", ("may", "must")) == "must",
        seat=fields.seat("turn", 2),
        hands=hands,
        shared=fields.read("shared", _read_cards),
        market=market,
        top=top,
        middle=middle,
        bottom=bottom,
        towers=sides,
        marker=fields.read("marker", _read_holder),
        ending=fields.one_of("phase", ("building", "ending")) == "ending",
        closer=fields.read("closer", _read_holder),
        passes=fields.number("passes", 0, 2),
        frames=fields.each("doing", _read_frame, "/"),
        termination=fields.one_of("over", ("-", *_TERMINATIONS)).strip("-"),
        nobles=_read_nobles(fields, market) if fields.told.keys() & _OF_NOBLES else None,
        deals=_read_deals(fields) if fields.told.keys() & _OF_DEALS else None,
        adjusted=(first, second),
        waived=fields.clauses("waived"),
    )


def _read_nobles(fields: Fields, market: Bag) -> Nobles:
    hands = fields.read("nobles.a", _read_noble_zone), fields.read("nobles.b", _read_noble_zone)
    used = fields.read("used.a", _read_nobles_named), fields.read("used.b", _read_nobles_named)
    removed = fields.read("removed", _read_nobles_named)
    elsewhere = sum(map(bags.total, (*used, removed, market & ~TOWER_CARDS)))
    left = f"?{max(NOBLE_CARDS - elsewhere - sum(hand.size for hand in hands), 0)}"
    return Nobles(
        hands=hands,
        shared=fields.read("nobles.shared", _read_nobles_named),
        deck=fields.read("nobles", lambda deck: _read_unknown(deck or left)),
        used=used,
        removed=removed,
        pietra_guard=fields.yes("pietra_guard"),
    )


def _read_deals(fields: Fields) -> Deals:
    up_to = fields["deals"] == "target"
    return Deals(
        count=0 if up_to else fields.number("deals", 2, 99),
        target=fields.number("target", 1, 9999) if up_to else fields.number("target", 0, 0),
        penalty=fields.yes("closer_penalty"),
        dealer=fields.seat("dealer", 2),
        past=fields.each("past", _read_table, "/"),
    )


def _read_table(text: str) -> ScoredTable:
    parts = text.split(";")
    if len(parts) != 6:
        raise Malformed(f"{text!r} is not a deal like 5-9;7x3*;a;-;via;-")
    return ScoredTable(
        (_read_towers(parts[0]), _read_towers(parts[1])),
        _read_holder(parts[2]),
        _read_holder(parts[3]),
        (_read_nobles_named(parts[4]), _read_nobles_named(parts[5])),
    )


def _read_holder(value: str) -> int:
    if value not in _HOLDERS:
        raise Malformed(f"{value!r} is not one of {', '.join(_HOLDERS)}")
    return _HOLDERS[value]


def _read_rank(word: str) -> int:
    if not word.isdecimal() or int(word) not in RANKS:
        raise Malformed(f"{word!r} is not a rank from 5 to 10")
    return int(word)


def _read_cards(value: str, known: tuple[str, ...] = KINDS[:PIETRA]) -> Bag:
    named = words(value)
    for word in named:
        if word not in known:
            raise Malformed(f"{word!r} is not one of {', '.join(known)}")
    return bags.bag(map(KINDS.index, named))


_read_mixed = partial(_read_cards, known=KINDS)
_read_nobles_named = partial(_read_cards, known=NOBLES)


def _read_unknown(word: str) -> int:
    if not re.fullmatch(r"\?\d{1,2}", word):
        raise Malformed(f"{word!r} is neither a rank nor unknown cards like ?5")
    return int(word[1:])


def _read_zone(value: str, known: tuple[str, ...] = KINDS[:PIETRA]) -> HeldPool:
    cards = words(value)
    named = [word for word in cards if not word.startswith("?")]
    unknown = sum(_read_unknown(word) for word in cards if word.startswith("?"))
    return HeldPool(_read_cards(listed(named), known), unknown)


_read_noble_zone = partial(_read_zone, known=NOBLES)


def _read_deck(value: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    cards = words(value)
    places = [place for place, word in enumerate(cards) if word.startswith("?") and word != "?"]
    if len(places) > 1:
        raise Malformed(f"{value} has more than one run of unknown cards")
    at = places[0] if places else len(cards)
    middle = _read_unknown(cards[at]) if places else 0
    top = tuple(map(_read_rank, cards[:at]))
    bottom = tuple(HIDDEN if word == "?" else _read_rank(word) for word in cards[at + 1 :])
    return top, middle, bottom


def _read_towers(value: str) -> tuple[Tower, ...]:
    towers = []
    for word in words(value):
        tower = read_tower(word)
        if not tower or (tower.plain and tower.height - len(tower.stones) > tower.low):
            raise Malformed(f"{word!r} is not a tower like 8x3, 5-7 or 5-7*")
        towers.append(tower)
    return tuple(sorted(towers))


def _read_frame(word: str) -> Frame:
    pattern = r"(\w+):n(\d{1,2}):p([\w,-]+):t([\dxs*-]+):s([ab-]):(open|new)(?::(\w+))?"
    parts = re.fullmatch(pattern, word)
    if not parts or parts[1] not in BOOK.questions or (parts[7] or "") not in ("", BOTH_DECKS, DECKS_ONLY):
        raise Malformed(f"{word!r} is not a question")
    tower = None if parts[4] == "-" else _placeholder(parts[4])
    put = _read_mixed(parts[3])
    return Frame(parts[1], int(parts[2]), put, tower, _HOLDERS[parts[5]], parts[6] == "open", parts[7] or "")


def _placeholder(text: str) -> Tower:
    """Return a tower in question; a plain one whose height is still open is written with height 1, and of a
    run whose stones are still open none is named.
    """
    tower = read_tower(text)
    rank = re.fullmatch(r"(\d{1,2})x1", text)
    open_run = re.fullmatch(r"(\d{1,2})-(\d{1,2})", text)
    if tower:
        return tower
    if rank and int(rank[1]) in RANKS:
        return Tower(int(rank[1]), int(rank[1]), 1)
    if open_run:
        low, high = int(open_run[1]), int(open_run[2])
        if LOW - 1 <= low < high - 1 <= HIGH:
            return Tower(low, high, high - low + 1)
    raise Malformed(f"{text!r} is not a tower")


# A hand told by its player


@BOOK.method
def hand(state: State, seat: int, held: str) -> Hand:
    """Return the cards of ``5,8,8,via``; raises Malformed for another text and for what all saw is not so."""
    cards = words(held)
    for word in cards:
        if word not in KINDS:
            raise Malformed(f"{word!r} in {held!r} is no card; a hand is written like 5,8,8,via")
    bag = bags.bag(map(KINDS.index, cards))
    if not may_be_hand(state, seat, bag):
        shown = _zone(state.hands[seat])
        shown += f" and {_zone(state.nobles.hands[seat])} nobles" if state.nobles else ""
        raise Malformed(f"{held!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
    return seen_hand(state, seat, bag)


@BOOK.method
def hidden(state: State, seat: int) -> Hidden:
    """Return the cards that a hand may hold: of each kind as many as everybody's view of it allows."""
    sizes = (state.hands[seat].size, state.nobles.hands[seat].size if state.nobles else 0)
    held, kinds = hand_of(state, seat), []
    for kind, name in enumerate(KINDS):
        size = sizes[not bags.one(kind) & TOWER_CARDS]
        most = max((n for n in range(1, size + 1) if held.may_hold(bags.one(kind, n))), default=0)
        if most:
            kinds.append((name, Label("lies.card", (("card", name),)), most))
    return Hidden(sum(sizes), tuple(kinds))
