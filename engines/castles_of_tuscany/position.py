"""A state in one line of ``name=value`` fields; fields left out have their usual values.

::

    seats=2 draw=2 farms=4 outline=5.5 storage=2 boards=A1:icmvvimrrv,B1:trcfftrvvv,C1:vcqftvrqff bonus=c6.3
    cards=- yields=- region.a=A1,B1+1,C1-1 filled.a=c1,d1 stored.a=v … display=c,fa,v turn=a start=b

(one line in truth). A line of level score that asks nothing is a final table that was told: orange, green,
tiles stored, marble, workers, cards and empty spaces of each seat::

    level=score counted.a=84,30,2,0,1,3,6 counted.b=80,31,1,1,0,5,8

Tiles and kinds are letters (:mod:`.kinds`), a bag is ``2v1c``, ``-`` is none.

=================== =========================================================================
field               meaning
=================== =========================================================================
seats               how many sit down
draw farms outline  cards a draw, farm kinds, hexes in the rows of a board
storage             VP of that square tile
boards bonus        boards known and their hexes, colour bonuses known: ``A1:icmvvimrrv``, ``c6.3``
cards yields        region cards by kind in the order of kinds, rewards there are; ``-`` unknown
region.a            the boards from the top, each with its seam: ``A2,B1'+1,C3+0``
filled.a wild.a     occupied spaces; those of them with a wild hex
farms.a             farm kinds on spaces: ``d3a,e3bc``
stored.a hand.a     tiles in storage; how many region cards are held
marble.a workers.a  how many; ``squares.a`` names the square tiles
piles.a turned.a    face-down tiles from the left, ``7.7.6``; own tiles that came out of them
gains.a             VP by round: ``areas:3:d3,yields:2:o2*/bonus:6:c/-``; ``*`` is the orange track
counted.a           what was told of a final table
display neutral     tiles that lie open; neutral ones face down
deck discards       how many region cards; which. A deck left out has all that are nowhere else
yields_left taken   how many yield cards; colour bonuses taken so often
turn start          who is asked, who started; ``round``, ``left`` actions, ``marbled``
trigger last        who triggered the round's end; turns still to come
adjusted waived     points by hand, clauses overruled; ``level`` and options by their names
doing               questions begun, the one asked last: ``pay:n2:sd3:tfa:p2v:w1``
=================== =========================================================================

What is known of the copy is always written. Where such a field is left out, the copy at hand tells, and
where that lacks what a match needs, nothing is known: two cards a draw, four farm kinds, two rows of five.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import kinds, regions
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.facts import MOST_VP, Printing, facts_of, lacking, printing
from engines.castles_of_tuscany.kinds import (
    CARDS,
    FARMS,
    IN_PILE,
    JOINED,
    KINDS,
    NEUTRAL,
    NUMBERS,
    PILES,
    REWARDS,
    SQUARES,
    WILD,
    YIELDS,
)
from engines.castles_of_tuscany.problems import problems
from engines.castles_of_tuscany.regions import HEXES, Outline, Region
from engines.castles_of_tuscany.state import (
    COUNTED,
    EARLIER,
    EFFECT,
    FINISHED,
    NOBODY,
    OPTIONS,
    ROUNDS,
    RULES,
    Frame,
    Gain,
    Side,
    State,
    options,
    unseen,
    variant_of,
)
from engines.contract import SEATS, Hidden, Label, Level, Problem, Told
from engines.errors import Malformed
from engines.kit.position import Fields, given, joined, line, listed, standing, words, yes_no
from engines.kit.rulebook import TURN

_SPACE = "[a-i][1-9]"
_BAG = f"(?:[0-9]{{1,3}}[{KINDS}])+"
_FRAME = re.compile(
    rf"(?P<question>\w+)(?::n(?P<n>[0-9]{{1,2}}))?(?::s(?P<space>{_SPACE}))?(?::t(?P<tile>[\w.+]+))?"
    rf"(?::p(?P<paid>{_BAG}))?(?::w(?P<workers>[0-9]{{1,2}}))?(?P<new>:new)?"
)
_OF_COPY = ("draw", "farms", "outline", "storage", "boards", "bonus", "cards", "yields")


# Writing


def write(state: State) -> str:
    """Return the state's line."""
    turn = {
        "turn": SEATS[state.seat],
        "start": SEATS[state.start],
        "round": str(state.round),
        "left": str(state.left),
        "marbled": yes_no(state.marbled),
        "trigger": _seat(state.trigger),
        "last": str(state.last),
        "level": state.level.value,
        "adjusted": listed(state.adjusted),
        "doing": listed((_frame(state, frame) for frame in state.frames), "/"),
        "over": state.termination or "-",
        "waived": listed(state.waived),
    }
    table = {
        "display": listed(state.display),
        "neutral": bag_text(state.neutral),
        "deck": str(state.deck),
        "discards": bag_text(state.discards),
        "yields_left": str(state.yields),
        "reshuffled": yes_no(state.reshuffled),
        "taken": bag_text(sum(bags.one(kind, times) for kind, times in enumerate(state.taken))),
    }
    seats = state.variant.seats
    sides = [_side(SEATS[seat], side, state.copy) for seat, side in enumerate(state.sides)]
    turn |= options(state.variant) | {"rules": str(state.rules)}
    fields = joined({"seats": str(seats)}, _copy(state.copy), *sides, table, turn)
    usual = _usual(seats, state.copy) | {"deck": str(_rest(state.sides, state.discards))}
    return line(fields, usual, ("seats", *_OF_COPY, "turn"))


@lru_cache(8)
def _usual(seats: int, copy: Printing) -> dict[str, str]:
    """Return the values of fields that are left out; those of a deck left out follow from the others."""
    return joined(
        {"seats": str(seats)},
        _copy(copy),
        *(_side(letter, Side(), copy) for letter in SEATS[:seats]),
        {"display": "-", "neutral": bag_text(NEUTRAL), "deck": "", "discards": "-"},
        {"yields_left": str(YIELDS), "reshuffled": "no", "taken": "-"},
        {"turn": "a", "start": "a", "round": "1", "left": "1", "marbled": "no", "trigger": "-", "last": "0"},
        {"level": Level.FULL.value, "adjusted": listed((0,) * seats)},
        {"doing": "-", "over": "-", "waived": "-"},
        {option.name: option.values[0] for option in OPTIONS},
        {"rules": str(RULES)},
    )


def _copy(copy: Printing) -> dict[str, str]:
    """Return the fields of a copy as far as it is known."""
    pairs = [f"{kind}{pair[0]}.{pair[1]}" for kind, pair in zip(KINDS, copy.bonus, strict=True) if pair]
    return {
        "draw": str(copy.draw),
        "farms": str(copy.farms),
        "outline": listed(copy.outline, "."),
        "storage": str(copy.storage),
        "boards": listed(f"{name}:{hexes}" for name, hexes in copy.boards),
        "bonus": listed(pairs),
        "cards": listed(bags.counts(copy.cards, len(KINDS)), ".") if copy.cards else "-",
        "yields": listed(copy.yields),
    }


@lru_cache(16)
def _side(letter: str, side: Side, copy: Printing) -> dict[str, str]:
    """Return the fields of a seat."""
    land = _land(side.boards, side.seams, copy)
    seams = ["", *(f"{seam:+d}" for seam in side.seams)]
    rounds = [[gain for gain in side.gains if gain.round == number] for number in range(1, ROUNDS + 1)]
    gains = listed((listed(map(_gain, each)) for each in rounds), "/")
    fields = {
        "region": listed(name + seam for name, seam in zip(side.boards, seams, strict=False)),
        "filled": _spaces(land, side.filled),
        "wild": _spaces(land, side.wild),
        "farms": listed(f"{land.names[space]}{shown}" for space, shown in side.shown) if land else "-",
        "stored": listed(side.stored),
        "hand": str(side.hand),
        "marble": str(side.marble),
        "workers": str(side.workers),
        "squares": listed(SQUARES[kind] for kind in bags.elements(side.squares)),
        "piles": listed(side.piles, "."),
        "turned": bag_text(side.turned),
        "gains": gains if side.gains else "-",
        "counted": listed(side.counted),
    }
    return {f"{name}.{letter}": value for name, value in fields.items()}


def bag_text(held: Bag) -> str:
    """Return a bag of kinds as a position writes it: ``2v1c`` by kind; ``-`` for none."""
    return listed((f"{copies}{KINDS[kind]}" for kind, copies in bags.items(held)), "")


def _spaces(land: Region | None, spaces: int) -> str:
    return listed(land.names[space] for space in regions.cells(spaces)) if land else "-"


def _gain(gain: Gain) -> str:
    return f"{gain.category}:{gain.points}:{gain.what}{'*' * gain.orange}"


def _seat(seat: int) -> str:
    return "-" if seat == NOBODY else SEATS[seat]


def _frame(state: State, frame: Frame) -> str:
    side = state.sides[state.seat]
    land = _land(side.boards, side.seams, state.copy)
    parts = [frame.question]
    parts += [f"n{frame.n}"] * bool(frame.n)
    parts += [f"s{land.names[frame.space]}"] if land and frame.space >= 0 else []
    parts += [f"t{frame.tile}"] * bool(frame.tile)
    parts += [f"p{bag_text(frame.paid)}"] * bool(frame.paid)
    parts += [f"w{frame.workers}"] * bool(frame.workers)
    parts += ["new"] * (not frame.open)
    return ":".join(parts)


def _land(boards: tuple[str, ...], seams: tuple[int, ...], copy: Printing) -> Region | None:
    """Return the region of three boards whose hexes are known."""
    known = dict(copy.boards)
    if len(boards) != regions.BOARDS or not all(regions.board(name) in known for name in boards):
        return None
    return regions.put_together(boards, seams, known, copy.outline)


def _rest(sides: Iterable[Side], discards: Bag) -> int:
    """Return the region cards that are in no hand and not in the discards."""
    return CARDS - sum(side.hand for side in sides) - bags.total(discards)


# Reading


def read(text: str, facts: Told = ()) -> State:
    """The state a line describes; raises BadPosition for a line that cannot be read or may not stand."""
    return standing(parse(text, facts), problems)


def status(text: str, facts: Told = ()) -> list[Problem]:
    """Everything wrong with what a readable line describes; raises BadPosition for an unreadable one."""
    return problems(parse(text, facts))


def parse(text: str, facts: Told = ()) -> State:
    """Return the state of a line, wrong or not; raises BadPosition for one that cannot be read."""
    told, known = given(text), facts_of(facts)
    at_hand = Printing() if lacking(known) else printing(known)
    seats = Fields(told, told | {"seats": told.get("seats", "2")}).number("seats", 2, 4)
    fields = Fields(told, _usual(seats, at_hand))
    copy = _read_copy(fields)
    letters = SEATS[:seats]
    sides = tuple(_read_side(fields, letter, copy) for letter in letters)
    discards = fields.read("discards", read_bag)
    seat = fields.seat("turn", seats)
    land = _land(sides[seat].boards, sides[seat].seams, copy)
    level, doing = Level(fields.one_of("level", (Level.FULL, Level.SCORE))), fields["doing"]
    over = fields.one_of("over", ("-", FINISHED, COUNTED)).strip("-")
    told_all = level is Level.SCORE and doing == "-" and not over
    return State(
        variant=variant_of(seats, {each.name: fields.one_of(each.name, each.values) for each in OPTIONS}),
        copy=copy,
        level=level,
        sides=sides,
        display=_tiles(fields, "display", copy),
        neutral=fields.read("neutral", read_bag),
        deck=fields.number("deck", 0, CARDS) if fields["deck"] else max(_rest(sides, discards), 0),
        discards=discards,
        yields=fields.number("yields_left", 0, YIELDS),
        reshuffled=fields.yes("reshuffled"),
        taken=bags.counts(fields.read("taken", read_bag), len(KINDS)),
        seat=seat,
        start=fields.seat("start", seats),
        round=ROUNDS + 1 if told_all else fields.number("round", 1, ROUNDS + 1),
        left=fields.number("left", 0, 99),
        marbled=fields.yes("marbled"),
        trigger=["-", *letters].index(fields.one_of("trigger", ("-", *letters))) + NOBODY,
        last=fields.number("last", 0, 2 * seats),
        frames=fields.each("doing", lambda word: _read_frame(word, land), "/"),
        adjusted=fields.points("adjusted", seats),
        termination=COUNTED if told_all else over,
        waived=fields.clauses("waived"),
        rules=fields.number("rules", EARLIER[0], RULES),
    )


def _read_copy(fields: Fields) -> Printing:
    outline = fields.read("outline", _read_outline)
    bonus = dict(fields.each("bonus", _read_bonus))
    return Printing(
        draw=fields.number("draw", 2, 3),
        farms=fields.number("farms", 1, len(FARMS)),
        outline=outline,
        storage=fields.number("storage", 0, 9),
        boards=fields.each("boards", _read_board),
        bonus=tuple(bonus.get(kind) for kind in KINDS),
        cards=fields.read("cards", _read_split),
        yields=fields.each("yields", _read_reward),
    )


def _read_side(fields: Fields, letter: str, copy: Printing) -> Side:
    boards, seams = fields.read(f"region.{letter}", _read_region)
    land = _land(boards, seams, copy)
    filled, wild = (
        sum({1 << space for space in fields.each(f"{name}.{letter}", lambda word: _space(word, land))})
        for name in ("filled", "wild")
    )
    squares = fields.each(f"squares.{letter}", lambda word: _one_of(word, SQUARES, "square tile"))
    return Side(
        boards=boards,
        seams=seams,
        filled=filled,
        wild=wild,
        shown=tuple(sorted(fields.each(f"farms.{letter}", lambda word: _read_farm(word, land)))),
        stored=_tiles(fields, f"stored.{letter}", copy, WILD),
        hand=fields.number(f"hand.{letter}", 0, CARDS),
        marble=fields.number(f"marble.{letter}", 0, 99),
        workers=fields.number(f"workers.{letter}", 0, 99),
        squares=bags.bag(map(SQUARES.index, squares)),
        piles=fields.read(f"piles.{letter}", _read_piles),
        turned=fields.read(f"turned.{letter}", read_bag),
        gains=tuple(fields.read(f"gains.{letter}", lambda value: list(_read_gains(value)))),
        counted=fields.each(f"counted.{letter}", _read_number),
    )


def _one_of(word: str, allowed: Iterable[str], called: str) -> str:
    """Return a word that there is."""
    known = list(allowed)
    if word not in known:
        raise Malformed(f"{word!r} is no {called}; there are {', '.join(known)}")
    return word


def read_bag(value: str) -> Bag:
    """Return the bag that :func:`bag_text` writes; raises Malformed for another text."""
    if value != "-" and not re.fullmatch(_BAG, value):
        raise Malformed(f"{value!r} is not counts and kinds like 2v1c; kinds are {', '.join(KINDS)}")
    found = 0
    for number, kind in re.findall(f"([0-9]+)([{KINDS}])", value):
        if bags.count(found, NUMBERS[kind]) or int(number) > bags.FULL:
            raise Malformed(f"{value!r} has {kind} twice, or too many of it")
        found += bags.one(NUMBERS[kind], int(number))
    return found


def _read_number(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", word):
        raise Malformed(f"{word!r} is no number")
    return int(word)


def _read_outline(value: str) -> Outline:
    if re.fullmatch(r"[1-9](\.[1-9]){1,2}", value):
        outline = tuple(map(int, value.split(".")))
        if sum(outline) == HEXES and regions.interlocks(outline) and regions.fits(outline):
            return outline
    raise Malformed(f"{value} is not {HEXES} hexes in rows half a hex apart, like 5.5 or 3.4.3")


def _read_board(word: str) -> tuple[str, str]:
    name, _, hexes = word.partition(":")
    _one_of(name, regions.NAMES, "board")
    for kind in hexes:
        _one_of(kind, KINDS, "kind of a hex")
    if len(hexes) != HEXES:
        raise Malformed(f"{name} has {len(hexes)} hexes, a board has {HEXES}")
    return name, hexes


def _read_bonus(word: str) -> tuple[str, tuple[int, int]]:
    parts = re.fullmatch(rf"([{KINDS}])([0-9]{{1,2}})\.([0-9]{{1,2}})", word)
    if not parts or max(int(parts[2]), int(parts[3])) > MOST_VP:
        raise Malformed(f"{word!r} is not a kind and its two values from 0 to {MOST_VP}, like v6.3")
    return parts[1], (int(parts[2]), int(parts[3]))


def _read_reward(word: str) -> str:
    return JOINED.join(_one_of(part, REWARDS, "reward") for part in word.split(JOINED))


def _read_split(value: str) -> Bag:
    if value == "-":
        return 0
    split = [int(part) for part in value.split(".") if re.fullmatch("[1-9][0-9]?", part)]
    if len(split) != len(KINDS) or len(split) != value.count(".") + 1 or sum(split) != CARDS:
        raise Malformed(f"{value} is not {len(KINDS)} numbers like 9.13, one for each kind, {CARDS} in all")
    return sum(bags.one(kind, number) for kind, number in enumerate(split))


def _read_region(value: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    boards: list[str] = []
    seams: list[int] = []
    for number, word in enumerate(words(value)):
        parts = re.fullmatch(rf"([A-Z][0-9]{regions.TURNED}?)(.*)", word)
        name, seam = parts.groups() if parts else ("", "")
        sets = {name[0] for name in boards}
        if number >= regions.BOARDS or regions.board(name) not in regions.NAMES or name[0] in sets:
            raise Malformed(f"{word!r} does not come here: a region is one A, one B and one C, A2,B1'+1,C3+0")
        if bool(seam) != bool(number) or not re.fullmatch("([+-][1-9]|[+]0)?", seam):
            raise Malformed(f"{word!r}: the seam above {name} is like -1, +0 or +1, and the first has none")
        boards.append(name)
        seams += [int(seam)] if seam else []
    return tuple(boards), tuple(seams)


def _space(word: str, land: Region | None) -> int:
    """Return the number of a space by its name."""
    if land is None:
        raise Malformed(f"no space {word!r}: a board of this region is not known")
    if word not in land.names:
        raise Malformed(f"the region has no space {word!r}")
    return land.number(word)


def _read_farm(word: str, land: Region | None) -> tuple[int, str]:
    shown = word[2:]
    if not re.fullmatch(f"[{FARMS}]+", shown) or list(shown) != sorted(set(shown)):
        raise Malformed(f"{word!r} is not a space and the farm kinds there, like d3a or e3bc")
    return _space(word[:2], land), shown


def _tiles(fields: Fields, name: str, copy: Printing, *more: str) -> tuple[str, ...]:
    """Return a list of tiles, sorted."""
    known = {*kinds.tiles(copy.farms), *more}

    def tile(word: str) -> str:
        if word not in known:
            raise Malformed(f"{word!r} is no tile: a kind's letter ({', '.join((*KINDS, *more))}), fa or fbc")
        return word

    return tuple(sorted(fields.each(name, tile), key=kinds.order))


def _read_piles(value: str) -> tuple[int, ...]:
    if not re.fullmatch(rf"[0-{IN_PILE}](\.[0-{IN_PILE}]){{{PILES - 1}}}", value):
        raise Malformed(f"{value} is not {PILES} piles of at most {IN_PILE}, like 7.7.6")
    return tuple(map(int, value.split(".")))


def _read_gains(value: str) -> Iterator[Gain]:
    rounds = value.split("/") if value != "-" else []
    if rounds and len(rounds) != ROUNDS:
        raise Malformed(f"{value} is not {ROUNDS} rounds like areas:3:d3,bonus:6:c/-/-")
    for number, each in enumerate(rounds, 1):
        for word in words(each):
            parts = re.fullmatch(r"([a-z]+):([1-9][0-9]?):([a-z0-9]+)(\*?)", word)
            if not parts:
                raise Malformed(f"{word!r} is no gain like areas:3:d3 or yields:2:o2*")
            yield Gain(number, parts[1], int(parts[2]), parts[3], parts[4] == "*")


def _read_frame(word: str, land: Region | None) -> Frame:
    parts = _FRAME.fullmatch(word)
    if not parts or parts["question"] not in (BOOK.questions | {EFFECT}) - {TURN}:
        raise Malformed(f"{word!r} is not a question")
    return Frame(
        parts["question"],
        int(parts["n"] or 0),
        _space(parts["space"], land) if parts["space"] else -1,
        parts["tile"] or "",
        read_bag(parts["paid"] or "-"),
        int(parts["workers"] or 0),
        not parts["new"],
    )


# What the rules go by


@BOOK.method
def seen(state: State) -> str:
    """Tell what is turned up by how much lay face down before; what is printed by the fact's name.

    Reshuffled yield cards have lain there before: which one comes nobody remembers. Version 1 does not know
    whether they were.
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
def hand(state: State, seat: int, text: str) -> Bag:
    """Return the region cards of a hand written ``2v1c``, or ``1v,1v,1c``.

    Raises Malformed for a text that cannot be read, or that its number of cards or those in the discards
    rule out.
    """
    told = sum(map(read_bag, (text or "-").split(",")))
    held, hidden = state.sides[seat].hand, unseen(state)
    if bags.total(told) != held or not (hidden is None or bags.within(told, hidden)):
        among = f" among {bag_text(hidden)}" if hidden is not None else ""
        raise Malformed(f"{text!r} cannot be the hand of {SEATS[seat]}: {held} cards{among}")
    return told


@BOOK.method
def hidden(state: State, seat: int) -> Hidden:
    """Return the region cards that a hand may hold: all that lie in no discard."""
    size, left = state.sides[seat].hand, unseen(state)
    mosts = [size if left is None else min(size, bags.count(left, kind)) for kind in range(len(KINDS))]
    kinds = [
        (f"1{kind}", Label(f"kind.{kind}"), most) for kind, most in zip(KINDS, mosts, strict=True) if most
    ]
    return Hidden(size, tuple(kinds))
