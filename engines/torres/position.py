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
from collections.abc import Callable
from typing import TypeVar

from engines.contract import SEATS, Level, Problem, Told
from engines.errors import BadPosition, Malformed
from engines.torres import cards as c
from engines.torres import layout as layouts
from engines.torres import stacks as piles
from engines.torres.cells import NAMES, names
from engines.torres.ground import survey
from engines.torres.phases import counted
from engines.torres.problems import problems
from engines.torres.questions import QUESTIONS
from engines.torres.stacks import DEALT, PHASES, Stacks
from engines.torres.state import (
    COUNTED,
    DECK,
    POINTS,
    SETTLED,
    Frame,
    Line,
    State,
    Variant,
    hand_size,
)

T = TypeVar("T")

_VARIANT = {
    "descend": ("doors", "castle", "descend"),
    "leader_first": ("scoring_order", "start_player", "leader_first"),
    "last_chooses": ("next_start", "last", "last_chooses"),
    "master": ("master", "no", "yes"),
    "master_cards": ("master_cards", "no", "yes"),
}
"""Options by the field of :class:`Variant`: name, value for no, value for yes."""


def option(variant: Variant, field: str) -> str:
    """The value that a variant has for an option."""
    return _VARIANT[field][1 + getattr(variant, field)]


def write(state: State) -> str:
    """The state's line."""
    seats = range(state.variant.seats)
    fields = {"seats": str(state.variant.seats), "blocks": layouts.heights_text(state.ground.heights)}
    fields |= {SEATS[seat]: names(state.knights[seat]) for seat in seats}
    fields |= {
        "king": _space(state.king),
        "turn": SEATS[state.seat],
        "start": SEATS[state.start],
        "phase": str(state.phase),
        "round": str(state.round),
        "left": str(state.left),
        "placed": str(state.placed),
        "under": str(state.under),
        "fresh": str(state.fresh),
        "carded": "yes" if state.carded else "no",
    }
    fields |= {f"stacks.{SEATS[seat]}": piles.text(state.stacks[seat]) for seat in seats}
    fields |= {f"deck.{SEATS[seat]}": str(state.decks[seat]) for seat in seats}
    fields |= {f"played.{SEATS[seat]}": c.names(state.played[seat]) for seat in seats}
    fields |= {f"points.{SEATS[seat]}": "/".join(map(_line, state.lines[seat])) for seat in seats}
    fields |= {
        "before": ",".join(map(str, state.before)),
        "adjusted": ",".join(map(str, state.adjusted)),
        "level": state.level.value,
    }
    fields |= {name: option(state.variant, field) for field, (name, _, _) in _VARIANT.items()}
    fields |= {
        "doing": "/".join(map(_frame, state.frames)) or "-",
        "over": state.termination or "-",
        "waived": ",".join(state.waived) or "-",
    }
    usual = _usual(state.variant.seats, state.variant.master)
    always = ("seats", "blocks", "king", "turn", *SEATS)
    kept = {name: value for name, value in fields.items() if name in always or value != usual[name]}
    return " ".join(f"{name}={value}" for name, value in kept.items())


def _usual(seats: int, master: bool) -> dict[str, str]:
    """The values of fields that are left out."""
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
    fields |= {name: usual for name, usual, _ in _VARIANT.values()}
    for letter in SEATS[:seats]:
        fields |= {letter: "-", f"stacks.{letter}": "-", f"deck.{letter}": "0" if master else str(DECK)}
        fields |= {f"played.{letter}": "-", f"points.{letter}": "-/-/-"}
    return fields


def _space(cell: int) -> str:
    return NAMES[cell] if cell >= 0 else "-"


def _line(line: Line) -> str:
    parts = [f"s{line.steps}"] * bool(line.steps)
    parts += [f"c{area}x{level}" for area, level in line.castles]
    parts += [f"k{line.king}"] * bool(line.king)
    parts += [f"b{line.bumps}"] * bool(line.bumps)
    parts += [f"m{line.cards}"] * bool(line.cards)
    return "+".join(parts) or "-"


def _frame(frame: Frame) -> str:
    return f"{frame.question}:c{frame.cell}:n{frame.n}:{'open' if frame.open else 'new'}"


def read(text: str, _facts: Told = ()) -> State:
    """The state a line describes; raises BadPosition for a line that cannot be read or may not stand."""
    state = parse(text)
    found = problems(state)
    if found:
        first = found[0]
        figures = ", ".join(f"{name} {value}" for name, value in first.figures)
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        message = (
            f"position, {first.where}: {first.check} ({first.clause}){': ' if figures else ''}{figures}{more}"
        )
        raise BadPosition(message, found)
    return state


def status(text: str, _facts: Told = ()) -> list[Problem]:
    """Everything wrong with what a readable line describes; raises BadPosition for an unreadable one."""
    return problems(parse(text))


# Reading


def parse(text: str) -> State:
    """What a line describes, wrong or not; raises BadPosition for one that cannot be read."""
    given: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in given:
            raise BadPosition(f"position: {word!r} is not a field, or there twice")
        given[name] = value
    seats = _number("seats", given.get("seats", "2"), 2, 4)
    master = _one_of("master", given.get("master", "no"), ("no", "yes")) == "yes"
    usual = _usual(seats, master)
    for name in given:
        if name not in usual:
            raise BadPosition(f"position: {name!r} is not a field; fields are {', '.join(usual)}")
    read = usual | given
    letters = SEATS[:seats]
    phase = _number("phase", read["phase"], 1, PHASES)
    variant = Variant(
        seats,
        **{field: _one_of(name, read[name], (no, yes)) == yes for field, (name, no, yes) in _VARIANT.items()},
    )
    state = State(
        variant=variant,
        level=Level(_one_of("level", read["level"], [level.value for level in (Level.FULL, Level.SCORE)])),
        ground=survey(_told("blocks", layouts.read_heights, read["blocks"])),
        knights=tuple(_told(letter, layouts.read_cells, read[letter]) for letter in letters),
        king=_told("king", layouts.read_king, read["king"]),
        seat=letters.index(_one_of("turn", read["turn"], letters)),
        start=letters.index(_one_of("start", read["start"], letters)),
        phase=phase,
        round=_number("round", read["round"], 1, len(DEALT[seats][phase - 1])),
        left=_number("left", read["left"], 0, 9),
        placed=_number("placed", read["placed"], 0, 99),
        under=_number("under", read["under"], 0, 9),
        fresh=_number("fresh", read["fresh"], 0, 9),
        carded=_one_of("carded", read["carded"], ("no", "yes")) == "yes",
        stacks=tuple(_read_stacks(f"stacks.{letter}", read[f"stacks.{letter}"]) for letter in letters),
        decks=tuple(_number(f"deck.{letter}", read[f"deck.{letter}"], 0, DECK) for letter in letters),
        played=tuple(_read_cards(f"played.{letter}", read[f"played.{letter}"]) for letter in letters),
        lines=tuple(_read_lines(f"points.{letter}", read[f"points.{letter}"]) for letter in letters),
        before=_read_points("before", read["before"], seats),
        adjusted=_read_points("adjusted", read["adjusted"], seats),
        frames=_read_frames(read["doing"]),
        termination=_one_of("over", read["over"], ("-", SETTLED, COUNTED)).strip("-"),
        waived=_read_waived(read["waived"]),
    )
    asks_nothing = not (state.frames or state.termination)
    return counted(state) if state.level is Level.SCORE and asks_nothing else state


def _told(field: str, read: Callable[[str], T], value: str) -> T:
    try:
        return read(value)
    except Malformed as error:
        raise BadPosition(f"position: {field}: {error}") from error


def _number(field: str, value: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", value) or not least <= int(value) <= most:
        raise BadPosition(f"position: {field}={value} is not a number from {least} to {most}")
    return int(value)


def _one_of(field: str, value: str, allowed: str | tuple[str, ...] | list[str]) -> str:
    if value not in tuple(allowed):
        raise BadPosition(f"position: {field}={value} is not one of {', '.join(allowed)}")
    return value


def _read_stacks(field: str, value: str) -> Stacks:
    if value != "-" and not re.fullmatch(r"[0-9](-[0-9])*", value):
        raise BadPosition(f"position: {field}={value} is not stacks like 3-3-2")
    return tuple(sorted((int(stack) for stack in value.split("-") if stack), reverse=True))


def _read_cards(field: str, value: str) -> int:
    words = [] if value == "-" else value.split(",")
    for at, word in enumerate(words):
        if word not in c.CARDS or word in words[:at]:
            known = ", ".join(c.CARDS)
            raise BadPosition(f"position: {field}: {word!r} is not one of {known}, or there twice")
    return c.cards_of(words)


def _read_points(field: str, value: str, seats: int) -> tuple[int, ...]:
    parts = value.split(",")
    if len(parts) != seats or not all(re.fullmatch(r"-?[0-9]{1,6}", part) for part in parts):
        raise BadPosition(f"position: {field}={value} is not {seats} numbers like 5,-3")
    return tuple(map(int, parts))


def _read_lines(field: str, value: str) -> tuple[Line, ...]:
    phases = value.split("/")
    if len(phases) != PHASES:
        raise BadPosition(f"position: {field}={value} is not {PHASES} phases like s3+c4x2/-/-")
    return tuple(_read_line(field, phase) for phase in phases)


def _read_line(field: str, value: str) -> Line:
    sums = {"s": 0, "k": 0, "b": 0, "m": 0}
    castles = []
    for part in [] if value == "-" else value.split("+"):
        castle = re.fullmatch(r"c([0-9]{1,2})x([0-9]{1,2})", part)
        plain = re.fullmatch(r"([skbm])([0-9]{1,4})", part)
        if castle:
            castles.append((int(castle[1]), int(castle[2])))
        elif plain:
            sums[plain[1]] += int(plain[2])
        else:
            raise BadPosition(f"position: {field}: {part!r} is not points like s3, c4x2, k5, b1 or m7")
    return Line(sums["s"], tuple(castles), sums["k"], sums["b"], sums["m"])


def _read_frames(value: str) -> tuple[Frame, ...]:
    frames = []
    for word in [] if value == "-" else value.split("/"):
        parts = re.fullmatch(r"(\w+):c(-1|[0-9]{1,2}):n([0-9]{1,2}):(open|new)", word)
        if not parts or parts[1] not in QUESTIONS or parts[1] == "action":
            raise BadPosition(f"position: doing: {word!r} is not a question")
        frames.append(Frame(parts[1], int(parts[2]), int(parts[3]), parts[4] == "open"))
    return tuple(frames)


def _read_waived(value: str) -> tuple[str, ...]:
    words = [] if value == "-" else value.split(",")
    for word in words:
        if not re.fullmatch(r"[A-Za-z0-9.-]{1,16}", word):
            raise BadPosition(f"position: waived: {word!r} is not a clause like TO-3.2")
    return tuple(words)


# A hand told by its player


def read_hand(state: State, seat: int, text: str) -> int:
    """The cards that may be played of a hand written ``jump,ap7,+leap``, ``+`` for one taken this turn.

    Raises Malformed for a text that cannot be read, or that what everybody saw rules out.
    """
    words = [] if text in ("-", "") else text.split(",")
    named = [word.removeprefix("+") for word in words]
    for at, word in enumerate(named):
        if word not in c.CARDS or word in named[:at]:
            raise Malformed(f"{word!r} in {text!r} is no action card, or there twice")
    held = c.cards_of(named)
    fresh = sum(word[0] == "+" for word in words)
    wanted = state.fresh if seat == state.seat else 0
    if len(words) != hand_size(state, seat) or fresh != wanted or held & state.played[seat]:
        size, gone = hand_size(state, seat), c.names(state.played[seat])
        shown = f"{size} cards, {wanted} taken this turn (+), none of {gone}"
        raise Malformed(f"{text!r} cannot be the hand of {SEATS[seat]}: all saw that it is {shown}")
    return c.cards_of(word for word in words if word[0] != "+")
