"""A match as a text file: headers, an empty line, one step a line. Readable, diffable, replayable.

::

    podesta match 1
    game: san_gimignano
    rules_version: 1
    seats: Adso, William
    start: b
    level: full
    donazione: may
    result: double_pass, a 63, b 66, won by b

    1 * 8 6 10 9
    2 b P d m6

A line is its number, the seat (``*`` for a report of the table) and the step's notation. A step that stands
although clauses forbid it names them (``7 a P d d !SG-3.2``). A line with ``!`` is points by hand (``8 ! a -5
slow play``), one with ``+`` goods by hand (``8 + a +2 worker fell off``), one with ``~`` pieces that stay on
the table of reports that people took back. An unknown header is refused. ``position:`` replaces the usual
set-up. The facts of the copy that the match knew are headers, too (``fact.start_castles: likely d1 c3 …``,
see :mod:`engines.facts`); a replay uses them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

import engines
from engines.contract import SEATS, Game, Level, Option, Setup, totals, winners
from engines.errors import BadMatchFile, EngineError, nearest
from engines.facts import COPY_FIELD, FIELD, SAMPLE_FIELD, BadFact, of_match, schema
from engines.match import Adjustment, Fallen, Made, Match, Step, replay

FIRST_LINE = "podesta match 1"
BY_HAND = "!"
GOODS = "+"
FALLEN = "~"
_HEADERS = ("game", "rules_version", "seats", "start", "level", "position", "simulated", "note", "result")


class MatchFile(msgspec.Struct, frozen=True):
    """The contents of a match file. ``lines`` are the steps' line numbers, for messages."""

    game: str
    rules_version: int
    names: tuple[str, ...]
    setup: Setup
    steps: tuple[Made, ...]
    simulated: bool = False
    note: str = ""
    result: str = ""
    lines: tuple[int, ...] = ()


def result(match: Match) -> str:
    """Write a result: ``double_pass, a 63, b 66, won by b``; before its end ``unfinished, …``."""
    points = totals(match.game.scoring.bookings(match.state), match.setup.seats)
    parts = [match.state.termination or "unfinished"]
    parts += [f"{SEATS[seat]} {total}" for seat, total in enumerate(points)]
    if match.state.termination:
        won = [SEATS[seat] for seat in winners(match.game, match.state)]
        parts.append(f"won by {won[0]}" if len(won) == 1 else f"shared by {' and '.join(won)}")
    return ", ".join(parts)


def write(file: MatchFile) -> str:
    """Return the text of a file; :func:`read` reads it back."""
    game = engines.game(file.game)
    chosen = dict(file.setup.options)
    known = _read_options(game)
    headers = [
        ("game", file.game),
        ("rules_version", str(file.rules_version)),
        ("seats", ", ".join(file.names)),
        ("start", SEATS[file.setup.start]),
        ("level", file.setup.level.value),
        *[(option.name, chosen.get(option.name, option.values[0])) for option in known.values()],
        ("position", file.setup.position),
        *file.setup.facts,
        ("simulated", "yes" if file.simulated else ""),
        ("note", file.note),
        ("result", file.result),
    ]
    lines = [FIRST_LINE, *[f"{name}: {value}" for name, value in headers if value], ""]
    lines += [f"{number} {line(made)}" for number, made in enumerate(file.steps, 1)]
    return "\n".join(lines) + "\n"


def line(made: Made) -> str:
    """Write a line without its number."""
    if isinstance(made, Adjustment):
        mark = GOODS if made.good else BY_HAND
        return f"{mark} {SEATS[made.seat]} {made.text} {made.reason}".rstrip()
    if isinstance(made, Fallen):
        return " ".join([FALLEN, *made.words])
    who = "*" if made.seat is None else SEATS[made.seat]
    return f"{who} {made.text}" + (f" !{','.join(made.waived)}" if made.waived else "")


def read(text: str, name: str = "match") -> MatchFile:
    """Return the match file in ``text``; raises BadMatchFile with ``name`` and the line."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadMatchFile("{at}: not a match file: it begins with {first!r}", f"{name}:1", FIRST_LINE)
    blank = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    headers: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[1:blank], 2):
        key, colon, value = line.partition(":")
        if not colon or key.strip() in headers:
            at = f"{name}:{number}"
            raise BadMatchFile("{at}: {line!r} is not a header like 'start: a', or there twice", at, line)
        headers[key.strip()] = (number, value.strip())
    steps, numbers = _read_steps(lines, blank, name)
    return _read_file(headers, steps, numbers, name)


def _read_steps(lines: Sequence[str], blank: int, name: str) -> tuple[list[Made], list[int]]:
    steps: list[Made] = []
    numbers: list[int] = []
    for number, text in enumerate(lines[blank:], blank + 1):
        if not text.strip() or text.startswith("#"):
            continue
        parts = text.split(maxsplit=2)
        follows = len(parts) == 3 and parts[0] == str(len(steps) + 1)
        made = _read_made(parts[1], parts[2].strip()) if follows else None
        if not made:
            raise BadMatchFile(
                "{at}: {text!r} is not step {number}: number, seat or *, notation",
                f"{name}:{number}",
                text,
                len(steps) + 1,
            )
        steps.append(made)
        numbers.append(number)
    return steps, numbers


def _read_made(who: str, text: str) -> Made | None:
    """Return the entry of a line after its number, or None if it is none."""
    if who == BY_HAND:
        parts = re.fullmatch(r"([a-d]) ([+-]\d{1,4})(?: (.*))?", text, re.ASCII)
        return Adjustment(SEATS.index(parts[1]), int(parts[2]), parts[3] or "") if parts else None
    if who == GOODS:
        parts = re.fullmatch(r"([a-d]) ([+-]\d{1,4}) (\w+)(?: (.*))?", text, re.ASCII)
        return Adjustment(SEATS.index(parts[1]), int(parts[2]), parts[4] or "", parts[3]) if parts else None
    if who == FALLEN:
        return Fallen(tuple(text.split()))
    if who != "*" and who not in tuple(SEATS):
        return None
    notation, _, waived = text.partition(" !")
    clauses = tuple(waived.split(",")) if waived else ()
    return Step(None if who == "*" else SEATS.index(who), notation.strip(), clauses)


def _read_file(
    headers: dict[str, tuple[int, str]], steps: list[Made], numbers: list[int], name: str
) -> MatchFile:
    def value(key: str, default: str) -> str:
        return headers.get(key, (1, default))[1]

    def at(key: str) -> str:
        return f"{name}:{headers.get(key, (1, ''))[0]}"

    if "game" not in headers:
        raise BadMatchFile("{at}: no 'game:' header", f"{name}:1")
    try:
        game = engines.game(value("game", ""))
    except EngineError as error:
        raise BadMatchFile("{at}: {why}", at("game"), error) from error
    known = _read_options(game)
    of_copy = _list_copy_headers(game.id)
    for key in headers:
        if key not in known and key not in _HEADERS and key not in of_copy:
            if near := nearest(key, [*known, *_HEADERS, *of_copy]):
                raise BadMatchFile("{at}: unknown header {key!r}; did you mean {near!r}?", at(key), key, near)
            raise BadMatchFile("{at}: unknown header {key!r}", at(key), key)
    allowed = {key: option.values for key, option in known.items()} | {SAMPLE_FIELD: ("yes", "no")}
    for key, values in allowed.items():
        if (told := value(key, values[0])) not in values:
            raise BadMatchFile("{at}: {key} is {several}, not {value!r}", at(key), key, values, told)
    chosen = {key: value(key, option.values[0]) for key, option in known.items()}
    start, level, version = value("start", "a"), value("level", "full"), value("rules_version", "1")
    good = {
        "start": start in tuple(SEATS),
        "level": level in tuple(Level),
        "rules_version": version.isdecimal(),
    }
    for bad in (key for key, fine in good.items() if not fine):
        raise BadMatchFile("{at}: {key} cannot be {value!r}", at(bad), bad, value(bad, ""))
    names = tuple(part.strip() for part in value("seats", "").split(",") if part.strip())
    seats = len(names) or game.seats[0]
    facts = _read_facts(game.id, {key: headers[key] for key in sorted(of_copy) if key in headers}, name)
    setup = Setup(
        seats=seats,
        start=SEATS.index(start),
        options=tuple((key, told) for key, told in chosen.items() if told != known[key].values[0]),
        level=Level(level),
        position=value("position", ""),
        facts=facts,
        rules_version=game.kept(int(version)),
    )
    return MatchFile(
        game=game.id,
        rules_version=int(version),
        names=names or tuple(SEATS[:seats]),
        setup=setup,
        steps=tuple(steps),
        simulated=value("simulated", "") == "yes",
        note=value("note", ""),
        result=value("result", ""),
        lines=tuple(numbers),
    )


def _read_facts(game: str, told: dict[str, tuple[int, str]], name: str) -> tuple[tuple[str, str], ...]:
    """Return the facts of the copy in the headers; raises BadMatchFile if they do not fit."""
    texts = {key: text for key, (_, text) in told.items()}
    for problem in of_match(schema(game), tuple(texts.items()))[1]:
        figures = ", ".join(f"{figure} {value}" for figure, value in problem.figures)
        why = BadFact(f"{problem.where}: {problem.check} ({figures})", [problem], schema(game))
        line, _ = told[problem.where.split()[0]]
        raise BadMatchFile("{at}: {why}", f"{name}:{line}", why)
    return tuple((key, text) for key, text in texts.items() if text)


def _read_options(game: Game[Any, Any]) -> dict[str, Option]:
    """Return a game's options by name; raises ValueError for one with the name of a header."""
    for option in game.options:
        if option.name in _HEADERS or option.name in _list_copy_headers(game.id):
            raise ValueError(f"{game.id}: option {option.name!r} is named like a match file's header")
    return {option.name: option for option in game.options}


def _list_copy_headers(game: str) -> tuple[str, ...]:
    """Return the headers about the copy of a game."""
    facts = schema(game).facts
    return (COPY_FIELD, SAMPLE_FIELD, *(FIELD + name for name in facts)) if facts else ()


def play(file: MatchFile, name: str = "match") -> Match:
    """Replay a file; raises BadMatchFile with the line of the first step that does not fit, or if the result
    is another.
    """
    game = engines.game(file.game)
    if file.rules_version > game.rules_version:
        raise BadMatchFile(
            "{at}: made under rules version {made}; version {known} of the rules is known here",
            f"{name}:1",
            file.rules_version,
            game.rules_version,
        )
    try:
        match = replay(game, file.setup, file.steps)
    except EngineError as error:
        where = file.lines[error.at - 1] if error.at and file.lines else 1
        raise BadMatchFile("{at}: {why}", f"{name}:{where}", error) from error
    if file.result and result(match) != file.result:
        raise BadMatchFile(
            "{at}: the file says {told!r}, the replay {found!r}", f"{name}:1", file.result, result(match)
        )
    return match
