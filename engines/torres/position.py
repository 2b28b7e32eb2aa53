"""A state in one line of ``name=value`` fields; fields left out have their usual values.

::

    seats=2 blocks=...1//..1..1/.......1/1/..1..1//....1 a=c3 b=f6 king=h4
    turn=a start=a phase=1 round=1 left=5 stacks.a=3-3-3-3 stacks.b=3-3-3-3 …

============== ==============================================================================
field          meaning
============== ==============================================================================
seats          how many sit down
blocks a king  heights, a seat's knights, the king's space, as in a layout (:mod:`.layout`)
turn start     who is asked, who started the round
left           action points left; ``placed`` blocks placed this turn, ``under`` one slid under a
               knight, ``fresh`` cards taken, ``carded`` one played
stacks.a       the blocks in front of a seat as the turn found them
deck.a         how many action cards are left in a seat's deck; ``played.a`` which left the game
points.a       points by phase: ``s3+c4x2+k5+b1+m7/-/-`` are 3 score steps, a castle of area 4 at
               level 2, the king's bonus, a space taken by another and a master card
before adjusted points entered with the layout (level score), and by hand
doing          the question that was begun: ``to:c27:n0:open``
============== ==============================================================================

A line of level score that asks nothing is a board to be counted, after the points on the track ``before``::

    level=score seats=2 blocks=…112/..3 a=c3 b=f6 king=h4 phase=3 before=84,91
"""

from __future__ import annotations

import re

from engines.contract import SEATS, Hidden, Label, Level, Problem, Told
from engines.errors import Malformed
from engines.kit.position import Fields, given, joined, line, listed, standing, words, yes_no
from engines.kit.rulebook import TURN
from engines.torres import cards as c
from engines.torres import layout as layouts
from engines.torres import stacks as piles
from engines.torres.book import BOOK
from engines.torres.cells import NAMES, names
from engines.torres.final import counted
from engines.torres.ground import survey
from engines.torres.problems import problems
from engines.torres.stacks import DEALT, PHASES, Stacks
from engines.torres.state import (
    COUNTED,
    DECK,
    OPTIONS,
    POINTS,
    SETTLED,
    Frame,
    PhaseGains,
    State,
    hand_size,
    options,
    variant_of,
)


def write(state: State) -> str:
    """Return the state's line."""
    seats = range(state.variant.seats)
    fields = {"seats": str(state.variant.seats), "blocks": layouts.heights_text(state.ground.heights)}
    knights = {SEATS[seat]: names(state.knights[seat]) for seat in seats}
    turn = {
        "king": _space(state.king),
        "turn": SEATS[state.seat],
        "start": SEATS[state.start],
        "phase": str(state.phase),
        "round": str(state.round),
        "left": str(state.left),
        "placed": str(state.placed),
        "under": str(state.under),
        "fresh": str(state.fresh),
        "carded": yes_no(state.carded),
    }
    cards = {f"stacks.{SEATS[seat]}": piles.text(state.stacks[seat]) for seat in seats}
    cards |= {f"deck.{SEATS[seat]}": str(state.decks[seat]) for seat in seats}
    cards |= {f"played.{SEATS[seat]}": c.names(state.played[seat]) for seat in seats}
    points = {f"points.{SEATS[seat]}": listed(map(_line, state.lines[seat]), "/") for seat in seats}
    points |= {
        "before": listed(state.before),
        "adjusted": listed(state.adjusted),
        "level": state.level.value,
    }
    ending = {
        "doing": listed(map(_frame, state.frames), "/"),
        "over": state.termination or "-",
        "waived": listed(state.waived),
    }
    fields = joined(fields, knights, turn, cards, points, options(state.variant), ending)
    always = ("seats", "blocks", "king", "turn", *SEATS)
    return line(fields, _usual(state.variant.seats, state.variant.master), always)


def _usual(seats: int, master: bool) -> dict[str, str]:
    """Return the values of fields that are left out."""
    fields = {
        "seats": "2",
        "blocks": "///////",
        "king": "-",
        "turn": "a",
        "start": "a",
        "phase": "1",
        "round": "1",
        "left": str(POINTS),
        "placed": "0",
        "under": "0",
        "fresh": "0",
        "carded": "no",
        "before": ",".join("0" * seats),
        "adjusted": ",".join("0" * seats),
        "level": "full",
        "doing": "-",
        "over": "-",
        "waived": "-",
    }
    fields = joined(fields, {option.name: option.values[0] for option in OPTIONS})
    for letter in SEATS[:seats]:
        fields |= {letter: "-", f"stacks.{letter}": "-", f"deck.{letter}": "0" if master else str(DECK)}
        fields |= {f"played.{letter}": "-", f"points.{letter}": "-/-/-"}
    return fields


def _space(cell: int) -> str:
    return NAMES[cell] if cell >= 0 else "-"


def _line(line: PhaseGains) -> str:
    parts = [f"s{line.steps}"] * bool(line.steps)
    parts += [f"c{area}x{level}" for area, level in line.castles]
    parts += [f"k{line.king}"] * bool(line.king)
    parts += [f"b{line.bumps}"] * bool(line.bumps)
    parts += [f"m{line.cards}"] * bool(line.cards)
    return listed(parts, "+")


def _frame(frame: Frame) -> str:
    return f"{frame.question}:c{frame.cell}:n0:{'open' if frame.open else 'new'}"


def read(text: str, _facts: Told = ()) -> State:
    """The state a line describes; raises BadPosition for a line that cannot be read or may not stand."""
    return standing(parse(text), lambda state: problems(state, _followed(text)))


def status(text: str, _facts: Told = ()) -> list[Problem]:
    """Everything wrong with what a readable line describes; raises BadPosition for an unreadable one."""
    return problems(parse(text), _followed(text))


def _followed(text: str) -> bool:
    """Return True if a line tells a state of a match, not a board to be counted."""
    told = given(text)
    return told.get("level") != Level.SCORE or not told.keys().isdisjoint(("doing", "over"))


# Reading


def parse(text: str) -> State:
    """Return the state of a line, wrong or not; raises BadPosition for one that cannot be read."""
    told = given(text)
    of_seats = Fields(told, told | {"seats": told.get("seats", "2"), "master": told.get("master", "no")})
    seats = of_seats.number("seats", 2, 4)
    fields = Fields(told, _usual(seats, of_seats.yes("master")))
    letters = SEATS[:seats]
    phase = fields.number("phase", 1, PHASES)
    state = State(
        variant=variant_of(seats, {each.name: fields.one_of(each.name, each.values) for each in OPTIONS}),
        level=Level(fields.one_of("level", (Level.FULL, Level.SCORE))),
        ground=survey(fields.read("blocks", layouts.read_heights)),
        knights=tuple(fields.read(letter, layouts.read_cells) for letter in letters),
        king=fields.read("king", layouts.read_king),
        seat=fields.seat("turn", seats),
        start=fields.seat("start", seats),
        phase=phase,
        round=fields.number("round", 1, len(DEALT[seats][phase - 1])),
        left=fields.number("left", 0, 9),
        placed=fields.number("placed", 0, 99),
        under=fields.number("under", 0, 9),
        fresh=fields.number("fresh", 0, 9),
        carded=fields.yes("carded"),
        stacks=tuple(fields.read(f"stacks.{letter}", _read_stacks) for letter in letters),
        decks=tuple(fields.number(f"deck.{letter}", 0, DECK) for letter in letters),
        played=tuple(fields.read(f"played.{letter}", _read_cards) for letter in letters),
        lines=tuple(fields.read(f"points.{letter}", _read_lines) for letter in letters),
        before=fields.points("before", seats),
        adjusted=fields.points("adjusted", seats),
        frames=fields.each("doing", _read_frame, "/"),
        termination=fields.one_of("over", ("-", SETTLED, COUNTED)).strip("-"),
        waived=fields.clauses("waived"),
    )
    asks_nothing = not (state.frames or state.termination)
    return counted(state) if state.level is Level.SCORE and asks_nothing else state


def _read_stacks(value: str) -> Stacks:
    if value != "-" and not re.fullmatch(r"[0-9](-[0-9])*", value):
        raise Malformed(f"{value} is not stacks like 3-3-2")
    return tuple(sorted((int(stack) for stack in value.split("-") if stack), reverse=True))


def _read_cards(value: str) -> int:
    named = words(value)
    for at, word in enumerate(named):
        if word not in c.CARDS or word in named[:at]:
            raise Malformed(f"{word!r} is not one of {', '.join(c.CARDS)}, or there twice")
    return c.cards_of(named)


def _read_lines(value: str) -> tuple[PhaseGains, ...]:
    phases = value.split("/")
    if len(phases) != PHASES:
        raise Malformed(f"{value} is not {PHASES} phases like s3+c4x2/-/-")
    return tuple(map(_read_line, phases))


def _read_line(value: str) -> PhaseGains:
    sums = {"s": 0, "k": 0, "b": 0, "m": 0}
    castles = []
    for part in words(value, "+"):
        castle = re.fullmatch(r"c([0-9]{1,2})x([0-9]{1,2})", part)
        plain = re.fullmatch(r"([skbm])([0-9]{1,4})", part)
        if castle:
            castles.append((int(castle[1]), int(castle[2])))
        elif plain:
            sums[plain[1]] += int(plain[2])
        else:
            raise Malformed(f"{part!r} is not points like s3, c4x2, k5, b1 or m7")
    return PhaseGains(sums["s"], tuple(castles), sums["k"], sums["b"], sums["m"])


def _read_frame(word: str) -> Frame:
    parts = re.fullmatch(r"(\w+):c(-1|[0-9]{1,2}):n0:(open|new)", word)
    if not parts or parts[1] not in BOOK.questions - {TURN}:
        raise Malformed(f"{word!r} is not a question")
    return Frame(parts[1], int(parts[2]), parts[3] == "open")


# What the rules go by


@BOOK.method
def seen(state: State) -> str:
    """Reports in equal positions are about the same."""
    return write(state)


@BOOK.method
def hand(state: State, seat: int, text: str) -> int:
    """The cards that may be played of a hand written ``jump,ap7,+leap``, ``+`` for one taken this turn.

    Raises Malformed for a text that cannot be read, or that what everybody saw rules out.
    """
    told = words(text or "-")
    named = [word.removeprefix("+") for word in told]
    for at, word in enumerate(named):
        if word not in c.CARDS or word in named[:at]:
            raise Malformed(f"{word!r} in {text!r} is no action card, or there twice")
    held = c.cards_of(named)
    fresh = sum(word[0] == "+" for word in told)
    wanted = state.fresh if seat == state.seat else 0
    if len(told) != hand_size(state, seat) or fresh != wanted or held & state.played[seat]:
        size, gone = hand_size(state, seat), c.names(state.played[seat])
        shown = f"{size} cards, {wanted} taken this turn (+), none of {gone}"
        raise Malformed(f"{text!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
    return c.cards_of(word for word in told if word[0] != "+")


@BOOK.method
def hidden(state: State, seat: int) -> Hidden:
    """Return the cards that a hand may hold: those not played, apart from them those taken this turn."""
    left = [name for kind, name in enumerate(c.CARDS) if not state.played[seat] >> kind & 1]
    kinds = [(name, Label(f"card.{name}"), 1) for name in left]
    if seat == state.seat and state.fresh:
        kinds += [(f"+{name}", Label("hand.fresh", (("card", name),)), 1) for name in left]
    return Hidden(hand_size(state, seat), tuple(kinds))
