"""Two tables that look alike to everybody but one seat, and everything the others can see or be told at each.

A :class:`Script` is a match with looks in between: at each look the *teller*, a seat, tells its node what it
holds. :func:`play` plays a script at a table of its own, telling one of two hands that nobody else could tell
apart; :func:`differences` says through which channel the two plays can be told apart all the same.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

import httpx
import msgspec

from device.commands import CommandError
from device.commands.export import FORMATS, JOURNAL, make_export
from device.commands.files import OpenedMatch
from device.config import ConfigSource, LoadedConfig
from device.daemon import Daemon
from device.event.messages import DeskShare, TableView
from device.event.publisher import Outbox, Outgoing
from device.event.publisher import make_view as table_view
from device.keys import Hold, Key, Press, Turn
from device.line.door import LineDoor
from device.line.frames import FrameReader, LineFrame, encode
from device.line.nodes import Nodes
from device.line.service import LineState
from device.line.session import Session
from device.match.door import MatchDoor
from device.match.journal import JournalError, read
from device.match.journal_text import PUBLIC
from device.match.library import Library
from device.match.records import Kind, Record, Stamp
from device.match.referee import Closed
from device.match.replay import Header
from device.menus import Box
from device.panel.phones import PHONE
from device.screen import CountsPage, Page
from device.screen.pixels import draw, pages_of
from device.settings import Config, Entries, PanelSettings
from device.supervise import wake
from engines.contract import SEATS, Choice, Over
from engines.errors import EngineError
from engines.match import Step
from tests.device.games import game_steps, replayed
from tests.device.hidden import hands, lists

MOMENT = Stamp(utc_ms=1_700_000_000_000, mono_ms=0, boot_id="boot")
PAGES = 40
"""Pages looked at in one look, besides those of the refusals."""


class Look(msgspec.Struct, frozen=True):
    """The two hands that the teller may hold as far as anybody else knows, and the lists that each allows, by
    how a step begins.
    """

    hands: tuple[str, str]
    lists: tuple[dict[str, str], dict[str, str]]


class Script(msgspec.Struct, frozen=True):
    """A match for two tables: what happens at both, and what only the teller sees of it."""

    header: Header
    teller: int
    events: tuple[Step | Look, ...]

    @property
    def looks(self) -> list[Look]:
        return [one for one in self.events if isinstance(one, Look)]


def script(header: Header, seed: int, looks: int, *, end: bool = False) -> Script:
    """A random match with ``looks`` looks after some of its steps.

    At three of four the two hands allow different things, as far as the match has such places. With ``end``
    it goes on to its end after the last look.
    """
    rng = Random(seed)
    teller = rng.randrange(len(header.names))
    steps = game_steps(seed, header.setup, header.game)
    points = replayed(steps, header.setup, header.game).points
    apart, alike = {}, {}
    wanted = looks - looks // 4
    for at in rng.sample(range(1, len(steps)), len(steps) - 1):
        if len(apart) == wanted and len(apart) + len(alike) >= looks:
            break
        if look := _look(header.game, points[at].state, teller, rng):
            (apart if look.lists[0] != look.lists[1] and len(apart) < wanted else alike)[at] = look
    found = dict([*apart.items(), *alike.items()][:looks])
    events: list[Step | Look] = []
    for at, step in enumerate(steps if end else steps[: max(found, default=0) + 1]):
        events += [found[at]] if at in found else []
        events.append(step)
    return Script(header, teller, tuple(events))


def _look(game: str, state, teller: int, rng: Random) -> Look | None:
    """Two hands of the teller that agree with all that the other seats know, None where there is but one.

    Where it can be, they allow different things.
    """
    found: dict[str, dict[str, str]] = {}
    for hand in hands(game, state, teller, rng):
        found[hand] = lists(game, state, teller, hand)
        if found[hand] != next(iter(found.values())):
            break
    first, *_, last = (*found, *found)
    return Look((first, last), (found[first], found[last])) if first != last else None


class Seen(msgspec.Struct, frozen=True):
    """What one look gave: by channel what others see or are told, and the teller's own answers."""

    others: dict[str, object]
    own: dict[str, str]


def without_hashes(text: str, records: Iterable[Record]) -> str:
    """A text with names for the hashes that cover a secret."""
    begun = False
    for record in records:
        if record.kind is Kind.PRIVATE:
            begun = True
            text = text.replace(record.payload_digest, f"<digest of {record.seq}>")
            if record.evidence_digest:
                text = text.replace(record.evidence_digest, f"<digest of the line of {record.seq}>")
        if begun:
            text = text.replace(record.hash, f"<hash of {record.seq}>")
    return text


class Played(msgspec.Struct, frozen=True):
    """A script played: each look, by channel what is left at the end, and the file."""

    looks: tuple[Seen, ...]
    left: dict[str, object]
    journal: Path


def differences(first: Played, second: Played) -> set[str]:
    """The channels by which the two can be told apart."""
    assert len(first.looks) == len(second.looks)
    pairs = [(one.others, other.others) for one, other in zip(first.looks, second.looks, strict=True)]
    pairs.append((first.left, second.left))
    return {name for one, other in pairs for name in one | other if one.get(name) != other.get(name)}


CAPS = "1 tell,step,ask,watch"


class End:
    """The far end of a line: what is said goes through the session's bytes, answers come back so."""

    def __init__(self, name: str, door: LineDoor, nodes: Nodes) -> None:
        self.session = Session(name, door, self._hear, nodes)
        self.events: list[str] = []
        self._answers: list[str] = []
        self._reader = FrameReader()
        self.number = 0

    def _hear(self, data: bytes) -> None:
        for frame in self._reader.feed(data):
            assert isinstance(frame, LineFrame)
            heard = self.events if frame.kind == "event" else self._answers
            heard.append(f"{frame.kind} {frame.args}")

    async def say(self, said: str, *, again: bool = False) -> str:
        """One line and its answer, without the numbers; ``again`` repeats the number before."""
        self.number += not again
        self.session.receive(encode(self.number, *said.split(" ", 1)))
        await self.session.wait_settled()
        (answer,) = self._answers
        self._answers.clear()
        return answer.replace(f" {self.number} ", " ", 1)


class Room:
    """A table with the box on it and some lines: a node of each seat, one that watches, one that lies.

    ``spy`` says that it is of the teller's seat: refused while the teller's node is there, it gets the seat
    as soon as that one has left.
    """

    def __init__(self, folder: Path, seats: int = 2, confirm: Entries | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.now = 0.0
        settings = Config(panel=PanelSettings(act="paired"))
        self.daemon = Daemon(LoadedConfig(settings, (), ConfigSource.DEFAULTS), folder)
        publish = self.daemon._publish_recorded
        self.table = Library(folder, stamp=lambda: MOMENT, wake=lambda: wake(loop, publish))
        self.box = Box(MatchDoor(self.table, confirm), pages=pages_of, strict=True, now_ms=lambda: self.now)
        self.cues: list[str] = []
        self.box.on_cue = lambda cue: self.cues.append(str(cue))
        door, nodes = LineDoor(self.box.door, self.box.words_of), Nodes()
        self.pads = [End(f"usb-{letter}", door, nodes) for letter in SEATS[:seats]]
        self.watch, self.spy = End("usb-w", door, nodes), End("usb-s", door, nodes)
        self.ends = [*self.pads, self.watch, self.spy]
        # As Daemon.run() would have it, but for the threads.
        self.daemon.library, self.daemon.box = self.table, self.box
        self.daemon.screen = SimpleNamespace(
            online=True, subscribe=lambda _: lambda: None, last_image=None, page=None
        )
        self.daemon.lines = SimpleNamespace(publish=self._publish, states=(), voices={})
        self.daemon.sensors = SimpleNamespace(states=(), teach=None)
        self.daemon.lessons = ()
        self.daemon.keypads = SimpleNamespace(states=())
        self.daemon._published = None, 0
        self.daemon.door, self.daemon.hardware = self.box.door, None
        self.app = self.daemon.panel()
        self.page = self._browser()

    def _browser(self, cookies: dict[str, str] | None = None) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", cookies=cookies)

    def _phone(self, seat: int) -> httpx.AsyncClient:
        """A phone that is paired with a seat of the match that is open."""
        pairings = self.box.pairings
        pairings.follow(Path(self.referee.path).name)
        return self._browser({PHONE: pairings.enter("it", pairings.ask("it", seat).code)})

    def _publish(self, number: int, text: str) -> None:
        for end in self.ends:
            end.session.send_event(number, text)

    async def begin(self, header: Header, teller: int) -> None:
        """Open a match, and let every node say who it is."""
        self.referee = self.table.open_match(header)
        self.game = self.referee.replay.game
        self.box.play(self.referee)
        letters = SEATS[: len(self.pads)]
        for end, letter in zip(self.pads, letters, strict=True):
            await end.say(f"hello pad-{letter} {CAPS} seat={letter}")
        refused = await self.spy.say(f"hello spy {CAPS} seat={SEATS[teller]}")
        assert refused.startswith("err seat "), refused
        await self.spy.say(f"hello spy {CAPS}")
        await self.watch.say(f"hello watch {CAPS}")
        states = []
        for end in self.ends:
            node = end.session.node
            assert node
            states.append(LineState(end.session.name, True, "", node.id, end.session.seat))
        self.daemon.lines.states = tuple(states)
        self.phones = [self._phone(seat) for seat in range(len(self.pads))]

    async def enter(self, step: Step) -> None:
        """A step at the box, on the disk."""
        entry = self.referee.step(step.text, seat=step.seat, channel="keys")
        await asyncio.wrap_future(entry.written)

    async def look(self, teller: int, hand: str, rng: Random) -> Seen:
        """The teller's node tells ``hand``; then everybody looks and asks."""
        pad = self.pads[teller]
        others = [end for end in self.ends if end is not pad]
        heard = [len(end.events) for end in self.ends]
        prefixes = self.prefixes()
        phone, looking = self.phones[teller], [one for one in self.phones if one is not self.phones[teller]]
        kept = await phone.post("/match/hand", params={"seat": teller}, content=hand)
        own = {"phone": f"{kept.status_code} {(await phone.get('/pair')).json()['held']}"}
        for prefix in prefixes:
            own[f"phone {prefix}"] = await self._offered(phone, prefix)
        others_see = [[await self._offered(one, prefix) for prefix in prefixes] for one in looking]
        told = await pad.say(f"tell {hand}")
        seen: dict[str, object] = {"now": self.box.page(), "lights": list(self.cues), "offered": others_see}
        own["tell"] = told
        for prefix in prefixes:
            own[prefix] = await pad.say(f"ask legal {prefix}".rstrip())
        pad.session.on_close()
        await self.spy.say(f"hello spy {CAPS} seat={SEATS[teller]}")
        seen["list"] = [[await end.say(f"ask legal {p}".rstrip()) for p in prefixes] for end in others]
        said = [await self._refusals(end, prefixes, rng) for end in others]
        seen["refusal"] = said, self._reasons()
        seen["answer"] = [[await end.say(f"ask {what}") for what in ASKED] for end in others]
        await self.spy.say(f"hello spy {CAPS}")
        await pad.say(f"hello pad-{SEATS[teller]} {CAPS} seat={SEATS[teller]}")
        seen["event"] = [end.events[since:] for end, since in zip(self.ends, heard, strict=True)]
        feed = self.app.state.feed
        seen["panel"] = msgspec.json.encode(feed.describe()), feed._match({}), draw(self.box.page()).tobytes()
        browsers = (self.page, *looking)
        seen["page"] = [answer for one in browsers async for answer in self._looked_up(one, prefixes, rng)]
        seen["broker"] = self.told_over_a_broker()
        seen["screen"] = [(path, page, draw(page).tobytes()) for path, page in self._screens(rng)]
        return Seen(seen, own)

    # What is asked

    async def _offered(self, phone: httpx.AsyncClient, prefix: str) -> str:
        """Return what a page lets its reader answer after ``prefix``, as the line lists it."""
        begun = {"t": prefix} if prefix else {}
        asked = (await phone.get("/match/question", params=begun | {"shown": 1})).json()
        return " ".join(one["token"] for one in asked["answers"] if one["legal"]) or "-"

    def prefixes(self) -> list[str]:
        """Return how a step may begin now: nothing, and each word that more must follow."""
        match = self.referee.replay.match
        if isinstance(match.pending, Over):
            return [""]
        begun = [choice.token for choice in self.game.rules.legal(match.state) if self._open(choice)]
        return ["", *begun]

    def _open(self, choice: Choice) -> bool:
        return self.game.rules.pending(self.game.rules.apply(self.referee.replay.match.state, choice)).open

    async def _refusals(self, end: End, prefixes: list[str], rng: Random) -> list[str]:
        """Why each word is not legal, by the line; and the refused ones sent as steps."""
        said = []
        for prefix in prefixes:
            state = self._after(prefix)
            pending = self.game.rules.pending(state)
            tokens = () if isinstance(pending, Over) else pending.domain.tokens
            for token in rng.sample(tokens, min(len(tokens), 4 if prefix else 24)):
                step = f"{prefix} {token}".strip()
                said.append(await end.say(f"ask why {step}"))
                if self.game.rules.why_not(state, Choice(pending.question, token)):
                    said.append(await end.say(f"step {step}"))
        return said

    async def _looked_up(
        self, page: httpx.AsyncClient, prefixes: list[str], rng: Random
    ) -> AsyncIterator[tuple[str, str]]:
        """All that the page in the browser tells whoever asks it."""
        head = (await page.get("/match/question")).json()["head"]
        paths = ["/pair", "/match/undo", "/match/history", "/matches"]
        paths += [f"/match/points?seat={seat}" for seat in range(len(self.pads))]
        paths += [f"/matches/{Path(self.referee.path).name}"]
        for prefix in prefixes:
            begun = [f"t={prefix}"] * bool(prefix)
            paths.append("/match/question?" + "&".join([*begun, "shown=1"]))
            pending = self.game.rules.pending(self._after(prefix))
            tokens = () if isinstance(pending, Over) else pending.domain.tokens
            for token in rng.sample(tokens, min(len(tokens), 4 if prefix else 24)):
                chosen = "&".join([*begun, f"t={token}"])
                paths.append(f"/match/why?{chosen}")
                if self.game.rules.why_not(self._after(prefix), Choice(pending.question, token)):
                    yield chosen, (await page.post(f"/match/step?{chosen}&head={head}")).text
        for path in paths:
            yield path, (await page.get(path)).text

    def _after(self, prefix: str):
        match = self.referee.replay.match
        return (
            self.game.rules.apply(match.state, Choice(match.pending.question, prefix))
            if prefix
            else match.state
        )

    def _reasons(self) -> list[Page]:
        """Return what the box says of every word that is not legal, with the entries that rule it out."""
        pages = []
        pending = self.referee.replay.match.pending
        for token in () if isinstance(pending, Over) else pending.domain.tokens:
            choice = Choice(pending.question, token)
            if refusal := self.game.rules.why_not(self.referee.replay.match.state, choice):
                self.box.play(self.referee)
                self.box.stack[-1].show_refusal(choice, refusal)
                view = self.box.stack[-1]
                while self.box.stack[-1] is view:  # its pages, then what people can do about it
                    pages.append(self.box.page())
                    view.ok()
                pages.append(self.box.page())
        self.box.play(self.referee)
        return pages

    # What can be seen

    def _screens(self, rng: Random) -> Iterator[tuple[tuple[object, ...], Page]]:
        """Pages that keys lead to from the match and from home, nearest first; nothing is recorded."""
        level: list[tuple[object, ...]] = [(root,) for root in ROOTS]
        left = PAGES
        with self._nothing_recorded():
            while level and left:
                rng.shuffle(level)
                deeper = []
                for path in level[:left]:
                    page = self._at(path)
                    yield path, page
                    deeper += [(*path, *keys) for keys in _further(page)]
                left -= len(level[:left])
                level = deeper
        self.box.play(self.referee)

    def _at(self, path: tuple[object, ...]) -> Page:
        """The page after these keys, seen from the start."""
        root, *keys = path
        self.box.play(self.referee)
        if root == "home":
            self.box.go_home()
        page = self.box.page()
        for key in [*([root] if not isinstance(root, str) else []), *keys]:
            try:
                self.box.key(key)
            except EngineError:
                self.box.play(self.referee)
            page = self.box.page()
            self.now += 60_000  # messages go
        return page

    @contextmanager
    def _nothing_recorded(self) -> Iterator[None]:
        def closed() -> None:
            raise Closed("nothing is recorded now")

        def no(*_args) -> None:
            raise JournalError("nothing is opened now")

        changes = (
            patch.object(self.referee, "_check_settled", closed),
            patch.object(self.table, "open_match", no),
            patch.object(self.table, "continue_match", no),
        )
        with changes[0], changes[1], changes[2]:
            yield

    # What is left

    def exports(self, teller: int) -> dict[str, str]:
        """Every format for everybody and for another seat; hashes that cover a secret are named instead."""
        path = Path(self.referee.path)
        reading = read(path)
        found = {}
        for view in (PUBLIC, SEATS[(teller + 1) % len(self.pads)]):
            for kind in (JOURNAL, *FORMATS):
                try:
                    text = make_export(OpenedMatch(path, reading), kind, view).decode()
                except CommandError as error:  # a format for finished matches
                    text = str(error)
                text = without_hashes(text, reading.records)
                found[f"{kind} {view}"] = re.sub(r'"sha256":"[0-9a-f]{64}"', '"sha256":"<sum>"', text)
        return found

    def told_over_a_broker(self) -> list[str]:
        """All that a desk of an event is told that has nothing of the match yet."""
        replay, outbox = self.referee.replay, Outbox()
        match = Outgoing.of(self.referee.header, replay.log, replay)
        told = [table_view(self.table, TableView("table-01")), match.message()]
        have = 0
        while have < len(match.records):
            outbox.hear(DeskShare(match.match, have))
            told += outbox.due(match)
            have = told[-1].records[-1].seq
        return [without_hashes(msgspec.json.encode(one).decode(), replay.log) for one in told]

    def files(self) -> list[str]:
        """The names of all files of the table."""
        return sorted(str(path.relative_to(self.table.state_dir)) for path in self.table.state_dir.rglob("*"))


ASKED = ("score", "turn", "position", "legal")
ROOTS = ("match", "home", Hold(Key.BACK), Press(Key.UNDO), Hold(Key.CALL))


def _further(page: Page) -> list[tuple[object, ...]]:
    """The keys that lead on from a page: OK on each of its lines, cells or words, or OK."""
    if isinstance(page, CountsPage):
        lines = range(len(page.labels) + 1)
    elif items := getattr(page, "items", ()):
        lines = range(len(items))
    else:
        return [(Press(Key.OK),)]
    return [(*([Turn(at - page.index)] if at != page.index else []), Press(Key.OK)) for at in lines]


def play(plan: Script, which: int, folder: Path) -> Played:
    """Play a script, the teller telling the hand ``which`` (0 or 1) of each look."""
    logged: list[str] = []

    async def main() -> Played:
        room = Room(folder, len(plan.header.names))
        tasks = [asyncio.create_task(end.session.run()) for end in room.ends]
        try:
            rng = Random(1)
            await room.begin(plan.header, plan.teller)
            looks = []
            for event in plan.events:
                if isinstance(event, Step):
                    await room.enter(event)
                else:
                    looks.append(await room.look(plan.teller, event.hands[which], rng))
            left = {"export": room.exports(plan.teller), "file": room.files()}
            for task in tasks:
                assert not task.done(), task
            return Played(tuple(looks), left, Path(room.referee.path))
        finally:
            for task in tasks:
                task.cancel()
            room.table.leave()

    with _logged(logged), _salts():
        played = asyncio.run(main())
    played.left["log"] = [line.replace(str(folder), "STATE") for line in logged]
    return played


@contextmanager
def _salts() -> Iterator[None]:
    """Give the same salts at both tables, so that all they do not cover can be compared to the byte."""
    numbers = count(1)
    with patch(
        "device.match.journal.secrets", SimpleNamespace(token_hex=lambda n: f"{next(numbers):0{2 * n}x}")
    ):
        yield


@contextmanager
def _logged(lines: list[str]) -> Iterator[None]:
    """Everything that is logged, from DEBUG on."""

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")

    root, handler = logging.getLogger(), Keep(logging.DEBUG)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
