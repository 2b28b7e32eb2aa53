"""A match for a page: turn, table, score and its course, as values fit for JSON.

:func:`describe_table` is a pure function of a match and its words; :class:`Tables` keeps its result until the
match has moved on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from device.match import Dispute, Kind, Record, Replay, describe_score, say_ruling, tell_contents, tell_hands
from device.voices import Voices
from engines.board import Board
from engines.contract import Decide, Game, Label, Mark, Over, Panel, Scene, Zone
from engines.errors import EngineError
from engines.match import Point
from engines.texts import apart
from engines.words import Words, breakdown, scores_of

Json = dict[str, Any]


class Tables:
    """The open match as JSON for pages, in each page's language, computed again only after a change."""

    def __init__(self, voices: Voices) -> None:
        self._voices = voices
        self._course = Course()
        self._of: tuple[object, ...] | None = None
        self._by_language: dict[str, str] = {}

    def __call__(self, cookies: Mapping[str, str], replay: Replay | None, *, asked: bool = False) -> str:
        """Return the JSON of :func:`describe_table` for a page with these ``cookies``, ``null`` without a
        match; ``asked`` as there.
        """
        of = (len(replay.log), asked, replay, replay.match.points[-1]) if replay else None
        if of != self._of:
            self._of, self._by_language = of, {}
        voice = self._voices.asked(cookies)
        if replay and voice.language not in self._by_language:
            self._by_language[voice.language] = "null"  # an error here is raised once, not at every look
            table = describe_table(replay, voice.words(replay), self._course.of(replay), asked=asked)
            self._by_language[voice.language] = msgspec.json.encode(table).decode()
        return self._by_language.get(voice.language, "null")


class Course:
    """Each seat's points after each step; scores of points that a match still has are kept."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._scores: list[list[int]] = []

    def of(self, replay: Replay) -> list[list[int]]:
        """Return the scores from the start until now, each by seat."""
        points = replay.match.points
        same = 0
        for ours, theirs in zip(self._points, points, strict=False):
            if ours is not theirs:
                break
            same += 1
        del self._points[same:], self._scores[same:]
        for point in points[same:]:
            self._points.append(point)
            self._scores.append(scores_of(replay.game, point.state, len(replay.names)))
        return self._scores


def describe_table(
    replay: Replay, words: Words, course: Sequence[Sequence[int]], *, asked: bool = False
) -> Json:
    """Return everything that a page shows of a match; ``course`` has each seat's points after each entry.

    ``head`` is the number of the last record, ``entries`` those of the entries that count. ``players`` has by
    seat the ``name`` and ``short``, which tells it from the others.

    ``turn`` has ``who``, ``seat`` (None unless exactly one seat is asked), ``question`` (at the end: who
    won), ``about``, ``over``, and ``halted``, the reason for a standstill, empty without one. Its ``acting``
    is the seat whose step it is, also while the table reports; ``left`` are the seats still to choose if all
    choose at once. ``last`` is the last entry: ``said``, ``hands`` and ``news``.

    ``boards`` and ``zones`` are the table (:func:`_describe_board`, :func:`_describe_zone`). A board lies in
    front of its ``seat``, None for all; it is ``near`` if that is None or the acting seat.
    ``grounds`` are the names of the boards' printed grounds, ``other`` those of pieces there that do not
    match their ground. ``drift`` has the differences that a sensor which has ``asked`` saw. ``scene`` is the
    drawn table (:func:`draw_table`), None in a game without one. ``score`` is
    :func:`device.match.describe_score` with ``parts`` and ``course``.
    """
    points = replay.match.points
    now, before = points[-1].state, points[-2].state if len(points) > 1 else points[-1].state
    shown, were = _list_boards(replay, now), _list_boards(replay, before)
    seats = {name: sight.SEAT for name, sight in replay.game.in_sight(now).items()}
    near, zones = (None, _find_acting_seat(replay)), replay.game.telling.zones
    cells = [cell for board in shown.values() for cell in board.cells if cell and cell.ground]
    grounds = sorted({cell.ground for cell in cells})
    other = sorted({words.piece(cell.piece) for cell in cells if cell.piece and not cell.covered})
    return {
        "game": words("title"),
        "sample": replay.header.sample,
        "head": replay.log[-1].seq if replay.log else 0,
        "entries": [line.seq for line in replay.history],
        "players": [
            {"name": name, "short": short}
            for name, short in zip(replay.names, apart(replay.names), strict=True)
        ],
        "turn": _describe_turn(replay, words),
        "last": _describe_last(replay, words),
        "boards": [
            _describe_board(name, board, were.get(name), words)
            | {"seat": seats[name], "near": seats[name] in near}
            for name, board in shown.items()
        ],
        "grounds": {ground: words(f"ground.{ground}") for ground in grounds},
        "other": other,
        "zones": [_describe_zone(zone, was, words) for zone, was in _pair_zones(zones(now), zones(before))],
        "scene": draw_table(replay.game, words, before, now),
        "drift": _find_drift(replay, words) if asked else [],
        "score": describe_score(replay, words) | {"parts": _list_parts(replay, words), "course": course},
    }


def _describe_turn(replay: Replay, words: Words) -> Json:
    pending = replay.match.pending
    if replay.abandoned:
        who = words("play.abandoned")
        still = {"question": "", "about": [], "over": True, "halted": ""}
        return {"who": who, "seat": None, "acting": None, "left": [], **still}
    paused, called = replay.affairs.paused, replay.affairs.call
    over, seats = isinstance(pending, Over), pending.seats if isinstance(pending, Decide) else ()
    together = len(seats) > 1 or bool(replay.match.points[-1].sealed)
    telling, state = replay.game.telling, replay.match.state
    opening = () if replay.match.steps else telling.opening(state)
    return {
        "who": words.actor(pending),
        "seat": seats[0] if len(seats) == 1 else None,
        "acting": None if together else _find_acting_seat(replay),
        "left": list(seats) if together else [],
        "question": _tell_winners(replay, words) if over else words.prompt(pending),
        "about": _tell_ending(replay, words) if over else words.labels([*opening, *telling.about(state)]),
        "over": over,
        "halted": words("stopped.paused") if paused else words("stopped.called") if called else "",
    }


def _tell_winners(replay: Replay, words: Words) -> str:
    best = replay.game.scoring.ranking(replay.match.state)[0].seats
    return words("play.won" if len(best) == 1 else "play.all_won", name=words.all(map(words.name, best)))


def _tell_ending(replay: Replay, words: Words) -> list[str]:
    """Tell the disputes about the score, and how the match ended."""
    disputes = [view for view in replay.affairs.views if isinstance(view, Dispute)]
    said = words.texts.by_semicolons(say_ruling(words, view) for view in disputes)
    return [*([words("ending.disputed", said=said)] if disputes else ()), words.prompt(replay.match.pending)]


def _find_acting_seat(replay: Replay) -> int | None:
    """Return the seat that is asked; while the table reports on a step, the seat whose step it was."""
    pending = replay.match.pending
    if isinstance(pending, Decide) and len(pending.seats) == 1:
        return pending.seats[0]
    made = (line.seat for line in reversed(replay.history) if line.seat is not None)
    return None if isinstance(pending, Over) else next(made, None)


def _describe_last(replay: Replay, words: Words) -> Json | None:
    """Return the last entry; a choice that is still sealed stays unnamed."""
    if not replay.history:
        return None
    line, telling, match = replay.history[-1], replay.game.telling, replay.match
    before, after = (point.state for point in match.points[-2:])
    last = len(match.steps) - 1
    said = words.made(match, last) if replay.write_public(line) else words.by(line.seat, "")
    hands = tell_hands(words, match, last, telling.hands(before, match.chosen(last), after))
    return {"said": said, "hands": hands, "news": words.labels(telling.news(before, after))}


# The table


def draw_table(game: Game[Any, Any], words: Words, before: Any, now: Any) -> Json | None:
    """Return the drawn table; None in a game without a scene.

    It has ``game``, whose colours and pictograms apply; ``when``; ``free``; and the ``panels``, each with its
    ``title``, its look on a ``tablet`` (None for the same), and its ``marks``: :class:`engines.contract.Mark`
    in JSON, with labels in words. ``changed`` are the keys of marks that are new or look different.
    """
    scene = game.telling.scene(now)
    if scene is None:
        return None
    was = {} if before is now else _list_looks(game.telling.scene(before))
    return {
        "game": game.id,
        "when": words(scene.when.key, scene.when.figures) if scene.when else "",
        "free": scene.free,
        "panels": [_describe_panel(panel, words) for panel in scene.panels],
        "changed": [key for key, look in _list_looks(scene).items() if was.get(key) != look] if was else [],
    }


_PANEL = ("name", "seat", "x", "y", "width", "height", "scale")


def _describe_panel(panel: Panel, words: Words) -> Json:
    title = f"panel.{panel.name}"
    return {
        **{name: getattr(panel, name) for name in _PANEL},
        "title": words(title) if title in words.texts else panel.name,
        "marks": [_put_into_words(mark, words) for mark in panel.marks],
        "tablet": panel.tablet and _describe_panel(panel.tablet, words),
    }


def _put_into_words(mark: Mark, words: Words) -> Mark:
    if not isinstance(mark.text, Label):
        return mark
    return msgspec.structs.replace(mark, text=words(mark.text.key, mark.text.figures))


def _list_looks(scene: Scene | None) -> dict[str, tuple[object, ...]]:
    """Return the look of each thing in a scene without its place: others may have moved to make room."""
    return {
        mark.key: (mark.shape, mark.fill, mark.edge, mark.dashed, mark.text, mark.icon, mark.seat)
        for panel in (scene.panels if scene else ())
        for mark in panel.marks
        if mark.key
    }


def _list_boards(replay: Replay, state: Any) -> dict[str, Board]:
    """Return the boards of a state by the names of their sights."""
    found = {name: sight.board(state) for name, sight in replay.game.in_sight(state).items()}
    return {name: board for name, board in found.items() if board}


def _describe_board(name: str, board: Board, before: Board | None, words: Words) -> Json:
    """Return a board: ``columns`` and ``rows``, ``hexes``, and the ``cells`` row by row, None for a gap.

    A cell has its ``name``, its ``ground``, ``covered`` (True if the piece matches it), ``stands``, its piece
    in words, and ``halves``, its offset to the right in half cells; and if there are any ``height``,
    ``piece`` and ``changed`` (True if the last entry changed it).
    """
    old = before.cells if before else board.cells
    return {
        "name": name,
        "columns": board.columns,
        "rows": board.rows,
        "hexes": board.shape != "squares",
        "cells": [
            cell
            and {
                "name": board.name(place),
                "ground": cell.ground,
                "covered": cell.covered,
                "stands": words.texts.by_commas(words.stands(cell)),
                "halves": board.halves(place),
                **({"height": cell.height} if cell.height else {}),
                **({"piece": cell.piece} if cell.piece else {}),
                **({"changed": True} if cell != was else {}),
            }
            for place, (cell, was) in enumerate(zip(board.cells, old, strict=True))
        ],
    }


def _pair_zones(now: Sequence[Zone], before: Sequence[Zone]) -> Iterator[tuple[Zone, Zone | None]]:
    """Yield each zone with its earlier state, None for a new one.

    Unchanged zones of the same name and seat are paired first, the others in order. A zone that is gone is
    paired as an empty one.
    """
    old = list(before)
    same = [old.pop(old.index(zone)) if zone in old else None for zone in now]
    for zone, was in zip(now, same, strict=True):
        like = next((one for one in old if (one.name, one.seat) == (zone.name, zone.seat)), None)
        if was is None and like is not None:
            old.remove(like)
        yield zone, was or like
    for gone in old:
        yield msgspec.structs.replace(gone, pieces=()), gone


def _describe_zone(zone: Zone, before: Zone | None, words: Words) -> Json:
    """Return a zone: its ``name``, its ``title``, ``seat``, ``lay`` and its ``pieces`` in order.

    A piece has a ``name``, a ``count``, its ``marks`` and its growth ``grew``; pieces gone since the last
    entry come at the end with a count of 0.
    """
    now, old = words.counted(zone), words.counted(before) if before else {}
    return {
        "name": zone.name,
        "title": words(f"zone.{zone.name}"),
        "seat": zone.seat,
        "lay": zone.lay.value,
        "pieces": [
            {"name": name, "count": count, "marks": marks, "grew": count - old.get((name, marks, nth), 0)}
            for (name, marks, nth), count in {**now, **{gone: 0 for gone in old if gone not in now}}.items()
        ],
    }


def _find_drift(replay: Replay, words: Words) -> list[Json]:
    """Return the differences that the last record saw, if it is a reading: ``board`` is the sight's name,
    ``cells`` are the board's, ``says`` has each place in words.
    """
    last: Record | None = replay.log[-1] if replay.log else None
    if last is None or last.kind is not Kind.READING or last.redacted:
        return []
    what, _, candidates = last.payload.partition(" ")
    text = candidates.split(" | ")[0].partition(" ")[2]
    state = replay.match.state
    sight = replay.game.in_sight(state).get(what)
    if sight is None:
        return []
    try:
        seen = sight.read(text)
    except EngineError:
        return []
    differ = sight.differences(seen, sight.of(state))
    here, there = sight.board(state), sight.board(state, seen)
    if here is None or there is None:
        return [{"board": what, "cells": [], "says": differ}] if differ else []
    cells = [here.name(place) for place, cell in enumerate(here.cells) if cell != there.cells[place]]
    says = [
        words(
            "page.drift",
            cell=here.name(place),
            here=tell_contents(words, cell),
            seen=tell_contents(words, other),
        )
        for place, (cell, other) in enumerate(zip(here.cells, there.cells, strict=True))
        if cell != other
    ]
    return [{"board": what, "cells": cells, "says": says}] if cells else []


# The score


def _list_parts(replay: Replay, words: Words) -> list[Json]:
    """Return the points by part and category.

    Each part has a ``name`` (empty if a match has no parts) and ``rows`` of ``category``, ``part``, ``name``
    and ``points`` by seat.
    """
    state, scoring, seats = replay.match.state, replay.game.scoring, len(replay.names)
    bookings = scoring.bookings(state)

    def list_rows(part: int) -> list[Json]:
        ours = [booking for booking in bookings if booking.part == part]
        categories = list(dict.fromkeys([*scoring.counted(state), *(one.category for one in ours)]))
        points = breakdown(ours, categories, seats)
        return [
            {"category": category, "part": part, "name": words(f"category.{category}"), "points": row}
            for category, row in zip(categories, points, strict=True)
        ]

    parts = sorted({booking.part for booking in bookings} or {0})
    return [{"name": words("part", n=part) if part else "", "rows": list_rows(part)} for part in parts]
