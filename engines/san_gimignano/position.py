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
from collections.abc import Iterable

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Level, Problem, Told
from engines.errors import BadPosition, Malformed
from engines.pools import Zone
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
from engines.san_gimignano.questions import QUESTIONS
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
    Nobles,
    State,
    Table,
)

_HOLDERS = {"a": 0, "b": 1, "-": NOBODY}
_LETTERS = {seat: letter for letter, seat in _HOLDERS.items()}


def write(state: State) -> str:
    """The state's line."""
    fields = {
        "a": _list(map(str, state.towers[0])),
        "b": _list(map(str, state.towers[1])),
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
        "doing": "/".join(map(_frame, state.frames)) or "-",
        "over": state.termination or "-",
    }
    seldom = _noble_fields(state.nobles) | _deal_fields(state.deals)
    seldom["adjusted"] = ",".join(map(str, state.adjusted))
    seldom["waived"] = _list(state.waived)
    fields |= {name: value for name, value in seldom.items() if value != _FIELDS[name]}
    return " ".join(f"{name}={value}" for name, value in fields.items())


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
        "pietra_guard": "yes" if nobles.pietra_guard else "no",
    }


def _deal_fields(deals: Deals | None) -> dict[str, str]:
    if deals is None:
        return {}
    return {
        "deals": str(deals.count) if deals.count else "target",
        "target": str(deals.target),
        "closer_penalty": "yes" if deals.penalty else "no",
        "dealer": SEATS[deals.dealer],
        "past": "/".join(map(_table, deals.past)) or "-",
    }


def _table(past: Table) -> str:
    parts = [_list(map(str, side)) for side in past.towers]
    parts += [_LETTERS[past.marker], _LETTERS[past.closer], *map(_cards, past.used)]
    return ";".join(parts)


def _list(words: Iterable[str]) -> str:
    return ",".join(words) or "-"


def _cards(held: Bag) -> str:
    return _list(names(held))


def _zone(zone: Zone) -> str:
    return ",".join([*names(zone.known), f"?{zone.unknown}"])


def _deck(state: State) -> str:
    bottom = [str(rank) if rank != HIDDEN else "?" for rank in state.bottom]
    return ",".join([*map(str, state.top), f"?{state.middle}", *bottom])


def _frame(frame: Frame) -> str:
    parts = [frame.question, f"n{frame.n}", f"p{_cards(frame.put)}", f"t{frame.tower or '-'}"]
    parts += [f"s{_LETTERS[frame.seat]}", "open" if frame.open else "new", frame.sources]
    return ":".join(part for part in parts if part)


def read(text: str, _facts: Told = ()) -> State:
    """The state a line describes; raises BadPosition for a line that cannot be read or may not stand."""
    state = _parse(text)
    found = problems(state)
    if found:
        first = found[0]
        figures = ", ".join(f"{name} {value}" for name, value in first.figures)
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        message = (
            f"position, {first.where}: {first.check} ({first.clause}){': ' if figures else ''}{figures}{more}"
        )
        raise BadPosition(message, found)
    return state


def status(text: str, _facts: Told = ()) -> list[Problem]:
    """Everything wrong with what a readable line describes; raises BadPosition for an unreadable one."""
    return problems(_parse(text))


# Reading


def _parse(text: str) -> State:
    fields: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in fields or name not in _FIELDS:
            known = ", ".join(_FIELDS)
            raise BadPosition(f"position: {word!r} is not a field, or there twice; fields are {known}")
        fields[name] = value
    read = {name: _FIELDS[name] if name not in fields else fields[name] for name in _FIELDS}
    hands = _read_zone("hand.a", read["hand.a"]), _read_zone("hand.b", read["hand.b"])
    sides = _read_towers("a", read["a"]), _read_towers("b", read["b"])
    market = _read_cards("market", read["market"], KINDS)
    elsewhere = bags.total(market & TOWER_CARDS) + sum(hand.size for hand in hands)
    elsewhere += sum(tower.height - len(tower.stones) for side in sides for tower in side)
    deck = read["deck"] or f"?{max(CARDS - elsewhere, 0)}"
    top, middle, bottom = _read_deck(deck)
    return State(
        level=Level(_one_of("level", read["level"], [level.value for level in Level])),
        must_donate=_one_of("donazione", read["donazione"], ["may", "must"]) == "must",
        seat=_HOLDERS[_one_of("turn", read["turn"], ["a", "b"])],
        hands=hands,
        shared=_read_cards("shared", read["shared"]),
        market=market,
        top=top,
        middle=middle,
        bottom=bottom,
        towers=sides,
        marker=_read_holder("marker", read["marker"]),
        ending=_one_of("phase", read["phase"], ["building", "ending"]) == "ending",
        closer=_read_holder("closer", read["closer"]),
        passes=int(_one_of("passes", read["passes"], ["0", "1", "2"])),
        frames=_read_frames(read["doing"]),
        termination=_one_of("over", read["over"], ["-", *_TERMINATIONS]).strip("-"),
        nobles=_read_nobles(read, market) if fields.keys() & _NOBLE_FIELDS else None,
        deals=_read_deals(read) if fields.keys() & _DEAL_FIELDS else None,
        adjusted=_read_adjusted(read["adjusted"]),
        waived=_read_waived(read["waived"]),
    )


_TERMINATIONS = (DOUBLE_PASS, COUNTED, DEALS_PLAYED, TARGET_REACHED)
_NOBLE_FIELDS = {
    "nobles": "",
    "nobles.a": "?0",
    "nobles.b": "?0",
    "nobles.shared": "-",
    "used.a": "-",
    "used.b": "-",
    "removed": "-",
    "pietra_guard": "no",
}
_DEAL_FIELDS = {
    "deals": "",
    "target": "0",
    "closer_penalty": "yes",
    "dealer": "a",
    "past": "-",
}
_FIELDS = {
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
    **_NOBLE_FIELDS,
    **_DEAL_FIELDS,
    "adjusted": "0,0",
    "waived": "-",
}


def _read_nobles(read: dict[str, str], market: Bag) -> Nobles:
    hands = tuple(_read_zone(name, read[name], NOBLES) for name in ("nobles.a", "nobles.b"))
    used = tuple(_read_cards(name, read[name], NOBLES) for name in ("used.a", "used.b"))
    removed = _read_cards("removed", read["removed"], NOBLES)
    elsewhere = sum(map(bags.total, (*used, removed, market & ~TOWER_CARDS)))
    left = max(NOBLE_CARDS - elsewhere - sum(hand.size for hand in hands), 0)
    return Nobles(
        hands=(hands[0], hands[1]),
        shared=_read_cards("nobles.shared", read["nobles.shared"], NOBLES),
        deck=_unknown("nobles", read["nobles"] or f"?{left}"),
        used=(used[0], used[1]),
        removed=removed,
        pietra_guard=_one_of("pietra_guard", read["pietra_guard"], ["no", "yes"]) == "yes",
    )


def _read_deals(read: dict[str, str]) -> Deals:
    past = [] if read["past"] == "-" else read["past"].split("/")
    up_to = read["deals"] == "target"
    least = 1 if up_to else 0
    return Deals(
        count=0 if up_to else _number("deals", read["deals"], 2, 99),
        target=_number("target", read["target"], least, 9999 if up_to else 0),
        penalty=_one_of("closer_penalty", read["closer_penalty"], ["yes", "no"]) == "yes",
        dealer=_HOLDERS[_one_of("dealer", read["dealer"], ["a", "b"])],
        past=tuple(map(_read_table, past)),
    )


def _read_table(text: str) -> Table:
    parts = text.split(";")
    if len(parts) != 6:
        raise BadPosition(f"position: past: {text!r} is not a deal like 5-9;7x3*;a;-;via;-")
    return Table(
        (_read_towers("past", parts[0]), _read_towers("past", parts[1])),
        _read_holder("past", parts[2]),
        _read_holder("past", parts[3]),
        (_read_cards("past", parts[4], NOBLES), _read_cards("past", parts[5], NOBLES)),
    )


def _read_holder(field: str, value: str) -> int:
    return _HOLDERS[_one_of(field, value, [*_HOLDERS])]


def _number(field: str, value: str, least: int, most: int) -> int:
    if not re.fullmatch(r"\d{1,4}", value) or not least <= int(value) <= most:
        raise BadPosition(f"position: {field}={value} is not a number from {least} to {most}")
    return int(value)


def _read_adjusted(value: str) -> tuple[int, int]:
    parts = re.fullmatch(r"(-?\d{1,6}),(-?\d{1,6})", value)
    if not parts:
        raise BadPosition(f"position: adjusted={value} is not two numbers like 5,-3")
    return int(parts[1]), int(parts[2])


def _read_waived(value: str) -> tuple[str, ...]:
    words = _words(value)
    for word in words:
        if not re.fullmatch(r"[A-Za-z0-9.-]{1,16}", word):
            raise BadPosition(f"position: waived: {word!r} is not a clause like SG-3.2")
    return tuple(words)


def _one_of(field: str, value: str, allowed: list[str]) -> str:
    if value not in allowed:
        raise BadPosition(f"position: {field}={value} is not one of {', '.join(allowed)}")
    return value


def _words(value: str) -> list[str]:
    return [] if value == "-" else value.split(",")


def _read_rank(field: str, word: str) -> int:
    if not word.isdecimal() or int(word) not in RANKS:
        raise BadPosition(f"position: {field}: {word!r} is not a rank from 5 to 10")
    return int(word)


def _read_cards(field: str, value: str, known: Iterable[str] = KINDS[:PIETRA]) -> Bag:
    words, named = _words(value), [*known]
    for word in words:
        if word not in named:
            raise BadPosition(f"position: {field}: {word!r} is not one of {', '.join(named)}")
    return bags.bag(map(KINDS.index, words))


def _unknown(field: str, word: str) -> int:
    if not re.fullmatch(r"\?\d{1,2}", word):
        raise BadPosition(f"position: {field}: {word!r} is neither a rank nor unknown cards like ?5")
    return int(word[1:])


def _read_zone(field: str, value: str, known: Iterable[str] = KINDS[:PIETRA]) -> Zone:
    words = _words(value)
    named = [word for word in words if not word.startswith("?")]
    unknown = sum(_unknown(field, word) for word in words if word.startswith("?"))
    return Zone(_read_cards(field, _list(named), known), unknown)


def _read_deck(value: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    words = _words(value)
    places = [place for place, word in enumerate(words) if word.startswith("?") and word != "?"]
    if len(places) > 1:
        raise BadPosition(f"position: deck={value} has more than one run of unknown cards")
    at = places[0] if places else len(words)
    middle = _unknown("deck", words[at]) if places else 0
    top = tuple(_read_rank("deck", word) for word in words[:at])
    bottom = tuple(HIDDEN if word == "?" else _read_rank("deck", word) for word in words[at + 1 :])
    return top, middle, bottom


def _read_towers(field: str, value: str) -> tuple[Tower, ...]:
    towers = []
    for word in _words(value):
        tower = read_tower(word)
        if not tower or (tower.plain and tower.height - len(tower.stones) > tower.low):
            raise BadPosition(f"position: {field}: {word!r} is not a tower like 8x3, 5-7 or 5-7*")
        towers.append(tower)
    return tuple(sorted(towers))


def _read_frames(value: str) -> tuple[Frame, ...]:
    if value == "-":
        return ()
    frames = []
    for word in value.split("/"):
        pattern = r"(\w+):n(\d{1,2}):p([\w,-]+):t([\dxs*-]+):s([ab-]):(open|new)(?::(\w+))?"
        parts = re.fullmatch(pattern, word)
        if not parts or parts[1] not in QUESTIONS or (parts[7] or "") not in ("", BOTH_DECKS, DECKS_ONLY):
            raise BadPosition(f"position: doing: {word!r} is not a question")
        tower = None if parts[4] == "-" else _placeholder(parts[4])
        put = _read_cards("doing", parts[3], KINDS)
        holder, begun = _HOLDERS[parts[5]], parts[6] == "open"
        frames.append(Frame(parts[1], int(parts[2]), put, tower, holder, begun, parts[7] or ""))
    return tuple(frames)


def _placeholder(text: str) -> Tower:
    """A tower in question; a plain one whose height is still open is written with height 1, and of a run
    whose stones are still open none is named.
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
    raise BadPosition(f"position: doing: {text!r} is not a tower")


# A hand told by its player


def read_hand(text: str) -> Bag:
    """The cards of ``5,8,8,via``; raises Malformed."""
    words = _words(text)
    for word in words:
        if word not in KINDS:
            raise Malformed(f"{word!r} in {text!r} is no card; a hand is written like 5,8,8,via")
    return bags.bag(map(KINDS.index, words))


def hand_text(state: State, seat: int) -> str:
    """What everybody saw of a hand."""
    text = _zone(state.hands[seat])
    return f"{text} and {_zone(state.nobles.hands[seat])} nobles" if state.nobles else text
