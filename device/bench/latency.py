"""The time from a contact's edge to the first changed byte on the display's wire, with a slow disk; and of a
group appended to a journal, beside a plain write and sync of as many bytes on the same disk.

The chain is the box's own: mock pins, :class:`~device.keys.Controls`, the menus, the journal's writer,
:class:`~device.screen.pixels.ScreenWorker`, and an SSD1309 on a bus that only notes the time. The journal's
disk waits 2 s before each commit, so an answer that waits for it shows at once.

The figures lack the time on real wires: an I²C byte takes 25 µs at 400 kHz.

Calls of a press that records, and of the page after it, are counted in the recorded matches, played through
the menus as in :mod:`device.bench.presses`: the ``call`` events of :func:`sys.setprofile` on the pressing
thread, without C functions. Nothing is drawn during the press; the page before it was made.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType

import gpiozero
import msgspec

import engines
from device.bench.engines import play_random_steps
from device.bench.presses import Pilot, play
from device.keys import Controls, Injector, Key, KeyEvent, Press, Turn, pin_factory
from device.match import Draft, Header, Journal, Kind, Library, MatchDoor, SystemClock, write_journal_line
from device.menus import Box
from device.screen.pixels import ScreenWorker, draw, open_display, pages_of
from device.settings import DisplaySettings, Keys
from device.supervise import wake
from device.voices import Voices
from engines.contract import Setup
from engines.facts import playable, schema
from engines.texts import DEFAULT_LANGUAGE

BAR_MS = 100.0
EDGES = 200
STALL_S = 2.0
"""The time that the disk adds to each commit."""

_PATIENCE_S = 2.0
"""The time without a byte after which an edge counts as unanswered."""


class _Listed(msgspec.Struct, frozen=True):
    """Figures printed one a line, without lists."""

    def lines(self) -> list[str]:
        """Return each figure with its name, without lists."""
        named: dict[str, object] = msgspec.structs.asdict(self)
        return [f"{name}: {value}" for name, value in named.items() if not isinstance(value, tuple)]


class Latency(_Listed, frozen=True):
    """Times in ms from an edge to the first byte, of ``edges`` edges.

    ``unanswered`` edges sent no byte. Of the ``commits``, presses that made a step, ``before_written`` were
    answered while the step still waited for the disk. ``unchanged`` edges, which did not change the picture,
    do not count.
    """

    edges: int
    median_ms: float
    p95_ms: float
    worst_ms: float
    bar_ms: float
    within_bar: bool
    unanswered: int
    unchanged: int
    commits: int
    before_written: int
    times_ms: tuple[float, ...]


def measure(edges: int = EDGES, language: str = DEFAULT_LANGUAGE) -> Latency:
    """Enter random matches, contact by contact, until ``edges`` are measured, some 0.15 s each.

    The box speaks ``language``.
    """
    with TemporaryDirectory() as folder:
        Voices(Path(folder)).speak(language)
        return asyncio.run(_measure(Path(folder), edges, Random(1)))


async def _measure(folder: Path, edges: int, rng: Random) -> Latency:
    times: list[float] = []
    unanswered = unchanged = commits = before_written = 0
    chain, game = _Chain(folder), next(iter(engines.GAMES))
    try:
        await chain.on()
        for event in chain.events(game, rng):
            head, picture = chain.head, chain.picture
            answer = await chain.do(event)
            if answer is not None:
                times.append(answer)
            elif chain.picture == picture:
                unchanged += 1
            else:
                unanswered += 1
            if chain.head > head:
                commits += 1
                before_written += chain.written < chain.head
            if len(times) + unanswered >= edges:
                break
    finally:
        chain.close()
    ordered = sorted(times) or [0.0]
    return Latency(
        edges=len(times) + unanswered,
        median_ms=round(statistics.median(ordered), 2),
        p95_ms=round(ordered[int(0.95 * (len(ordered) - 1))], 2),
        worst_ms=round(ordered[-1], 2),
        bar_ms=BAR_MS,
        within_bar=ordered[-1] < BAR_MS and not unanswered,
        unanswered=unanswered,
        unchanged=unchanged,
        commits=commits,
        before_written=before_written,
        times_ms=tuple(round(ms, 2) for ms in times),
    )


class _Chain:
    """A box like the daemon's, with simulated pins and display; needs a running loop."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._hurry = threading.Event()
        self._table = Library(
            folder, simulated=True, wake=lambda: wake(self._loop, self._poll), stall=self._stall
        )
        self._bus = _Bus()
        self._screen = ScreenWorker(lambda: open_display(DisplaySettings(), self._bus))
        self._box = Box(MatchDoor(self._table), pages=pages_of)
        self._box.on_page = self._show
        factory, keys = pin_factory("mock"), Keys()
        self._controls = Controls(keys, self._box.key, factory=factory)
        contacts = {name: _Contact(factory.pin(number), self._bus) for name, number in keys.pins.items()}
        self._fingers = Injector(contacts, keys, Random(1), lambda: False)

    async def on(self) -> None:
        """Wait for the display's first picture, which takes longer than any later one."""
        self._fingers.start()
        while not self._screen.online or self._screen.last_image is None:
            self._show()
            await asyncio.sleep(0.05)

    @property
    def picture(self) -> bytes:
        """The picture that the screen should show."""
        return draw(self._box.page()).tobytes()

    @property
    def head(self) -> int:
        """The last record, written or waiting."""
        return self._table.referee.head if self._table.referee else 0

    @property
    def written(self) -> int:
        """The last record on the disk."""
        return self._table.referee.recorded if self._table.referee else 0

    def events(self, game: str, rng: Random) -> Iterator[KeyEvent]:
        """Yield the events of a person who enters one random match after the other."""
        while True:
            self._hurry.set()  # the last match may wait for the disk
            self._box.open(Header(game, ("Adso", "William"), playable(schema(game), Setup())))
            self._hurry.clear()
            pilot = Pilot(self._box)
            for step in play_random_steps(game, rng):
                yield from pilot.events(step)

    async def do(self, event: KeyEvent) -> float | None:
        """Make a gesture; return the ms from its deciding edge to the first byte on the bus, None without
        one.
        """
        if isinstance(event, Turn):
            self._fingers.turn(event.steps)
        else:
            self._fingers.down(Key.OK)
        await self._fingers.rest()
        edge, end = self._bus.edge_ns, time.monotonic() + _PATIENCE_S
        while self._bus.first_byte_ns is None and time.monotonic() < end:
            await asyncio.sleep(0.0005)
        first = self._bus.first_byte_ns
        self._fingers.up(Key.OK)
        await self._fingers.rest()
        return None if first is None else (first - edge) / 1e6

    def close(self) -> None:
        """Close all parts after the last write."""
        self._hurry.set()
        self._fingers.close()
        self._controls.close()
        self._table.leave()
        self._screen.close()

    def _stall(self) -> None:
        self._hurry.wait(STALL_S)

    def _poll(self) -> None:
        if self._table.referee:
            self._table.referee.poll()

    def _show(self) -> None:
        self._screen.show(self._box.page())


class _Bus:
    """A stand-in for ``smbus2.SMBus`` with a display; it keeps the time of the first byte after an edge."""

    edge_ns = 0
    first_byte_ns: int | None = None

    def write_i2c_block_data(self, _address: int, _register: int, _data: Sequence[int]) -> None:
        """Take one block write, as luma calls it."""
        if self.first_byte_ns is None:
            self.first_byte_ns = time.monotonic_ns()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class _Contact:
    """A contact to ground at a mock pin; it tells the bus the time of each edge."""

    def __init__(self, pin: gpiozero.Pin, bus: _Bus) -> None:
        self._pin, self._bus = pin, bus

    def contact(self, closed: bool) -> None:
        """Close or open it."""
        self._bus.first_byte_ns, self._bus.edge_ns = None, time.monotonic_ns()
        (self._pin.drive_low if closed else self._pin.drive_high)()


JOURNAL_BAR = 1.2
GROUPS = 400


class Appending(_Listed, frozen=True):
    """Medians in µs over ``groups`` of one step, alternating with as many plain writes and syncs.

    ``bytes`` is the size of such a group; the figures are of the disk with ``folder``.
    """

    folder: str
    groups: int
    bytes: int
    append_us: float
    plain_us: float
    ratio: float
    bar: float
    within_bar: bool


def measure_journal(groups: int = GROUPS, *, folder: Path) -> Appending:
    """Append ``groups`` groups to a journal in ``folder``, which is removed at the end."""
    draft = Draft(kind=Kind.STEP, payload="M d3-e5", seat=0, state_digest="1:0123456789abcdef")
    with TemporaryDirectory(dir=folder, prefix=".bench-") as name:
        plain = os.open(Path(name, "plain"), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with Journal.create(Path(name, "m.podesta"), {"game": "any"}, SystemClock().stamp) as journal:
            size = len(b"".join(map(write_journal_line, journal.append([draft]))))
            data = os.urandom(size)

            def write() -> None:
                os.write(plain, data)
                os.fdatasync(plain)

            works = {"append": lambda: journal.append([draft]), "plain": write}
            times: dict[str, list[int]] = {name: [] for name in works}
            for _ in range(groups):
                # The order is random: a disk that was just synced answers differently.
                for work in Random(len(times["plain"])).sample(sorted(works), len(works)):
                    began = time.perf_counter_ns()
                    works[work]()
                    times[work].append(time.perf_counter_ns() - began)
        os.close(plain)
    append, bare = (statistics.median(times[name]) / 1000 for name in ("append", "plain"))
    return Appending(
        folder=str(folder.absolute()),
        groups=groups,
        bytes=size,
        append_us=round(append, 1),
        plain_us=round(bare, 1),
        ratio=round(append / bare, 3),
        bar=JOURNAL_BAR,
        within_bar=append <= JOURNAL_BAR * bare,
    )


# Calls


RECORD_BAR, PAGE_BAR = 1500, 3000
"""The bars: the most calls of a press that records, and of the page after it."""


class Calls(msgspec.Struct, frozen=True):
    """The medians over a game's recording ``presses``: of the press, and of the page after it."""

    presses: int
    record: float
    page: float

    @classmethod
    def of(cls, counted: Sequence[tuple[int, int]]) -> Calls:
        """Return the medians of at least one pair of counts, of a press and of its page."""
        record, page = (statistics.median(column) for column in zip(*counted, strict=True))
        return cls(len(counted), record, page)

    def missed(self, game: str) -> tuple[str, ...]:
        """Return the missed bars in words, with the figures."""
        bars = (("record", self.record, RECORD_BAR), ("page", self.page, PAGE_BAR))
        return tuple(f"{game} {name}: {calls:g} (bar {bar})" for name, calls, bar in bars if calls > bar)


class CallFigures(msgspec.Struct, frozen=True):
    """The calls by game, and the missed bars."""

    games: dict[str, Calls]
    missed: list[str]

    def lines(self) -> list[str]:
        """Return the figures in lines, then the missed bars."""
        lines = [
            f"{game}: {one.record:g} calls a press that records, {one.page:g} the page after it "
            f"({one.presses})"
            for game, one in self.games.items()
        ]
        return [*lines, *([f"missed: {text}" for text in self.missed] or ["every bar is met"])]


class CountingPilot(Pilot):
    """A pilot who counts the calls of each recording press, and of the page after it."""

    def __init__(self, box: Box, counted: list[tuple[int, int]]) -> None:
        """Drive ``box``; ``counted`` gets both counts of each recording press."""
        super().__init__(box)
        self.counted = counted

    def key(self, event: KeyEvent) -> None:
        """Press or turn, then make the page."""
        head = self.referee.head
        if event != Press(Key.OK):
            self.box.key(event)
            self.box.page()
            return
        pressed = count_calls(lambda: self.box.key(event))
        shown = count_calls(self.box.page)
        if self.referee.head > head:
            self.counted.append((pressed, shown))


def count_calls(act: Callable[[], object]) -> int:
    """Return the number of calls of Python functions until ``act`` returns, its own included."""
    count = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def measure_calls(paths: Iterable[Path]) -> CallFigures:
    """Return the calls of every recording press of these matches, by game."""
    found: dict[str, list[tuple[int, int]]] = {}
    for path in paths:
        counted: list[tuple[int, int]] = []
        played = play(path, partial(CountingPilot, counted=counted))
        found.setdefault(played.game, []).extend(counted)
    games = {game: Calls.of(counted) for game, counted in sorted(found.items()) if counted}
    return CallFigures(games, [text for game, one in games.items() for text in one.missed(game)])
