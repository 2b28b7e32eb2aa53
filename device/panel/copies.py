"""The facts printed on the owner's copies, to read and to enter from the page; and lessons that teach a
camera their pieces.

::

    GET   /copies                       the games that have such facts
    GET   /copies/GAME                  the known facts of its copy: KnownCopy
    POST  /copies/GAME/FACT?value=…     keep a fact as people write it; an empty value forgets it
    GET   /lessons                      the lessons for this box's cameras: Curriculum
    GET   /lessons/N                    the camera's present view for one, a JPEG in base64
    POST  /lessons/N?keshi=11&keshi=7   the same, and the camera learns from it; sizes: width, height in mm

The file and its checks are the same as at the box and at the command line. Both answers of a lesson tell the
result: what the camera learnt, or why nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from device.copy_file import CopyFile, FactsError
from device.match import MatchDoor
from device.panel.acting import LONGEST_TEXT
from device.panel.app import LOOK_ONLY, RequestError, answer_json
from device.panel.phones import Phones
from device.sensors.host import Lesson, Sizes, Taught, describe_outcome
from device.texts import said
from device.voices import Voices
from engines.board import starts
from engines.errors import EngineError
from engines.fact_kinds import item_of, opened, write
from engines.fact_words import FactWords
from engines.facts import Fact, Facts, schema
from engines.plugged import games


class PrintedFact(msgspec.Struct, frozen=True):
    """A fact: its value as people write it, empty while unknown, its description, and its standing.

    ``words`` are the values of a fact, or of the items of a ``several``, each with its name. A board has
    ``signs``, letters with their words, and ``rows``: for each its first hex, in half hexes to the right, and
    its length.
    """

    name: str
    label: str
    about: str
    value: str
    standing: str
    words: tuple[tuple[str, str], ...] = ()
    several: bool = False
    signs: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[int, int], ...] = ()


class KnownCopy(msgspec.Struct, frozen=True):
    """The known facts of a copy, the faults of its file, and True if the page may change it."""

    act: bool
    sample: bool
    problems: tuple[str, ...]
    facts: tuple[PrintedFact, ...]


class Copies:
    """The files of the copies, for every page to read, and to change if ``phones`` lets it act.

    On a page that all share, a fact is kept at once; otherwise people at the box are asked first.
    """

    def __init__(self, door: MatchDoor, voices: Voices, phones: Phones) -> None:
        """Serve the facts of copies; each answer is in the language that its page chose of ``voices``."""
        self._door, self._voices, self._phones = door, voices, phones

    def list_routes(self) -> list[BaseRoute]:
        """Return the routes, for :func:`device.panel.make_app`, which guards them."""
        return [
            Route("/copies", answer_json(self._send_games)),
            Route("/copies/{game}", answer_json(self._send_known)),
            Route("/copies/{game}/{name}", answer_json(self._keep), methods=["POST"]),
        ]

    async def _send_games(self, request: Request) -> object:
        voice = self._voices.asked(request.cookies)
        return {game: voice.game(game)("title") for game in games() if len(schema(game))}

    async def _send_known(self, request: Request) -> object:
        file = self._find_file(request)
        loaded = file.load()
        entries = tuple(_describe_fact(file, fact, loaded.facts) for fact in loaded.facts.schema)
        return KnownCopy(
            bool(self._phones.find_seats(request.cookies)),
            loaded.facts.sample,
            tuple(map(str, loaded.problems)),
            entries,
        )

    async def _keep(self, request: Request) -> object:
        self._phones.check(request)
        file, name = self._find_file(request), request.path_params["name"]
        if name not in file.schema.facts:
            raise RequestError(404, said("stopped.no_fact", nearest=file.schema.nearest(name)))
        fact, text = file.schema.fact(name), request.query_params.get("value", "").strip()
        if len(text) > LONGEST_TEXT:
            raise RequestError(400, said("stopped.too_long", letters=LONGEST_TEXT))
        value = file.value(fact, text) if text else None

        def keep() -> Facts:
            try:
                return file.put({name: value})
            except FactsError as error:
                raise EngineError(error.said) from error

        if self._phones.act == "play":
            return _describe_fact(file, fact, keep())
        words = self._voices.box.game(request.path_params["game"])
        label = FactWords(file.schema, words).label(fact)
        asks = words("confirm.fact" if text else "confirm.forget", name=label, value=text)
        return self._phones.propose(asks, keep)

    def _find_file(self, request: Request) -> CopyFile:
        game = request.path_params["game"]
        if game not in games() or not len(schema(game)):
            raise RequestError(404, said("stopped.no_copy"))
        return CopyFile.of(self._door.library.state_dir, game, self._voices.asked(request.cookies).game(game))


def _describe_fact(file: CopyFile, fact: Fact, facts: Facts) -> PrintedFact:
    words, known, limits = file.words, facts.known[fact.name], opened(fact.kind)[1]
    one, item, about = words.choices(fact.kind), item_of(fact.kind), words.about(fact)
    value = "" if known.value is None else write(fact.kind, known.value)
    made = PrintedFact(
        fact.name,
        words.label(fact),
        about if one else f"{about} ({words.range(fact.kind, facts) or words.domain(fact.kind, fact)})",
        value.removesuffix(limits.get("unit", "")).rstrip(),
        known.standing.value,
        words.choices(item or fact.kind),
        item is not None,
    )
    if "signs" not in limits:
        return made
    rows = (facts[limits["rows"]] if limits["rows"] else None) or (limits["number"],)
    begins = starts(rows)
    return msgspec.structs.replace(
        made,
        signs=tuple((sign, words.sign(sign)) for sign in limits["signs"]),
        rows=tuple((begin - min(begins), length) for begin, length in zip(begins, rows, strict=True)),
    )


class Offered(msgspec.Struct, frozen=True):
    """A lesson: its title, what to lay out, and the sizes to enter: of each the name, the description, and
    the usual width and height in mm, or None.
    """

    title: str
    lay: str
    sizes: tuple[tuple[str, str, tuple[float, float] | None], ...]


class Curriculum(msgspec.Struct, frozen=True):
    """The lessons; True if the page may teach; and the reason for no lessons, otherwise empty."""

    act: bool
    lessons: tuple[Offered, ...]
    none: str


class Lessons:
    """The lessons of the box's cameras, for every page to read; with ``act`` also to teach."""

    def __init__(
        self,
        lessons: Sequence[Lesson],
        ask: Callable[[Lesson, Sizes | None], Awaitable[Taught]],
        voices: Voices,
        *,
        act: bool,
    ) -> None:
        """Serve the lessons; ``ask`` asks a camera, and each answer is in the language that its page chose of
        ``voices``.
        """
        self._lessons, self._ask, self._voices, self._act = lessons, ask, voices, act

    def list_routes(self) -> list[BaseRoute]:
        """Return the routes, for :func:`device.panel.make_app`, which guards them."""
        return [
            Route("/lessons", answer_json(self._send_known)),
            Route("/lessons/{number:int}", answer_json(self._show), methods=["GET"]),
            Route("/lessons/{number:int}", answer_json(self._teach), methods=["POST"]),
        ]

    async def _send_known(self, request: Request) -> object:
        voice, lessons = self._voices.asked(request.cookies), self._lessons
        t = voice.texts
        offered = (
            Offered(
                one.title(t, voice.game(one.game)),
                one.lay(t),
                tuple((name, t(f"teach.size.{name}"), usual) for name, usual in one.sizes.items()),
            )
            for one in lessons
        )
        return Curriculum(self._act, tuple(offered), "" if lessons else t("teach.none"))

    async def _show(self, request: Request) -> object:
        return self._answer(request, await self._ask(self._find_lesson(request), None))

    async def _teach(self, request: Request) -> object:
        lesson = self._find_lesson(request)
        return self._answer(request, await self._ask(lesson, _read_sizes(lesson, request)))

    def _find_lesson(self, request: Request) -> Lesson:
        if not self._act:
            raise RequestError(403, LOOK_ONLY)
        lessons = self._lessons[request.path_params["number"] :]
        if not lessons:
            raise RequestError(404, said("teach.none"))
        return lessons[0]

    def _answer(self, request: Request, taught: Taught) -> object:
        texts = self._voices.asked(request.cookies).game(self._find_lesson(request).game)
        says = describe_outcome(taught, texts)
        return {"says": says, "learnt": taught.learnt, "picture": taught.picture}


def _read_sizes(lesson: Lesson, request: Request) -> Sizes:
    """Read the sizes in a request; raise RequestError if a required one is missing."""
    found: dict[str, tuple[float, float]] = {}
    for name, usual in lesson.sizes.items():
        told = [text for text in request.query_params.getlist(name) if text]
        try:
            if told or usual is None:
                width, height = map(float, told)
                found[name] = (width, height)
        except ValueError:
            raise RequestError(400, said("stopped.sizes", size=said(f"teach.size.{name}"))) from None
    return found
