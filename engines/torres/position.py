"""A state in one line of ``name=value`` fields; fields left out have their usual values.

::

    seats=2 blocks=...1//..1..1/.......1/1/..1..1//....1 a=c3 b=f6 king=h4
    turn=a start=a phase=1 round=1 left=5 stacks.a=3-3-3-3 stacks.b=3-3-3-3 …

============== ==============================================================================
field          meaning
============== ==============================================================================
seats          the number of players
blocks a king  heights, a seat's knights, the king's space, as in a layout (:mod:`.layouts`)
turn start     the seat to move, the start player of the round
left           action points left; ``placed`` blocks placed this turn, ``under`` slid under a
               knight, ``fresh`` cards taken, ``carded`` if one was played
stacks.a       the blocks in front of a seat at the beginning of the turn
deck.a         the number of action cards in a seat's deck; ``played.a`` those out of the game
points.a       points by phase: ``s3+c4x2+k5+b1+m7/-/-`` are 3 score steps, a castle of area 4 at
               level 2, the king's bonus, a space taken by another and a master card
before adjusted points entered with the layout (level score), and by hand
doing          the question in progress: ``to:c27:n0:open``
============== ==============================================================================

A line of level score without a question is a board to count, with the points on the track ``before``::

    level=score seats=2 blocks=…112/..3 a=c3 b=f6 king=h4 phase=3 before=84,91
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.structs import replace

from engines.contract import SEATS, Hidden, Label, Level, Problem, Told
from engines.errors import Malformed
from engines.kit import TURN, Fields, Form, forms, given, joined, line, listed, standing, words, written
from engines.torres import layouts
from engines.torres import stacks as piles
from engines.torres import state as s
from engines.torres.book import BOOK
from engines.torres.cells import NAMES, names
from engines.torres.final import count_board
from engines.torres.ground import survey
from engines.torres.problems import problems
from engines.torres.stacks import DEALT, PHASES, Stacks
from engines.torres.state import Frame, PhaseGains, State, Variant

# Its fields


def _write_line(line: PhaseGains) -> str:
    parts = [f"s{line.steps}"] * bool(line.steps)
    parts += [f"c{area}x{level}" for area, level in line.castles]
    parts += [f"k{line.king}"] * bool(line.king)
    parts += [f"b{line.bumps}"] * bool(line.bumps)
    parts += [f"m{line.cards}"] * bool(line.cards)
    return listed(parts, "+")


def _write_frame(frame: Frame) -> str:
    return f"{frame.question}:c{frame.cell}:n0:{'open' if frame.open else 'new'}"


def _read_stacks(value: str) -> Stacks:
    if value != "-" and not re.fullmatch(r"[0-9](-[0-9])*", value):
        raise Malformed("{value} is not stacks like 3-3-2", value)
    return tuple(sorted((int(stack) for stack in value.split("-") if stack), reverse=True))


def _read_lines(value: str) -> tuple[PhaseGains, ...]:
    phases = value.split("/")
    if len(phases) != PHASES:
        raise Malformed("{value} is not a part for each phase, like s3+c4x2/-/-", value)
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
            raise Malformed("{part!r} is not points like s3, c4x2, k5, b1 or m7", part)
    return PhaseGains(sums["s"], tuple(castles), sums["k"], sums["b"], sums["m"])


def _read_frame(word: str) -> Frame:
    parts = re.fullmatch(r"(\w+):c(-1|[0-9]{1,2}):n0:(open|new)", word)
    if not parts or parts[1] not in BOOK.questions - {TURN}:
        raise Malformed("{word!r} is not a question", word)
    return Frame(parts[1], int(parts[2]), parts[3] == "open")


# The line


@lru_cache
def _make_forms(seats: int) -> dict[str, Form]:
    """Return the fields of a state before its options."""
    return {
        "blocks": Form(
            lambda ground: layouts.write_heights(ground.heights),
            lambda text: survey(layouts.read_heights(text)),
            "ground",
        ),
        "": Form(names, layouts.read_cells).of_seats("knights"),
        "king": Form(lambda cell: NAMES[cell] if cell >= 0 else "-", layouts.read_king),
        "turn": forms.seat(seats).of("seat"),
        "start": forms.seat(seats),
        "phase": forms.number(1, PHASES),
        "round": forms.number(1, len(DEALT[seats][0])),
        "left": forms.number(0, 9),
        "placed": forms.number(0, 99),
        "under": forms.number(0, 9),
        "fresh": forms.number(0, 9),
        "carded": forms.YES,
        "stacks": Form(piles.text, _read_stacks).of_seats(),
        "deck": forms.number(0, s.DECK).of_seats("decks"),
        "played": forms.members(s.CARDS).of_seats(),
        "points": Form(lambda lines: listed(map(_write_line, lines), "/"), _read_lines).of_seats("lines"),
        "before": forms.points(seats),
        "adjusted": forms.points(seats),
        "level": forms.level(Level.FULL, Level.SCORE),
    }


ENDING = {
    "doing": forms.several(Form(_write_frame, _read_frame), "/").of("frames"),
    "over": forms.ended(s.SETTLED, s.COUNTED).of("termination"),
    "waived": forms.CLAUSES,
}
"""The fields behind the options."""


def write(state: State) -> str:
    """Return the state's line."""
    always = ("seats", "blocks", "king", "turn", *SEATS)
    usual = _find_usual(state.variant.seats, state.variant.master)
    return line(_write_fields(state, s.options(state.variant)), usual, always)


def _write_fields(state: State, options: dict[str, str]) -> dict[str, str]:
    seats = state.variant.seats
    return joined({"seats": str(seats)}, written(_make_forms(seats), state), options, written(ENDING, state))


def _find_usual(seats: int, master: bool) -> dict[str, str]:
    """Return the usual values, which a line leaves out."""
    plain = {option.name: option.values[0] for option in s.OPTIONS}
    return _write_fields(s.blank(Variant(seats, master=master)), plain) | {"seats": "2"}


def read(text: str, _facts: Told = ()) -> State:
    """Read the state a line describes; raises BadPosition for a line that cannot be read or may not stand."""
    return standing(parse(text), lambda state: problems(state, _is_followed(text)))


def status(text: str, _facts: Told = ()) -> list[Problem]:
    """Return the faults of a line; raises BadPosition for one that cannot be read."""
    return problems(parse(text), _is_followed(text))


def _is_followed(text: str) -> bool:
    """Return True if a line is a state of a match, not a board to count."""
    told = given(text)
    return told.get("level") != Level.SCORE or not told.keys().isdisjoint(("doing", "over"))


def parse(text: str) -> State:
    """Return the state of a line, faulty or not; raises BadPosition for one that cannot be read."""
    told = given(text)
    seats = Fields.seats(told)
    fields = Fields(told, _find_usual(seats, told.get("master") == "yes"))
    variant = s.variant_of(seats, fields.options(s.OPTIONS))
    state = State(variant=variant, **fields.all(_make_forms(seats) | ENDING, seats))
    asks_nothing = not (state.frames or state.termination)
    return count_board(state) if state.level is Level.SCORE and asks_nothing else state


# Reports and hidden cards


@BOOK.method
def seen(state: State) -> str:
    """Return the position: reports in equal positions have the same subject."""
    return write(state)


@BOOK.method
def seen_by(state: State, seat: int, text: str) -> State:
    """Read a hand, ``jump,ap7,+leap``, with ``+`` for a card taken this turn.

    Raises Malformed for a text that cannot be read, or that contradicts what everybody saw.
    """
    told = words(text or "-")
    named = [word.removeprefix("+") for word in told]
    for at, word in enumerate(named):
        if word not in s.CARDS or word in named[:at]:
            raise Malformed(f"{word!r} in {text!r} is no action card, or there twice")
    held = s.read_cards(named)
    fresh = sum(word[0] == "+" for word in told)
    wanted = state.fresh if seat == state.seat else 0
    if len(told) != state.hand_size(seat) or fresh != wanted or held & state.played[seat]:
        size, gone = state.hand_size(seat), s.write_cards(state.played[seat])
        shown = f"{size} cards, {wanted} taken this turn (+), none of {gone}"
        raise Malformed(f"{text!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
    return replace(state, holds=s.read_cards(word for word in told if word[0] != "+"))


@BOOK.method
def hidden(state: State, seat: int) -> Hidden:
    """Return the cards that a hand may hold: those not played, listed again for cards taken this turn."""
    left = [name for kind, name in enumerate(s.CARDS) if not state.played[seat] >> kind & 1]
    kinds = [(name, Label(f"card.{name}"), 1) for name in left]
    if seat == state.seat and state.fresh:
        kinds += [(f"+{name}", Label("hand.fresh", (("card", name),)), 1) for name in left]
    return Hidden(state.hand_size(seat), tuple(kinds))
