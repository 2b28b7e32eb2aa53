"""Answers to a page's questions: the reasons for a number of the score, the entries, past matches and
players, the rules.

::

    GET  /match/points?seat=0&category=…&part=0     the entries that made a number of the score
    GET  /match/history                             the entries that count, the last first
    GET  /matches                                   results of the matches on the disk, players' figures
    GET  /matches/FILE                              the entries of one of them
    GET  /match/at/N                                the table after N entries: scene, score, the last entry
    GET  /match/ending                              the deciding entries, and everybody's thinking time
    GET  /drawing/GAME                              a game's colours and pictograms (drawing.toml)
    GET  /rules                                     the games with rules
    GET  /rules/GAME?q=WORDS                        the clauses with these words; all of them without words
    GET  /texts                                     the page's language, the languages' own names, its texts

The page fills the blanks of its texts (under ``web``, by key). A text with a plural comes with the value that
it counts, ``by``, and its ``forms`` by the names of ``Intl.PluralRules``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

import engines
from device.match import (
    PUBLIC,
    Adjust,
    By,
    ChessClock,
    Damaged,
    Give,
    JournalError,
    Line,
    MatchDoor,
    MatchResult,
    Over,
    Override,
    Player,
    Replay,
    find_changes,
    find_hidden,
    find_ruling,
    list_players,
    tell_line,
    tell_unread,
)
from device.panel.app import RequestError, answer_json
from device.panel.table import Course, draw_table
from device.texts import Texts, in_words, said
from device.voices import Voices
from engines.errors import EngineError
from engines.plugged import games
from engines.rules import Clause, spoken
from engines.texts import PluralText, plain
from engines.words import Words

LONGEST_SEARCH = 60
"""The most letters of a search in the rules; nobody types more."""


class PastEntry(msgspec.Struct, frozen=True):
    """An entry that counts, or a ruling: its record, its words, its time (ms since 1970), and the points
    after it, by seat. ``entries`` is the number of entries that count up to it, 0 for a ruling.
    """

    record: int
    says: str
    utc_ms: int
    corrected: bool
    points: tuple[int, ...]
    entries: int = 0


class History(msgspec.Struct, frozen=True):
    """The entries of a match with its rulings, the last first, and its players."""

    names: tuple[str, ...]
    entries: tuple[PastEntry, ...]


class Made(msgspec.Struct, frozen=True):
    """An entry's share of a number of the score: the entry's record (0: the start), its words, and the
    reasons.
    """

    record: int
    says: str
    how: tuple[str, ...]


class Moment(msgspec.Struct, frozen=True):
    """An entry that changed a lead: the number of entries that count up to it, its record, and the leader
    and the lead before and after it, None and 0 for a tie.
    """

    entries: int
    record: int
    says: str
    leader_before: int | None
    lead_before: int
    leader: int | None
    lead: int


class Ending(msgspec.Struct, frozen=True):
    """The entries that changed the lead most, and each seat's thinking time in ms."""

    moments: tuple[Moment, ...]
    thought: tuple[int, ...]


class ScoreNumber(msgspec.Struct, frozen=True):
    """A number of the score: the player, the category, the points, and the entries that made it."""

    name: str
    category: str
    points: int
    made: tuple[Made, ...]


class Matches(msgspec.Struct, frozen=True):
    """The matches on the disk, the latest first, unreadable journals, and the players' figures.

    ``titles`` are the games' names. A match began when it was opened, as at the box.
    """

    titles: dict[str, str]
    results: tuple[MatchResult, ...]
    damaged: tuple[Damaged, ...]
    players: tuple[Player, ...]


class Clauses(msgspec.Struct, frozen=True):
    """The rules of a game, or the clauses that a search finds."""

    game: str
    title: str
    clauses: tuple[Clause, ...]


class Looking:
    """The routes to played matches, rules and the page's texts, for every page."""

    def __init__(self, door: MatchDoor, voices: Voices) -> None:
        """Serve the answers, each in the language that its page chose of ``voices``."""
        self._door = door
        self._voices = voices
        self._course = Course()
        self._reading = asyncio.Lock()

    def list_routes(self) -> list[BaseRoute]:
        """Return the routes, for :func:`device.panel.make_app`."""
        ways: dict[str, Callable[[Request], Awaitable[object]]] = {
            "/match/points": self._send_points,
            "/match/history": self._send_history,
            "/match/at/{n}": self._send_moment,
            "/match/ending": self._send_ending,
            "/drawing/{game}": self._send_drawing,
            "/matches": self._send_matches,
            "/matches/{file}": self._send_match,
            "/rules": self._send_games,
            "/rules/{game}": self._send_rules,
            "/texts": self._send_texts,
        }
        return [Route(path, answer_json(way)) for path, way in ways.items()]

    def _find_words(self, request: Request, replay: Replay) -> Words:
        return self._voices.words(request.cookies, replay)

    def _name_games(self, request: Request) -> dict[str, str]:
        voice = self._voices.asked(request.cookies)
        return {game: voice.game(game)("title") for game in games()}

    # The open match

    async def _send_points(self, request: Request) -> object:
        replay = self._door.referee.replay
        asked = request.query_params
        seat, part, category = asked.get("seat", ""), asked.get("part"), asked.get("category")
        if seat not in map(str, range(len(replay.names))):
            raise RequestError(400, said("stopped.no_seat", seat=plain(seat[:20])))
        return explain_number(replay, self._find_words(request, replay), int(seat), category, part)

    async def _send_history(self, request: Request) -> object:
        replay = self._door.referee.replay
        return list_history(replay, self._find_words(request, replay), self._course.of(replay))

    async def _send_moment(self, request: Request) -> object:
        replay, n = self._door.referee.replay, request.path_params["n"]
        if not (n.isdecimal() and len(n) < 10 and int(n) <= len(replay.history)):
            raise RequestError(404, said("stopped.no_entry", count=len(replay.history)))
        words, at = self._find_words(request, replay), int(n)
        now, before = (replay.match.points[point].state for point in (at, max(0, at - 1)))
        line = replay.history[at - 1] if at else None
        return {
            "entries": at,
            "record": line.seq if line else 0,
            "said": tell_line(replay, words, line) if line else words("why.start"),
            "points": self._course.of(replay)[at],
            "scene": draw_table(replay.game, words, before, now),
        }

    async def _send_ending(self, request: Request) -> object:
        replay = self._door.referee.replay
        thought = ChessClock(replay.log).read(None, ()).seats[: len(replay.names)]
        moments = find_deciding(replay, self._find_words(request, replay), self._course.of(replay))
        return Ending(tuple(moments), thought)

    async def _send_drawing(self, request: Request) -> object:
        game = request.path_params["game"]
        if game not in games():
            raise RequestError(404, said("stopped.no_game"))
        return engines.drawing(game)

    # Past matches

    async def _send_matches(self, request: Request) -> object:
        t, past = self._voices.asked(request.cookies).texts, self._door.library.list_past()
        async with self._reading:  # so that two pages do not read the disk at once
            found = await asyncio.to_thread(self._door.archive.list_results, past)
        return Matches(
            titles=self._name_games(request),
            results=tuple(
                replace(one, began_ms=1000 * match.began)
                for one, match in zip(found, past, strict=True)
                if isinstance(one, MatchResult)
            ),
            damaged=tuple(
                replace(one, why=in_words(one.why, t)) for one in found if isinstance(one, Damaged)
            ),
            players=tuple(list_players(found)),
        )

    async def _send_match(self, request: Request) -> object:
        name = request.path_params["file"]
        library = self._door.library
        past = next((one for one in library.list_past() if one.path.name == name), None)
        if past is None:
            raise RequestError(404, said("stopped.no_such_match"))
        if library.find_open(past):
            return await self._send_history(request)

        def read() -> History:
            try:
                replay = library.look_at(past)
            except (JournalError, EngineError, ValueError) as error:
                raise RequestError(422, tell_unread(error)) from error
            return list_history(replay, self._find_words(request, replay), Course().of(replay))

        return await asyncio.to_thread(read)

    # The rules

    async def _send_games(self, request: Request) -> object:
        return self._name_games(request)

    async def _send_rules(self, request: Request) -> object:
        game = request.path_params["game"]
        if game not in games():
            raise RequestError(404, said("stopped.no_game"))
        texts = self._voices.asked(request.cookies).game(game)
        rules, wanted = spoken(game, texts), request.query_params.get("q", "")[:LONGEST_SEARCH].strip()
        clauses = rules.search(wanted) if wanted else list(rules)
        return Clauses(game, texts("title"), tuple(clauses))

    async def _send_texts(self, request: Request) -> object:
        voice = self._voices.asked(request.cookies)
        return Wordings(voice.language, self._voices.languages, list_wordings(voice.texts))


UNLISTED = By | Override | Adjust | Give | Over
"""The rulings that do not stand among the entries: the entries themselves tell them."""


def list_history(replay: Replay, words: Words, course: Sequence[Sequence[int]]) -> History:
    """List the entries that count and the rulings that stand, the last first; a sealed choice stays unnamed.

    ``course`` has each seat's points at the start and after each of them.
    """
    entries = [
        PastEntry(
            line.seq, tell_line(replay, words, line), line.record.utc_ms, bool(line.ruled), tuple(score), n
        )
        for n, (line, score) in enumerate(zip(replay.history, course[1:], strict=True), 1)
    ]
    hidden = find_hidden(replay.log, PUBLIC, replay)
    for record, ruling in replay.log.standing:
        listed = not isinstance(ruling, UNLISTED)
        sentence = find_ruling(replay, record.seq - 1, hidden) if listed else None
        if not sentence:
            continue
        at = max((at for at, one in enumerate(entries, 1) if one.record < record.seq), default=0)
        points, says = entries[at - 1].points if at else tuple(course[0]), sentence.tell(words)
        entries.insert(at, PastEntry(record.seq, says, record.utc_ms, corrected=False, points=points))
    return History(replay.names, tuple(reversed(entries)))


DECIDING = 3
"""The number of entries to show as deciding ones."""


def find_deciding(replay: Replay, words: Words, course: Sequence[Sequence[int]]) -> list[Moment]:
    """Return the entries that changed the lead most, in the order of play.

    If the lead goes to somebody else, the points on both sides of it count.
    """
    leads = [_find_lead(scores) for scores in course]
    swings = []
    for entries, ((leader_before, lead_before), (leader, lead)) in enumerate(pairwise(leads), 1):
        swing = abs(lead - lead_before) if leader == leader_before else lead + lead_before
        if swing:
            line = replay.history[entries - 1]
            says = tell_line(replay, words, line)
            moment = Moment(entries, line.seq, says, leader_before, lead_before, leader, lead)
            swings.append((-swing, entries, moment))
    return [moment for _, _, moment in sorted(sorted(swings)[:DECIDING], key=lambda one: one[1])]


def _find_lead(scores: Sequence[int]) -> tuple[int | None, int]:
    """Return the leading seat and its lead, None and 0 for a tie."""
    first, second, *_ = sorted(scores, reverse=True)
    return (scores.index(first), first - second) if first > second else (None, 0)


def explain_number(
    replay: Replay, words: Words, seat: int, category: str | None, part: str | None
) -> ScoreNumber:
    """Explain a number of the score: of one category and part, or of all of them for None."""
    changed = [one for one in find_changes(replay, seat, category) if part in (None, str(one[1].part))]
    under: dict[Line | None, list[str]] = {}
    for line, gain in changed:
        under.setdefault(line, []).append(words.gain(gain))
    made = [
        Made(line.seq, tell_line(replay, words, line), tuple(how))
        if line
        else Made(0, words("why.start"), tuple(how))
        for line, how in under.items()
    ]
    title = words(f"category.{category}") if category is not None else words("why.all")
    return ScoreNumber(words.name(seat), title, sum(gain.points for _, gain in changed), tuple(made))


SECTION = "web"
"""The section of the page's own texts."""

SAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
"""A number of each plural category, in any language (CLDR)."""


class Counted(msgspec.Struct, frozen=True):
    """A text that counts the value ``by``: its form for each plural category, ``other`` for those not
    named.
    """

    by: str
    forms: dict[str, str]


class Wordings(msgspec.Struct, frozen=True):
    """A language by its code, the languages' own names, and the page's texts without their section."""

    language: str
    languages: dict[str, str]
    texts: dict[str, str | Counted]


def list_wordings(texts: Texts) -> dict[str, str | Counted]:
    """Return the page's texts by their keys, without the section."""
    return {key.removeprefix(f"{SECTION}."): _read_forms(texts.template(key)) for key in texts.under(SECTION)}


def _read_forms(text: str | PluralText) -> str | Counted:
    if isinstance(text, str):
        return text
    forms = {name: text.form({text.by: sample}) for name, sample in SAMPLES.items()}
    other = forms["other"]
    return Counted(text.by, {**{name: form for name, form in forms.items() if form != other}, "other": other})
