"""The daemon: one event loop that joins keys, line, screen, cues and panel to the match.

Every part is optional: it may vanish and come back, and its absence is shown, not fatal. So is an error in
one (see :mod:`device.supervise`). Input never waits for drawing or for the disk: both have their own threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device import config as configs
from device import event as events
from device import logs
from device.config import LoadedConfig
from device.files import own_folder, sweep
from device.keys import Controls, ControlsError, Cues, KeyEvent, Keypads, pin_factory
from device.line import LineDoor, LineService, turn
from device.machine import clock_is_off, on_a_pi, systemctl
from device.match import Library, MatchDoor, Referee, Ruling, Source
from device.menus import Box, RoundHere
from device.running import leave_address
from device.screen import NoticePage, Page, PageHeader, cover
from device.screen.pixels import Display, DisplayError, ScreenWorker, open_display, open_plugged, pages_of
from device.sensors import host
from device.settings import DRIVERS
from device.simulate import SimulatedHardware, lines_on, ports
from device.starts import STEADY_S, SafeMode, Starts
from device.status import Parts
from device.stick import Stick
from device.supervise import Backoff, Surprises, cause, keep, wake
from device.texts import Why, cause_of, in_words, key_of, moment, quoted, said
from device.update import INSTALLED, Care
from device.voices import Voices
from device.watchdog import Ask, Watchdog, notify, when_later
from engines.contract import SEATS
from engines.facts import Use

if TYPE_CHECKING:
    from starlette.applications import Starlette

log = logging.getLogger(__name__)

RETRY_S = (1.0, 30.0)
"""The first and longest wait before another try to open the keys."""

READ_S = 4.0
"""The time that people have to read why the box restarts."""

ROOM_S = 5.0
"""The pause before another try to write to a disk that refused an entry."""


class Daemon(Parts):
    """One box from start to stop. Build it, then :meth:`run` it."""

    def __init__(
        self,
        loaded: LoadedConfig,
        state_dir: Path,
        *,
        simulate: bool = False,
        safe: SafeMode | None = None,
        port: int | None = None,
        starts: Starts | None = None,
    ) -> None:
        """Prepare the box; nothing is opened yet.

        ``simulate`` replaces real hardware by simulated; in ``safe`` mode no plug-in is started. ``port`` is
        the panel's; ``starts`` are told when the box is ready.
        """
        self.config = loaded.config
        self.state_dir = state_dir
        self.port = loaded.config.panel.port if port is None else port
        keys = self.config.keys
        self._fitted = tuple(host.fitted(self.config, safe=safe is not None))
        self.safe_mode, self._starts = safe, starts or Starts(None)
        self._voices = Voices(self.state_dir)
        self.simulated = simulate or keys.factory == "mock" or (keys.factory == "auto" and not on_a_pi())
        self.problems: list[Why] = [said("unread.settings", detail=quoted(one)) for one in loaded.problems]
        self._stick = Stick(state_dir, loaded.file, state_dir / "stick" if self.simulated else None)
        installed = not self.simulated and INSTALLED.exists()
        self._care = Care(state_dir, self._stick.folder) if installed else None
        self._stopping = asyncio.Event()
        self._pin_factory: Any = None
        self._opening = threading.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._taking: set[asyncio.Task[None]] = set()
        self._hindered: dict[str, set[str]] = {}
        self.anew = False
        """True once the box ends to restart."""
        self.surprises = Surprises(self._warn)

    async def run(self) -> None:
        """Serve until :meth:`stop`; close every part at the end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        loop.set_exception_handler(self.surprises.unforeseen)
        for line in self.safely(self._voices.box.texts):
            print(f"Podestà: {line}", flush=True)
        with contextlib.ExitStack() as parts:
            self._build(parts)
            self._show()
            await self._serve()
            if self.controls:
                self.controls.close()

    def _build(self, parts: contextlib.ExitStack) -> None:
        """Build every part after those that it needs; ``parts`` closes them."""
        self.hardware = parts.enter_context(self._hardware()) if self.simulated else None
        here = self._place()
        self._open_library(parts, here)
        self.screen = ScreenWorker(
            self._open_display,
            idle_ms=self.config.display.idle_minutes * 60_000,
            public=self._public,
            sorry=self._sorry,
        )
        parts.callback(self.screen.close)
        self.door = MatchDoor(self.library, self.config.confirm)
        self.sensors = self._sensor_service()
        self.lessons = host.lessons(self._fitted)
        self.box = self._box()
        self.cues = self._cues()
        parts.callback(self.cues.close)
        self.box.on_cue = lambda cue: self.surprises.guarded("cues", lambda: self.cues.play(cue))
        self.box.on_page = self._show
        self.box.restart = self._restart
        self.library.on_change = lambda: self._in_menus(self.box.changed)
        self.keypads = Keypads(self.config.keypad, self.config.keys, self._key, self._warn)
        pictures = self.state_dir / "pictures"
        self._handover = host.Handover(self.door, pictures, lambda: self.lines.voices)
        self.lines = self._line_service()
        self.publisher = self._publisher(here)
        if here.event_key:  # a box that took its file of an event
            planned = events.kept_round(self.state_dir, here.table) or events.Seated(0, here.table)
            self._sit(RoundHere(planned.round, planned.table, planned.names))
        self.watchdog = self._watchdog()
        self._told = self.library.referee, self.library.referee.recorded if self.library.referee else 0

    def _open_library(self, parts: contextlib.ExitStack, here: events.Place) -> None:
        """Open the matches and resume the one being played; problems are listed, not raised."""
        loop = asyncio.get_running_loop()
        self.library = Library(
            self.state_dir,
            simulated=self.simulated,
            table_id=here.table,
            event_id=here.event,
            wake=lambda: wake(loop, lambda: self.surprises.guarded("journal", self._written)),
            stall=self.hardware.stall if self.hardware else None,
            signer=events.BoxKey(self.state_dir),
        )
        parts.callback(self.library.leave)
        self.library.problems += self.problems
        for name, begin in (("facts", self.library.check_copies), ("match", self.library.resume)):
            try:
                begin()
            except Exception as error:
                self._at_the_start(name, error)
        self.library.problems += self._oddities()

    async def _serve(self) -> None:
        """Keep every part running until :meth:`stop`."""
        async with asyncio.TaskGroup() as tasks:
            served = {
                "line": self._serve_lines,
                "sensors": self.sensors.run,
                "keys": self._keep_controls,
                "keypad": self.keypads.run,
                "panel": self._serve_panel,
                "disk": self._try_the_disk,
                "care": self._hear_of_care,
                "watchdog": self.watchdog.run,
            }
            if self.publisher:
                served["event"] = self.publisher.run
            told = self.surprises.part
            running = [tasks.create_task(keep(name, run, told), name=name) for name, run in served.items()]
            await self._stopping.wait()
            for task in running:
                task.cancel()

    def stop(self) -> None:
        """End; everything accepted is on the disk before :meth:`run` returns."""
        notify("STOPPING=1")
        self._stopping.set()

    def _restart(self) -> None:
        """End soon, to restart: by the service manager, or without one by :func:`main`."""
        self.anew = True
        asyncio.get_running_loop().call_later(READ_S, self.stop)

    def _place(self) -> events.Place:
        """Return the table and event of this box, by the organiser's file or else the settings."""
        table = self.config.table
        try:
            told = events.place(self.state_dir)
        except (events.ProvisionError, OSError) as error:
            log.error("%s", error)
            self.problems.append(said("unread.event", detail=cause_of(error)))
            told = None
        return told or events.Place(table.event, table.id, "")

    def _publisher(self, here: events.Place) -> events.Publisher | None:
        """Return the publisher that tells the event's desk of the matches here, None without a broker."""
        event = self.config.event
        if event.broker == "none":
            return None
        try:
            ca = Path(event.ca).expanduser() if event.ca else None
            told = events.credential(self.state_dir / events.BROKER, event.broker, ca)
        except events.BrokerError as error:
            log.error("%s", error)
            self.library.problems.append(said("unread.event", detail=cause_of(error)))
            return None
        if told is None:
            return None
        return events.Publisher(
            told, here, self.library, self.elsewhere, self._warn, self._judged, self._seated
        )

    def _judged(self, judge: str, ruling: Ruling, source: Source) -> None:
        self._in_menus(lambda: self.box.judged(judge, ruling, source))

    def _seated(self, told: events.Seated) -> None:
        """Show the players planned here, and keep them for a restart before the desk is heard."""
        here = RoundHere(told.round, told.table, told.names)
        if here != self.box.round:
            self._aside(partial(events.keep_round, self.state_dir, told), lambda _: None)
        self._sit(here, told.left_s)

    def _sit(self, here: RoundHere, left_s: int | None = None) -> None:
        self.library.round = str(here.number or "")
        ends = None if left_s is None else self.box.now_ms() + 1000 * left_s
        self._in_menus(lambda: self.box.seat(here, ends))

    def _oddities(self) -> list[Why]:
        """List what people should know before they play: a disk that refuses files, a wrong clock."""
        matches = self.library.matches
        found: list[Why] = [] if os.access(matches, os.W_OK) else [said("setup.read_only", folder=matches)]
        if clock_is_off(time.time(), matches):
            found.append(said("setup.clock", moment=moment("day", time.time())))
        return found

    # The parts

    @contextlib.contextmanager
    def _hardware(self) -> Iterator[SimulatedHardware]:
        cues = self.config.cues
        hardware = SimulatedHardware(
            self.config.keys,
            lines=ports(self.config, self.state_dir),
            table=self.state_dir / "simulated_table.json",
            led=12 if cues.led == "none" else cues.led,
            buzzer=13 if cues.buzzer == "none" else cues.buzzer,
        )
        hardware.start()
        for path in hardware.node_paths:
            print(f"Podestà: a SIMULATED line at {path}", flush=True)
        try:
            yield hardware
        finally:
            hardware.close()

    def _box(self) -> Box:
        def made() -> Box:
            return Box(self.door, pages=pages_of, voices=self._voices, aside=self._aside)

        try:
            box = made()
        except Exception as error:
            self._at_the_start("menus", error)
            self.library.leave()  # a match that cannot be shown stays on the disk
            box = made()
        needed = {Use.PLAY}.union(*(one.uses for one in self._fitted))
        box.uses = tuple(use for use in Use if use in needed)
        box.lessons, box.teach, box.state = self.lessons, self._teach, self.status_lines
        box.power, box.stick, box.care = self._power_off, self._stick, self._care
        if safe := self.safe_mode:
            names = box.texts.by_commas(safe.left_out) or box.texts("safe.none")
            box.show_text(
                box.texts("safe.title"), f"{box.texts(safe.why)} {box.texts('safe.out', names=names)}"
            )
        return box

    def _watchdog(self) -> Watchdog:
        def journal(answer: Callable[[], None]) -> None:
            referee = self.library.referee
            if referee:
                referee.ask_writer(answer)
            else:
                answer()

        def ready() -> None:
            self._starts.ready()
            asyncio.get_running_loop().call_later(STEADY_S, self._starts.steady)

        asks: dict[str, Ask] = {
            "clocks": lambda answer: when_later(lambda: self.library.stamp().mono_ms, answer),
            "journal": journal,
            "screen": self.screen.ask,
        }
        return Watchdog(asks, on_ready=ready)

    async def _try_the_disk(self) -> None:
        """Record entries that a full or read-only disk refused, as soon as it takes files again."""
        while True:
            await asyncio.sleep(ROOM_S)
            lost, referee = self.library.refused, self.library.referee
            if not (lost and referee):
                continue
            takes = await asyncio.get_running_loop().run_in_executor(None, self.library.takes_files)
            if takes and referee.lost is lost and referee is self.library.referee:
                self._in_menus(referee.retry)

    async def _hear_of_care(self) -> None:
        """Tell the outcome of an update, restore or reset, once it is there."""
        while care := self._care:
            if news := await asyncio.get_running_loop().run_in_executor(None, care.news):
                t = self.box.texts
                outcome = t(f"care.came.{news.said}", version=news.version, why=in_words(news.cause, t))
                self._in_menus(partial(self.box.show_text, t("care.title"), outcome))
                self._show()
            await asyncio.sleep(ROOM_S)

    def _at_the_start(self, name: str, error: Exception) -> None:
        log.error("%s: %s", name, cause(error), exc_info=error)
        why = said("status.part", part=said(f"part.{name}"), how=quoted(cause(error)))
        self.library.problems.append(said("unread.part", detail=why))

    def _factory(self) -> Any:
        # Opened once: gpiozero's pins belong to the factory that made them, even if another asks for them
        # later.
        with self._opening:  # the screen's thread asks too, for an SPI display's pins
            if self._pin_factory is None:
                self._pin_factory = self.hardware.factory if self.hardware else pin_factory("lgpio")
            return self._pin_factory

    async def _keep_controls(self) -> None:
        """Claim the keys; if that fails, say so and try again."""
        backoff = Backoff(*RETRY_S)
        while self.controls is None:
            try:
                self.controls = Controls(self.config.keys, self._key, factory=self._factory())
                self.controls_why = ""
            except ControlsError as error:
                why = cause_of(error)
                if why != self.controls_why:
                    log.error("keys: %s", error)
                self.controls_why = why
                self._warn()
                await asyncio.sleep(backoff.wait())
        self._warn()
        if stuck := self.controls.stuck:
            keys = tuple(said(f"web.box.{key}") for key in sorted(stuck))
            self.box.toast(in_words(said("warning.stuck", key=keys), self.box.texts), urgent=True)
        while self.controls.stuck:  # the header keeps saying so
            await asyncio.sleep(RETRY_S[0])
            self._warn()

    def _public(self, page: Page) -> Page:
        """Return what the browser shows of a page: all of it if the browser is the only screen, and only this
        machine reaches it; else a private page's cover.
        """
        panel = self.config.panel
        only = self.simulated and panel.acts(simulated=True) == "play" and not panel.on_network
        return page if only else cover(page)

    def _open_display(self) -> Display:
        display = self.config.display
        if display.driver not in DRIVERS:
            return open_plugged(self.config)
        if self.hardware:
            return self.hardware.open_display(display.path)
        try:
            factory = self._factory() if display.interface == "spi" else None
        except ControlsError as error:
            raise DisplayError(f"display on SPI: {error}") from error
        return open_display(display, factory=factory)

    def _cues(self) -> Cues:
        cues = self.config.cues
        try:
            if self.hardware:
                return Cues(self.hardware.led, self.hardware.buzzer, factory=self._factory())
            if cues.led == cues.buzzer == "none":
                return Cues()
            pins = (pin if isinstance(pin, int) else None for pin in (cues.led, cues.buzzer))
            return Cues(*pins, factory=self._factory())
        except ControlsError as error:
            self.library.problems.append(cause_of(error))
            log.error("cues: %s", error)
            return Cues()

    def _line_service(self) -> LineService:
        door = LineDoor(self.door, self.box.words_of)
        lines = self.config.line
        if self.hardware:
            lines = lines_on(self.hardware.line_paths, lines)
        return LineService(
            lines,
            door,
            on_key=self._key,
            on_telemetry=self.sensors.hear,
            hurried=self.simulated,
            on_state=lambda _: self._warn(),
        )

    async def _serve_lines(self) -> None:
        try:
            await self.lines.run()
        except Exception:
            self.lines = self._line_service()  # closed ports do not open again
            raise

    def _sensor_service(self) -> host.SensorService:
        return host.SensorService(
            self._fitted,
            self.state_dir,
            on_reading=self._seen,
            on_state=self._sensor_is,
            simulated=self.hardware.table_path if self.hardware else None,
        )

    def _sensor_is(self, state: host.SensorState) -> None:
        """Show a sensor's state in the header, and over the page if it reads the current question."""
        self._warn()
        found = set(map(key_of, state.troubles))
        before, self._hindered[state.title] = self._hindered.get(state.title, set()), found
        if before - found:
            self.box.withdraw(state.title)
        new, now = found - before, self._handover.expected()
        if new and state.name in (now.question, *now.lying):
            self.box.toast(state.line(self.box.texts), about=state.title)

    def _seen(self, sensor: host.Fitted, reading: host.Reading) -> None:
        self._meanwhile(self._take(sensor, reading))

    def _meanwhile(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    def _teach(self, lesson: host.Lesson, sizes: host.Sizes, done: Callable[[host.Taught], None]) -> None:
        async def taught() -> None:
            found = await self.sensors.teach(lesson, sizes)
            self._in_menus(lambda: done(found))

        self._meanwhile(taught())

    async def _take(self, sensor: host.Fitted, reading: host.Reading) -> None:
        try:
            if why := await self._handover.take(sensor, reading):
                self.surprises.over[sensor.title] = why
        except Exception as error:
            self.surprises.note(sensor.title, error)

    async def _serve_panel(self) -> None:
        from device import panel  # noqa: PLC0415 – the screen must not wait for a web server

        await panel.serve(
            self.panel(), self.config.panel.host, self.port, on_url=self._say_where, on_wait=self._say_why
        )

    def panel(self) -> Starlette:
        """Make the page in the browser, as this box is set up to serve it."""
        from device import panel  # noqa: PLC0415 – as above

        settings, voices = self.config.panel, self.box.voices
        tables = panel.Tables(voices)
        phones = panel.Phones(
            self.door,
            voices,
            settings.acts(simulated=self.simulated),
            pairings=self.box.pairings,
            spoken_for=lambda: self.lines.voices,
            confirming=lambda: self.box.confirming,
            answer=self._answer,
        )

        def match(cookies: Mapping[str, str]) -> str:
            replay = self.library.referee.replay if self.library.referee else None
            try:
                return tables(cookies, replay, asked=self.box.crop_asked is not None)
            except Exception as error:
                self.surprises.note("panel", error)
                return "null"

        more = panel.routes_of_parts(
            self.door, voices, phones, typed=self._type, lessons=self.lessons, teach=self.sensors.teach
        )
        act = phones.act == "play"
        if self.hardware and not act:
            more.append(phones.faults(self.hardware))
        return panel.make_app(
            self.hardware,
            self.screen,
            lambda cookies: self.status(voices.asked(cookies)),
            (settings.host, *settings.names),
            texts=lambda cookies: voices.asked(cookies).texts,
            match=match,
            own=phones.own,
            more=more,
            act=act,
        )

    def _say_where(self, url: str) -> None:
        if self.config.panel.on_network:
            print("Podestà: the page is OPEN TO THE NETWORK, unencrypted: trust whoever is on it", flush=True)
            self.box.address = url
        what = "SIMULATED keys and screen" if self.simulated else "the screen"
        print(f"Podestà: {what} at {url}", flush=True)
        try:
            leave_address(self.state_dir, url)
        except OSError as error:
            log.warning("panel: its address is not kept: %s", error)

    def _say_why(self, why: str) -> None:
        print(f"Podestà: {why}", file=sys.stderr, flush=True)

    # Between the parts

    def _written(self) -> None:
        referee = self.library.referee
        if not referee:
            return
        referee.poll()
        match, told = self._told
        if referee.recorded > (told if match is referee else 0):
            self._told = referee, referee.recorded
            self.lines.publish(referee.recorded, event(referee))

    def _key(self, event: KeyEvent, seat: int | None = None) -> None:
        self._in_menus(lambda: self.box.key(event, seat))

    def _type(self, text: str) -> None:
        self._in_menus(lambda: self.box.type(text))

    def _answer(self, yes: bool) -> None:
        """Answer the question that the box shows, from a page."""
        if asked := self.box.confirming:
            self._in_menus(asked.yes if yes else asked.no)

    def _aside(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Do ``work`` in a thread, then call ``done`` with its result in the running loop."""
        working = asyncio.get_running_loop().run_in_executor(None, work)
        working.add_done_callback(lambda future: self._in_menus(lambda: done(future.result())))

    def _show(self) -> None:
        page, due = self._page()
        if self.publisher:
            self.publisher.changed()
        self.screen.show(page)
        if self._fitted:
            self.surprises.guarded("sensors", lambda: self.sensors.expect(self._handover.expected()))
        if self._timer:
            self._timer.cancel()
        if due is not None:
            self._timer = asyncio.get_running_loop().call_later(due / 1000 + 0.01, self._show)

    def _warn(self) -> None:
        """Put the name of a part that is away into the header."""
        self.box.warning = self.warning()
        self._show()

    # Unexpected errors

    def _in_menus(self, act: Callable[[], object]) -> None:
        """Do something in the menus; after an error they begin again at the match's standing, and say why."""
        try:
            act()
        except Exception as error:
            self.surprises.note("menus", error)
            self.surprises.guarded("menus", self._menus_anew)
            sorry = self._sorry(error)
            self.surprises.guarded("menus", lambda: self.box.toast(sorry, urgent=True))

    def _menus_anew(self) -> None:
        self.box.home()
        if self.library.referee and not self.library.referee.replay.over:
            self.box.play(self.library.referee)
            self.box.changed()  # it asks again about entries that were not recorded

    def _page(self) -> tuple[Page, float | None]:
        """Return the page and the ms after which it changes; a page that fails is replaced by the reason."""
        try:
            return self.box.page(), self.box.due_ms()
        except Exception as error:
            self.surprises.note("menus", error)
            self.surprises.guarded("menus", self.box.home)
            return NoticePage(PageHeader(simulated=self.simulated), self._sorry(error), urgent=True), None

    def _sorry(self, error: BaseException) -> str:
        return in_words(said("surprise.now", why=quoted(cause(error))), self.box.texts)

    def _power_off(self) -> str:
        if self.simulated or not on_a_pi():
            return self.box.texts("setup.no_power")
        # The match stays open: the system's own signal ends us in order, and if it refuses, play goes on.
        why = systemctl("poweroff")
        if not why:
            return self.box.texts("setup.powering_off")
        log.error("power off: %s", why)
        return in_words(said("care.why.service", detail=quoted(why)), self.box.texts)


def event(referee: Referee) -> str:
    """Return the event of the last record for watching nodes: the turn now, and the public part."""
    last = referee.replay.log[referee.recorded - 1]
    who = "" if last.seat is None else f"{SEATS[last.seat]}: "
    said = last.payload if last.visibility == "public" else "sealed"
    return f"turn {turn(referee)} {last.kind.value} {who}{said}"


def main(
    loaded: LoadedConfig,
    *,
    state: Path | None,
    simulate: bool,
    port: int | None,
    safe: SafeMode | None = None,
    starts: Starts | None = None,
) -> int:
    """Run ``podesta run``: report problems of the config, then serve until a signal; return 0 after a good
    end.

    Raises :class:`device.files.FolderBusy` if another process has the state directory, before anything is
    opened.
    """
    level = os.environ.get("PODESTA_LOG", "WARNING").upper()
    logs.start(level)
    for problem in loaded.problems:
        log.error("%s; running on the %s", problem, loaded.source)
    where = state or configs.state_dir(loaded.config)

    async def serve() -> bool:
        daemon = Daemon(loaded, where, simulate=simulate, safe=safe, port=port, starts=starts)
        await daemon.run()
        return daemon.anew

    with own_folder(where):
        for left in sweep(where):
            log.warning("%s: left by a power cut, removed", left)
        anew = asyncio.run(serve())
    if anew and "NOTIFY_SOCKET" not in os.environ:  # else the service manager restarts it
        os.execv(sys.executable, sys.orig_argv)
    return 0
