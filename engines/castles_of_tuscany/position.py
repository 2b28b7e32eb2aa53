"""A state in one line of ``name=value`` fields; fields left out have their usual values.

::

    seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=A1:icmvvimrrv,B1:trcfftrvvv,C1:vcqftvrqff bonus=c6.3
    cards=- yields=- region.a=A1,B1+1,C1-1 filled.a=c1,d1 stored.a=v … display=c,fa,v turn=a start=b

(all in one line). A line of level score without a question is a final table: orange, green, stored tiles,
marble, workers, cards and empty spaces of each seat::

    level=score counted.a=84,30,2,0,1,3,6 counted.b=80,31,1,1,0,5,8

Tiles and kinds are letters (:mod:`.kinds`), a bag is ``2v1c``, ``-`` is none.

=================== =========================================================================
field               meaning
=================== =========================================================================
seats               the number of players
draw farms outline  cards a draw, farm kinds, hexes in the rows of a board
storage             VP of that square tile
boards bonus        known boards and their hexes, known colour bonuses: ``A1:icmvvimrrv``, ``c6.3``
cards yields        numbers of region cards in the order of kinds, kinds of yield cards; or ``-``
region.a            the boards from the top, each with its seam: ``A2,B1'+1,C3+0``
filled.a wild.a     occupied spaces; those of them with a wild hex
farms.a             farm kinds on spaces: ``d3a,e3bc``
stored.a hand.a     tiles in storage; the number of region cards in hand
marble.a workers.a  their numbers; ``squares.a`` names the square tiles
piles.a turned.a    sizes of the piles from the left, ``7.7.6``; own tiles that came out of them
gains.a             VP by round: ``areas:3:d3,yields:2:o2*/bonus:6:c/-``; ``*`` is the orange track
counted.a           the figures of a final table
display neutral     the open tiles; the neutral ones face down
deck discards       the number of region cards, by default the rest; the discarded ones
yields_left taken   the number of yield cards; how often each colour bonus was taken
turn start          the seat to move, the start player; ``round``, ``left`` actions, ``marbled``
trigger last        the seat that triggered the round's end; turns still to come
adjusted waived     points by hand, clauses overruled; ``level`` and options by their names
doing               questions in progress, the pending one last: ``pay:n2:sd3:tfa:p2v:w1``
=================== =========================================================================

A line always has the known facts of the copy. If it lacks one, that of the copy at hand counts; if the copy
lacks a fact that a match needs, there are two cards a draw, four farm kinds, and two rows of five hexes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import kinds, regions
from engines.castles_of_tuscany import state as s
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.facts import MOST_VP, Printing, facts_of, printing
from engines.castles_of_tuscany.kinds import KINDS, WILD
from engines.castles_of_tuscany.regions import HEXES, Outline, Region
from engines.castles_of_tuscany.state import Frame, Gain, Side, State, Variant, options, variant_of
from engines.contract import SEATS, Hidden, Label, Level, Told
from engines.errors import Malformed
from engines.facts import lacking
from engines.kit import TURN, Fields, Form, forms, given, joined, line, listed, reading, words, written

_SPACE = "[a-i][1-9]"
_BAG = f"(?:[0-9]{{1,3}}[{KINDS}])+"
_FRAME = re.compile(
    rf"(?P<question>\w+)(?::n(?P<n>[0-9]{{1,2}}))?(?::s(?P<space>{_SPACE}))?(?::t(?P<tile>[\w.+]+))?"
    rf"(?::p(?P<paid>{_BAG}))?(?::w(?P<workers>[0-9]{{1,2}}))?(?P<new>:new)?"
)


# Fields of a copy


def _read_outline(value: str) -> Outline:
    if re.fullmatch(r"[1-9](\.[1-9]){1,2}", value):
        outline = tuple(map(int, value.split(".")))
        if regions.is_outline(outline):
            return outline
    raise Malformed("{value} is not {n} hexes in rows half a hex apart, like 5.5", value, HEXES)


def _read_board(word: str) -> tuple[str, str]:
    pattern = rf"(?:{'|'.join(regions.NAMES)}):[{KINDS}]{{{HEXES}}}"
    name, hexes = forms.matching(word, pattern, "{value!r} is no board like A1:icmvvimrrv").split(":")
    return name, hexes


def _write_bonuses(bonus: tuple[tuple[int, int] | None, ...]) -> str:
    pairs = zip(KINDS, bonus, strict=True)
    return listed(f"{kind}{pair[0]}.{pair[1]}" for kind, pair in pairs if pair)


def _read_bonuses(value: str) -> tuple[tuple[int, int] | None, ...]:
    told = dict(map(_read_bonus, words(value)))
    return tuple(told.get(kind) for kind in KINDS)


def _read_bonus(word: str) -> tuple[str, tuple[int, int]]:
    parts = re.fullmatch(rf"([{KINDS}])([0-9]{{1,2}})\.([0-9]{{1,2}})", word)
    if not parts or max(int(parts[2]), int(parts[3])) > MOST_VP:
        raise Malformed("{word!r} is not a kind and its two values to {most}, like v6.3", word, MOST_VP)
    return parts[1], (int(parts[2]), int(parts[3]))


def _read_reward(word: str) -> str:
    return kinds.JOINED.join(forms.one_of(part, kinds.REWARDS) for part in word.split(kinds.JOINED))


def _read_split(value: str) -> Bag:
    if value == "-":
        return 0
    split = [int(part) for part in value.split(".") if re.fullmatch("[1-9][0-9]?", part)]
    if len(split) != len(KINDS) or len(split) != value.count(".") + 1 or sum(split) != kinds.CARDS:
        raise Malformed("{value} is not a number for each kind like 9.13, {total} in all", value, kinds.CARDS)
    return sum(bags.one(kind, number) for kind, number in enumerate(split))


OF_COPY = {
    "draw": forms.number(2, 3),
    "farms": forms.number(1, len(kinds.FARMS)),
    "outline": Form(lambda rows: listed(rows, "."), _read_outline),
    "storage": forms.number(0, 9),
    "boards": forms.several(Form(":".join, _read_board)),
    "bonus": Form(_write_bonuses, _read_bonuses),
    "cards": Form(lambda split: listed(bags.counts(split, len(KINDS)), ".") if split else "-", _read_split),
    "yields": forms.several(Form(str, _read_reward)),
}


# Fields of the table and of a seat


def _make_tiles_form(copy: Printing, *more: str) -> Form:
    """Return the form of a list of tiles, sorted."""
    known = (*kinds.tiles(copy.farms), *more)
    tiles = forms.several(forms.word(*known))
    return Form(tiles.write, lambda value: tuple(sorted(tiles.read(value), key=kinds.order)))


HELD = forms.bag(KINDS, "2v1c", forms.NONE)
"""A bag of kinds."""


def _make_table_forms(copy: Printing) -> dict[str, Form]:
    """Return the fields of the shared pieces; a deck that is left out is -1."""
    deck = forms.number(0, kinds.CARDS)
    return {
        "display": _make_tiles_form(copy),
        "neutral": HELD,
        "deck": Form(str, lambda value: deck.read(value) if value else -1),
        "discards": HELD,
        "yields_left": forms.number(0, kinds.YIELDS).of("yields"),
        "reshuffled": forms.YES,
        "taken": Form(
            lambda taken: HELD.write(sum(bags.one(kind, times) for kind, times in enumerate(taken))),
            lambda value: bags.counts(HELD.read(value), len(KINDS)),
        ),
    }


def _join_boards(boards: tuple[str, ...], seams: tuple[int, ...], copy: Printing) -> Region | None:
    """Return the region of three known boards, or None."""
    known = dict(copy.boards)
    if len(boards) != regions.BOARDS or not all(regions.board(name) in known for name in boards):
        return None
    return regions.put_together(boards, seams, known, copy.outline)


def _find_space(word: str, land: Region | None) -> int:
    """Return the number of a space by its name."""
    if land is None:
        raise Malformed("no space {word!r}: a board of this region is not known", word)
    if word not in land.names:
        raise Malformed("the region has no space {word!r}", word)
    return land.number(word)


def _make_side_forms(copy: Printing, land: Region | None) -> dict[str, Form]:
    """Return the fields of a seat except its region; spaces have names only in a known one."""
    spaces = Form(
        lambda spaces: listed(land.names[space] for space in regions.cells(spaces)) if land else "-",
        lambda value: sum({1 << _find_space(word, land) for word in words(value)}),
    )
    squares = forms.several(forms.word(*kinds.SQUARES))
    farms = Form(
        lambda shown: listed(f"{land.names[space]}{some}" for space, some in shown) if land else "-",
        lambda value: tuple(sorted(_read_farm(word, land) for word in words(value))),
    )
    return {
        "filled": spaces,
        "wild": spaces,
        "farms": farms.of("shown"),
        "stored": _make_tiles_form(copy, WILD),
        "hand": forms.number(0, kinds.CARDS),
        "marble": forms.number(0, 99),
        "workers": forms.number(0, 99),
        "squares": Form(
            lambda held: squares.write(kinds.SQUARES[kind] for kind in bags.elements(held)),
            lambda value: bags.bag(map(kinds.SQUARES.index, squares.read(value))),
        ),
        "piles": forms.counts(kinds.PILES, kinds.IN_PILE),
        "turned": HELD,
        "gains": Form(_write_gains, lambda value: tuple(_read_gains(value))),
        "counted": forms.several(forms.number(0, 9999)),
    }


def _write_region(side: Side) -> str:
    seams = ["", *(f"{seam:+d}" for seam in side.seams)]
    return listed(name + seam for name, seam in zip(side.boards, seams, strict=False))


def _read_region(value: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    boards: list[str] = []
    seams: list[int] = []
    for number, word in enumerate(words(value)):
        parts = re.fullmatch(rf"([A-Z][0-9]{regions.TURNED}?)(.*)", word)
        name, seam = parts.groups() if parts else ("", "")
        if number >= regions.BOARDS or regions.board(name) not in regions.NAMES:
            raise Malformed("{word!r}: a region is one A, one B and one C, like A2,B1'+1,C3+0", word)
        if bool(seam) != bool(number) or not re.fullmatch("([+-][1-9]|[+]0)?", seam):
            raise Malformed("{word!r}: above all boards but the first is a seam like -1, +0 or +1", word)
        boards.append(name)
        seams += [int(seam)] if seam else []
    return tuple(boards), tuple(seams)


def _read_farm(word: str, land: Region | None) -> tuple[int, str]:
    shown = word[2:]
    if not re.fullmatch(f"[{kinds.FARMS}]+", shown) or list(shown) != sorted(set(shown)):
        raise Malformed("{word!r} is not a space and the farm kinds there, like d3a or e3bc", word)
    return _find_space(word[:2], land), shown


def _write_gains(gains: tuple[Gain, ...]) -> str:
    rounds = [[gain for gain in gains if gain.round == number] for number in range(1, s.ROUNDS + 1)]
    return listed((listed(map(_write_gain, each)) for each in rounds), "/") if gains else "-"


def _write_gain(gain: Gain) -> str:
    return f"{gain.category}:{gain.points}:{gain.what}{'*' * gain.orange}"


def _read_gains(value: str) -> Iterator[Gain]:
    rounds = value.split("/") if value != "-" else []
    if rounds and len(rounds) != s.ROUNDS:
        raise Malformed("{value} is not a part for each round, like areas:3:d3,bonus:6:c/-/-", value)
    for number, each in enumerate(rounds, 1):
        for word in words(each):
            parts = re.fullmatch(r"([a-z]+):([1-9][0-9]?):([a-z0-9]+)(\*?)", word)
            if not parts:
                raise Malformed("{word!r} is no gain like areas:3:d3 or yields:2:o2*", word)
            yield Gain(number, parts[1], int(parts[2]), parts[3], parts[4] == "*")


# Fields of the turn


def _make_turn_forms(seats: int, land: Region | None) -> dict[str, Form]:
    """Return the fields of the turn before the options; ``land`` is the region of the seat to move."""
    frame = Form(lambda frame: _write_frame(frame, land), lambda word: _read_frame(word, land))
    return {
        "turn": forms.seat(seats).of("seat"),
        "start": forms.seat(seats),
        "round": forms.number(1, s.ROUNDS + 1),
        "left": forms.number(0, 99),
        "marbled": forms.YES,
        "trigger": forms.holder(seats),
        "last": forms.number(0, 2 * seats),
        "level": forms.level(Level.FULL, Level.SCORE),
        "adjusted": forms.points(seats),
        "doing": forms.several(frame, "/").of("frames"),
        "over": forms.ended(s.FINISHED, s.COUNTED).of("termination"),
        "waived": forms.CLAUSES,
    }


_RULES = {"rules": forms.number(s.EARLIER[0], s.RULES)}


def _write_frame(frame: Frame, land: Region | None) -> str:
    parts = [frame.question]
    parts += [f"n{frame.n}"] * bool(frame.n)
    parts += [f"s{land.names[frame.space]}"] if land and frame.space >= 0 else []
    parts += [f"t{frame.tile}"] * bool(frame.tile)
    parts += [f"p{HELD.write(frame.paid)}"] * bool(frame.paid)
    parts += [f"w{frame.workers}"] * bool(frame.workers)
    parts += ["new"] * (not frame.open)
    return ":".join(parts)


def _read_frame(word: str, land: Region | None) -> Frame:
    parts = _FRAME.fullmatch(word)
    if not parts or parts["question"] not in (BOOK.questions | {s.EFFECT}) - {TURN}:
        raise Malformed("{word!r} is not a question", word)
    return Frame(
        parts["question"],
        int(parts["n"] or 0),
        _find_space(parts["space"], land) if parts["space"] else -1,
        parts["tile"] or "",
        HELD.read(parts["paid"] or "-"),
        int(parts["workers"] or 0),
        not parts["new"],
    )


# The line


def write(state: State) -> str:
    """Return the state's line."""
    deck = str(_count_deck(state.sides, state.discards))
    usual = _find_usual(state.variant.seats, state.copy) | {"deck": deck}
    return line(_write_fields(state), usual, ("seats", *OF_COPY, "turn"))


def _write_fields(state: State) -> dict[str, str]:
    copy, seats = state.copy, state.variant.seats
    own = state.sides[state.seat]
    return joined(
        {"seats": str(seats)},
        written(OF_COPY, copy),
        *(_write_side(letter, side, copy) for letter, side in zip(SEATS, state.sides, strict=False)),
        written(_make_table_forms(copy), state),
        written(_make_turn_forms(seats, _join_boards(own.boards, own.seams, copy)), state),
        options(state.variant),
        written(_RULES, state),
    )


@lru_cache(16)
def _write_side(letter: str, side: Side, copy: Printing) -> dict[str, str]:
    """Return the fields of a seat."""
    forms_of_side = _make_side_forms(copy, _join_boards(side.boards, side.seams, copy))
    return {f"region.{letter}": _write_region(side)} | written(forms_of_side, side, f".{letter}")


@lru_cache(8)
def _find_usual(seats: int, copy: Printing) -> dict[str, str]:
    """Return the usual values, which a line leaves out; that of the deck follows from the other fields."""
    blank = State(Variant(seats), copy, sides=(Side(),) * seats, adjusted=(0,) * seats)
    return _write_fields(blank) | {"deck": ""}


def _count_deck(sides: Iterable[Side], discards: Bag) -> int:
    """Return the number of region cards neither in hands nor in the discards."""
    return kinds.CARDS - sum(side.hand for side in sides) - bags.total(discards)


def parse(text: str, facts: Told = ()) -> State:
    """Return the state of a line, faulty or not; raises BadPosition for one that cannot be read."""
    told, known = given(text), facts_of(facts)
    at_hand = Printing() if lacking(known) else printing(known)
    seats = Fields.seats(told)
    fields = Fields(told, _find_usual(seats, at_hand))
    copy = Printing(**fields.all(OF_COPY))
    sides = tuple(_read_side(fields, letter, copy) for letter in SEATS[:seats])
    own = sides[fields.read("turn", forms.seat(seats).read)]
    forms_of_state = (
        _make_table_forms(copy) | _make_turn_forms(seats, _join_boards(own.boards, own.seams, copy)) | _RULES
    )
    variant = variant_of(seats, fields.options(s.OPTIONS))
    state = State(variant, copy, sides=sides, **fields.all(forms_of_state))
    if state.deck < 0:
        state = replace(state, deck=max(_count_deck(sides, state.discards), 0))
    if state.level is Level.SCORE and not (state.frames or state.termination):
        return replace(state, round=s.ROUNDS + 1, termination=s.COUNTED)
    return state


read, status = reading(parse, BOOK)


def _read_side(fields: Fields, letter: str, copy: Printing) -> Side:
    boards, seams = fields.read(f"region.{letter}", _read_region)
    told = fields.all(_make_side_forms(copy, _join_boards(boards, seams, copy)), behind=f".{letter}")
    return Side(boards, seams, **told)


# Reports and hidden cards


@BOOK.method
def seen(state: State) -> str:
    """Name a tile or card by the number face down before it, and a printed thing by its fact.

    A reshuffled yield card has no name: the number does not tell which one it is. Version 1 does not tell if
    they were reshuffled.
    """
    asked = state.frames[-1]
    side = state.sides[state.seat]
    match asked.question:
        case "refill":
            return f"refill {SEATS[state.seat]} {sum(side.piles)}"
        case "display" | "neutral":
            return f"neutral {bags.total(state.neutral)}"
        case "yield" | "reward":
            again = state.reshuffled or (asked.question == "yield" and not state.yields)
            known = not again and state.rules > 1
            return f"{asked.question} {state.yields} {asked.tile}".rstrip() if known else ""
        case "print" | "bonus":
            return f"{asked.question} {asked.tile}"
    return write(state)


@BOOK.method
def seen_by(state: State, seat: int, text: str) -> State:
    """Read a hand of region cards, ``2v1c`` or ``1v,1v,1c``.

    Raises Malformed for a text that cannot be read, or that contradicts the number of cards or the discards.
    """
    told: Bag = sum(map(HELD.read, (text or "-").split(",")))
    held, hidden = state.sides[seat].hand, state.unseen()
    if bags.total(told) != held or not (hidden is None or bags.within(told, hidden)):
        among = f" among {HELD.write(hidden)}" if hidden is not None else ""
        raise Malformed(f"{text!r} cannot be the hand of {SEATS[seat]}: {held} cards{among}")
    return replace(state, holds=told)


@BOOK.method
def hidden(state: State, seat: int) -> Hidden:
    """Return the region cards that a hand may hold: all outside the discards."""
    size, left = state.sides[seat].hand, state.unseen()
    mosts = [size if left is None else min(size, bags.count(left, kind)) for kind in range(len(KINDS))]
    held = [
        (f"1{kind}", Label(f"kind.{kind}"), most) for kind, most in zip(KINDS, mosts, strict=True) if most
    ]
    return Hidden(size, tuple(held))
