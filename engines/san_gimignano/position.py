"""A state in one line, and everything that can be wrong with such a line.

::

    a=5-7*,8x3 b=- marker=a market=6,8,8,10 hand.a=8,?4 hand.b=?5 shared=- deck=5,?24
    turn=b phase=building passes=0 level=full donazione=may doing=- over=-

(one line in truth). Cards are ranks, ``?4`` four unknown ones, ``-`` none; the deck runs from its top to its
bottom. Whatever is left out has its usual value, and a deck left out holds all that is nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Level, Problem
from engines.errors import BadPosition
from engines.pools import Zone
from engines.san_gimignano.cards import (
    CARDS,
    LEAST_STOREYS,
    LOW,
    MANIFEST,
    RANKS,
    Tower,
    cards,
    ranks,
    read_tower,
)
from engines.san_gimignano.moves import legal, may_put
from engines.san_gimignano.questions import CHOICES, FINAL, question
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    COUNTED,
    DOUBLE_PASS,
    MARKET,
    NOBODY,
    Frame,
    State,
    reach,
    unseen,
)

_HOLDERS = {"a": 0, "b": 1, "-": NOBODY}
_LETTERS = {seat: letter for letter, seat in _HOLDERS.items()}
_QUESTIONS = frozenset(name for name, _ in CHOICES) | {"extend", "complete", "target"}


def write(state: State) -> str:
    """The state's line."""
    deck = [*map(str, state.top), f"?{state.middle}", *map(str, state.bottom)]
    fields = {
        "a": _list(map(str, state.towers[0])),
        "b": _list(map(str, state.towers[1])),
        "marker": _LETTERS[state.marker],
        "market": _cards(state.market),
        "hand.a": _zone(state.hands[0]),
        "hand.b": _zone(state.hands[1]),
        "shared": _cards(state.shared),
        "deck": ",".join(deck),
        "turn": SEATS[state.seat],
        "phase": "ending" if state.ending else "building",
        "closer": _LETTERS[state.closer],
        "passes": str(state.passes),
        "level": state.level.value,
        "donazione": "must" if state.must_donate else "may",
        "doing": "/".join(map(_frame, state.frames)) or "-",
        "over": state.termination or "-",
    }
    return " ".join(f"{name}={value}" for name, value in fields.items())


def _list(words: Iterable[str]) -> str:
    return ",".join(words) or "-"


def _cards(held: Bag) -> str:
    return _list(map(str, ranks(held)))


def _zone(zone: Zone) -> str:
    known = [str(rank) for rank in ranks(zone.known)]
    return ",".join([*known, f"?{zone.unknown}"])


def _frame(frame: Frame) -> str:
    parts = [frame.question, f"n{frame.n}", f"p{_cards(frame.put)}", f"t{frame.tower or '-'}"]
    return ":".join([*parts, f"s{_LETTERS[frame.seat]}", "open" if frame.open else "new"])


def read(text: str) -> State:
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


def status(text: str) -> list[Problem]:
    """Everything wrong with what a readable line describes; raises BadPosition for an unreadable one."""
    return problems(_parse(text))


def problems(state: State) -> list[Problem]:
    """Everything wrong with a state."""
    found: list[Problem] = []

    def problem(where: str, check: str, clause: str, **figures: int | str) -> None:
        found.append(Problem(where, check, clause, tuple(figures.items())))

    placed = MANIFEST - unseen(state) if _countable(state) else 0
    for rank in RANKS:
        named = _named(state, rank)
        if named > rank:
            problem("cards", "position.copies", "SG-1.1", rank=rank, named=named, copies=rank)
    total = state.deck + bags.total(state.market) + sum(hand.size for hand in state.hands)
    total += sum(tower.height for side in state.towers for tower in side)
    if total != CARDS:
        problem("deck", "position.total", "SG-1.1", total=total, cards=CARDS)
    elif placed and bags.total(MANIFEST - placed) != _places(state):
        problem("shared", "position.shared", "SG-11.1", shared=bags.total(state.shared))
    asked = question(state)
    if state.marker == NOBODY and any(state.towers) and asked not in FINAL:
        problem("marker", "position.marker", "SG-4.1")
    completed = [sum(tower.complete for tower in side) for side in state.towers]
    if state.closer != NOBODY and completed[state.closer] < COMPLETED_TO_CLOSE:
        problem("closer", "position.closer", "SG-3.12", completed=completed[state.closer])
    if state.closer != NOBODY and not state.ending:
        problem("phase", "position.closed", "SG-6.1")
    if state.level is not Level.SCORE and not state.ending and asked not in ("market", "draw"):
        if not state.deck:
            problem("phase", "position.deck", "SG-6.1")
        elif not state.market:
            problem("market", "position.market", "SG-3.4")
    if (state.passes == 2) != (state.termination == DOUBLE_PASS):
        problem("passes", "position.passes", "SG-2.2", passes=state.passes)
    if not found and (not _may_ask(state) or not (state.termination or legal(state))):
        problem("doing", "position.stuck", "SG-2.1", question=asked)
    return found


def _may_ask(state: State) -> bool:
    """Whether what the begun question remembers fits the rest of the state."""
    if len(state.frames) != 1 or state.termination:
        return not state.frames
    frame = state.frames[0]
    tower, owner = frame.tower, state.seat if frame.seat == NOBODY else frame.seat
    if frame.question in FINAL and state.level is not Level.SCORE:
        return False
    match frame.question:
        case "height" | "final_height":
            return tower is not None and tower.height == 1
        case "final_state":
            return tower is not None and bags.within(tower.bag, unseen(state))
        case "storeys":
            return tower in state.towers[owner]
        case "donazione" | "target":
            least = 10 if frame.question == "target" else 8
            return tower in state.towers[owner] and tower.plain and tower.low >= least
        case "guard":
            threatened = tower in state.towers[owner] if tower else owner != state.seat
            return frame.seat != NOBODY and threatened and (tower is not None or frame.n >= LEAST_STOREYS)
        case "put":
            n = bags.total(frame.put)
            return not n or may_put(state, reach(state, state.seat), frame.put, n)
        case "draw":
            barred = sum(bags.count(state.market, kind) for kind, _ in bags.items(frame.put))
            return 0 < frame.n <= state.deck + bags.total(state.market) - barred
        case "market":
            left = MARKET - bags.total(state.market)
            return not state.top and 0 < frame.n <= min(left, state.deck) and state.middle > 0
    return True


def _countable(state: State) -> bool:
    """Whether no rank is named more often than it exists, so that bags cannot borrow across lanes."""
    return all(_named(state, rank) <= rank for rank in RANKS)


def _named(state: State, rank: int) -> int:
    bag_of_rank = [hand.known for hand in state.hands] + [state.shared, state.market]
    bag_of_rank += [tower.bag for side in state.towers for tower in side]
    return sum(bags.count(held, rank - LOW) for held in bag_of_rank) + (*state.top, *state.bottom).count(rank)


def _places(state: State) -> int:
    """How many unknown places are left once the shared cards have theirs; -1 if they have none."""
    free = sum(hand.unknown for hand in state.hands) - bags.total(state.shared)
    return free + state.middle if free >= 0 and state.middle >= 0 else -1


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
    market = _read_cards("market", read["market"])
    elsewhere = bags.total(market) + sum(h.size for h in hands) + sum(t.height for s in sides for t in s)
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
        marker=_HOLDERS[_one_of("marker", read["marker"], [*_HOLDERS])],
        ending=_one_of("phase", read["phase"], ["building", "ending"]) == "ending",
        closer=_HOLDERS[_one_of("closer", read["closer"], [*_HOLDERS])],
        passes=int(_one_of("passes", read["passes"], ["0", "1", "2"])),
        frames=_read_frames(read["doing"]),
        termination=_one_of("over", read["over"], ["-", DOUBLE_PASS, COUNTED]).strip("-"),
    )


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
}


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


def _read_cards(field: str, value: str) -> Bag:
    return cards([_read_rank(field, word) for word in _words(value)])


def _unknown(field: str, word: str) -> int:
    if not re.fullmatch(r"\?\d{1,2}", word):
        raise BadPosition(f"position: {field}: {word!r} is neither a rank nor unknown cards like ?5")
    return int(word[1:])


def _read_zone(field: str, value: str) -> Zone:
    words = _words(value)
    known = [word for word in words if not word.startswith("?")]
    unknown = sum(_unknown(field, word) for word in words if word.startswith("?"))
    return Zone(cards([_read_rank(field, word) for word in known]), unknown)


def _read_deck(value: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    words = _words(value)
    places = [place for place, word in enumerate(words) if word.startswith("?")]
    if len(places) > 1:
        raise BadPosition(f"position: deck={value} has more than one run of unknown cards")
    at = places[0] if places else len(words)
    middle = _unknown("deck", words[at]) if places else 0
    top = tuple(_read_rank("deck", word) for word in words[:at])
    return top, middle, tuple(_read_rank("deck", word) for word in words[at + 1 :])


def _read_towers(field: str, value: str) -> tuple[Tower, ...]:
    towers = []
    for word in _words(value):
        tower = read_tower(word)
        if not tower or (tower.plain and tower.height > tower.low):
            raise BadPosition(f"position: {field}: {word!r} is not a tower like 8x3, 5-7 or 5-7*")
        towers.append(tower)
    return tuple(sorted(towers))


def _read_frames(value: str) -> tuple[Frame, ...]:
    if value == "-":
        return ()
    frames = []
    for word in value.split("/"):
        parts = re.fullmatch(r"(\w+):n(\d+):p([\d,-]+):t([\dx*-]+):s([ab-]):(open|new)", word)
        if not parts or parts[1] not in _QUESTIONS:
            raise BadPosition(f"position: doing: {word!r} is not a question")
        tower = None if parts[4] == "-" else _placeholder(parts[4])
        put = _read_cards("doing", parts[3])
        frames.append(Frame(parts[1], int(parts[2]), put, tower, _HOLDERS[parts[5]], parts[6] == "open"))
    return tuple(frames)


def _placeholder(text: str) -> Tower:
    """A tower in question; a plain one whose height is still open is written with height 1."""
    tower = read_tower(text)
    rank = re.fullmatch(r"(\d{1,2})x1", text)
    if tower:
        return tower
    if rank and int(rank[1]) in RANKS:
        return Tower(int(rank[1]), int(rank[1]), 1)
    raise BadPosition(f"position: doing: {text!r} is not a tower")
