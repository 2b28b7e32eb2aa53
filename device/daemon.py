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
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device import config as configs
from device import event as events
from device.config import LoadedConfig
from device.files import hold_folder, remove_unfinished, replace_file
from device.keys import Controls, ControlsError, Cues, KeyEvent, Keypads, pin_factory
from device.line import LineDoor, LineService, describe_event
from device.machine import is_clock_off, on_a_pi, run_systemctl
from device.match import Library, MatchDoor, Ruling, Source
from device.menus import Box, RoundHere
from device.screen import NoticePage, Page, PageHeader, cover
from device.screen.pixels import Display, DisplayError, ScreenWorker, open_display, open_plugged, pages_of
from device.sensors import host
from device.settings import DRIVERS
from device.simulate import SimulatedHardware, place_lines
from device.starts import STEADY_S, SafeMode, Starts
from device.status import Parts
from device.stick import Stick
from device.supervise import Backoff, Surprises, describe_error, keep, wake
from device.texts import Why, cause_of, in_words, key_of, moment, quoted, said
from device.update import INSTALLED, Care
from device.voices import Voices
from device.watchdog import Ask, Watchdog, call_if_later, notify
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
    """One box from start to stop: build it, then :meth:`run` it.

    It opens each part after those that it needs (:meth:`_open_parts`), keeps those that serve running
    (:meth:`_serve`), and closes them in the opposite order. Below, each part has its section.
    """

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
        self.simulated = simulate or keys.factory == "mock" or (keys.factory == "auto" and not on_a_pi())
        self.safe_mode, self._starts = safe, starts or Starts(None)
        self.problems: list[Why] = [said("unread.settings", detail=quoted(one)) for one in loaded.problems]
        """Faults of files, of the clock and of the disk that people should know before they play."""
        self.surprises = Surprises(self._show_warning)
        self.restarts = False
        """True once the box ends to restart."""
        self._fitted = tuple(host.list_sensors(self.config, safe=safe is not None))
        self._voices = Voices(state_dir)
        self._stick = Stick(state_dir, loaded.file, state_dir / "stick" if self.simulated else None)
        installed = not self.simulated and INSTALLED.exists()
        self._care = Care(state_dir, self._stick.folder) if installed else None
        self._stopping = asyncio.Event()
        self._pins: Any = None
        self._opening_pins = threading.Lock()
        self._page_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._hindrances: dict[str, set[str]] = {}

    # Start and stop

    async def run(self) -> None:
        """Serve until :meth:`stop`; close every part at the end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        loop.set_exception_handler(self.surprises.log_unforeseen)
        for line in self.safely(self._voices.box.texts):
            print(f"Podestà: {line}", flush=True)
        with contextlib.ExitStack() as closing:
            self._open_parts(closing)
            self._show_page()
            await self._serve()
            if self.controls:
                self.controls.close()

    def _open_parts(self, closing: contextlib.ExitStack) -> None:
        """Open every part after those that it needs; ``closing`` closes them."""
        self.hardware = SimulatedHardware.of(self.config, self.state_dir) if self.simulated else None
        if self.hardware:
            self.hardware.start()
            closing.callback(self.hardware.close)
            for path in self.hardware.node_paths:
                print(f"Podestà: a SIMULATED line at {path}", flush=True)
        place = self._read_place()
        self._open_library(place, closing)
        self.screen = ScreenWorker(
            self._open_display,
            idle_ms=self.config.display.idle_minutes * 60_000,
            public=self._cover_private,
            sorry=self._apologise,
        )
        closing.callback(self.screen.close)
        self.door = MatchDoor(self.library, self.config.confirm)
        self.sensors = host.SensorService(
            self._fitted,
            self.state_dir,
            on_reading=lambda sensor, reading: self._start_task(self._take_reading(sensor, reading)),
            on_state=self._show_sensor,
            simulated=self.hardware.table_path if self.hardware else None,
        )
        self.lessons = host.list_lessons(self._fitted)
        self.box = self._open_menus()
        self.cues = self._open_cues()
        closing.callback(self.cues.close)
        self._connect_menus()
        self.keypads = Keypads(self.config.keypad, self.config.keys, self._press, self._show_warning)
        pictures = self.state_dir / "pictures"
        self._handover = host.Handover(self.door, pictures, lambda: self.lines.voices)
        self.lines = self._make_lines()
        self.publisher = self._make_publisher(place)
        if place.event_key:  # a box that took its file of an event
            kept = events.read_round(self.state_dir, place.table)
            self._seat_planned(kept or events.Seated(0, place.table))
        asks: dict[str, Ask] = {
            "clocks": lambda answer: call_if_later(lambda: self.library.stamp().mono_ms, answer),
            "journal": self._ask_journal,
            "screen": self.screen.ask,
        }
        self.watchdog = Watchdog(asks, on_ready=self._note_ready)
        self._published = self.library.referee, self.library.referee.recorded if self.library.referee else 0

    async def _serve(self) -> None:
        """Keep every part running until :meth:`stop`."""
        serving = {
            "line": self._serve_lines,
            "sensors": self.sensors.run,
            "keys": self._keep_controls,
            "keypad": self.keypads.run,
            "panel": self._serve_panel,
            "disk": self._retry_refused_entries,
            "care": self._tell_outcome_of_care,
            "watchdog": self.watchdog.run,
        }
        if self.publisher:
            serving["event"] = self.publisher.run
        async with asyncio.TaskGroup() as tasks:
            running = [
                tasks.create_task(keep(name, run, self.surprises.set_away), name=name)
                for name, run in serving.items()
            ]
            await self._stopping.wait()
            for task in running:
                task.cancel()

    def stop(self) -> None:
        """End; everything accepted is on the disk before :meth:`run` returns."""
        notify("STOPPING=1")
        self._stopping.set()

    def _restart(self) -> None:
        """End soon, to restart: by the service manager, or without one by :func:`main`."""
        self.restarts = True
        asyncio.get_running_loop().call_later(READ_S, self.stop)

    def _ask_journal(self, answer: Callable[[], None]) -> None:
        """Have the journal's writer call ``answer``; without a match there is none that could hang."""
        if referee := self.library.referee:
            referee.ask_writer(answer)
        else:
            answer()

    def _note_ready(self) -> None:
        self._starts.ready()
        asyncio.get_running_loop().call_later(STEADY_S, self._starts.steady)

    def _list_event_problem(self, error: Exception) -> None:
        """Log an error in a file of the event, and list it among the problems."""
        log.error("%s", error)
        self.problems.append(said("unread.event", detail=cause_of(error)))

    def _note_failed_start(self, name: str, error: Exception) -> None:
        """Log and list an unforeseen error in a part that starts; the box goes on without."""
        log.error("%s: %s", name, describe_error(error), exc_info=error)
        why = said("status.part", part=said(f"part.{name}"), how=quoted(describe_error(error)))
        self.problems.append(said("unread.part", detail=why))

    # Hardware: pins, display, light and buzzer

    def _open_pins(self) -> Any:
        # Opened once: gpiozero's pins belong to the factory that made them, even if another asks for them
        # later.
        with self._opening_pins:  # the screen's thread asks too, for an SPI display's pins
            if self._pins is None:
                self._pins = self.hardware.factory if self.hardware else pin_factory("lgpio")
            return self._pins

    def _open_display(self) -> Display:
        display = self.config.display
        if display.driver not in DRIVERS:
            return open_plugged(self.config)
        if self.hardware:
            return self.hardware.open_display(display.path)
        try:
            factory = self._open_pins() if display.interface == "spi" else None
        except ControlsError as error:
            raise DisplayError(f"display on SPI: {error}") from error
        return open_display(display, factory=factory)

    def _open_cues(self) -> Cues:
        cues = self.hardware or self.config.cues
        led, buzzer = (None if pin == "none" else pin for pin in (cues.led, cues.buzzer))
        try:
            return Cues(led, buzzer, factory=self._open_pins()) if led or buzzer else Cues()
        except ControlsError as error:
            log.error("cues: %s", error)
            self.problems.append(cause_of(error))
            return Cues()

    async def _keep_controls(self) -> None:
        """Claim the keys; if that fails, say so and try again."""
        backoff = Backoff(*RETRY_S)
        while self.controls is None:
            try:
                self.controls = Controls(self.config.keys, self._press, factory=self._open_pins())
                self.controls_why = ""
            except ControlsError as error:
                why = cause_of(error)
                if why != self.controls_why:
                    log.error("keys: %s", error)
                self.controls_why = why
                self._show_warning()
                await asyncio.sleep(backoff.wait())
        self._show_warning()
        if stuck := self.controls.stuck:
            keys = tuple(said(f"web.box.{key}") for key in sorted(stuck))
            self.box.toast(in_words(said("warning.stuck", key=keys), self.box.texts), urgent=True)
        while self.controls.stuck:  # the header keeps saying so
            await asyncio.sleep(RETRY_S[0])
            self._show_warning()

    def _switch_off(self) -> str:
        """Switch the machine off; return what to tell people."""
        if self.simulated or not on_a_pi():
            return self.box.texts("setup.no_power")
        # The match stays open: the system's own signal ends us in order, and if it refuses, play goes on.
        why = run_systemctl("poweroff")
        if not why:
            return self.box.texts("setup.powering_off")
        log.error("power off: %s", why)
        return in_words(said("care.why.service", detail=quoted(why)), self.box.texts)

    # The match

    def _open_library(self, place: events.BoxPlace, closing: contextlib.ExitStack) -> None:
        """Open the matches and resume the one being played; problems are listed, not raised."""
        loop = asyncio.get_running_loop()
        self.library = Library(
            self.state_dir,
            simulated=self.simulated,
            table_id=place.table,
            event_id=place.event,
            wake=lambda: wake(loop, lambda: self.surprises.guard("journal", self._publish_recorded)),
            stall=self.hardware.stall if self.hardware else None,
            signer=events.BoxKey(self.state_dir),
        )
        closing.callback(self.library.leave)
        self.library.problems = self.problems
        for name, begin in (("facts", self.library.check_copies), ("match", self.library.resume)):
            try:
                begin()
            except Exception as error:
                self._note_failed_start(name, error)
        if not os.access(self.library.matches, os.W_OK):
            self.problems.append(said("setup.read_only", folder=self.library.matches))
        if is_clock_off(now := time.time(), self.library.matches):
            self.problems.append(said("setup.clock", moment=moment("day", now)))

    def _publish_recorded(self) -> None:
        """Count entries that are on the disk as recorded, and tell watching nodes of the last one."""
        referee = self.library.referee
        if not referee:
            return
        referee.poll()
        match, recorded = self._published
        if referee.recorded > (recorded if match is referee else 0):
            self._published = referee, referee.recorded
            self.lines.publish(referee.recorded, describe_event(referee))

    async def _retry_refused_entries(self) -> None:
        """Record entries that a full or read-only disk refused, as soon as it takes files again."""
        while True:
            await asyncio.sleep(ROOM_S)
            lost, referee = self.library.refused, self.library.referee
            if not (lost and referee):
                continue
            takes = await asyncio.to_thread(self.library.takes_files)
            if takes and referee.lost is lost and referee is self.library.referee:
                self._do_in_menus(referee.retry)

    # Menus and screen

    def _open_menus(self) -> Box:
        """Open the menus on the match being played, or without it if it cannot be shown."""
        make = partial(Box, self.door, pages=pages_of, voices=self._voices, aside=self._do_aside)
        try:
            return make()
        except Exception as error:
            self._note_failed_start("menus", error)
            self.library.leave()  # a match that cannot be shown stays on the disk
            return make()

    def _connect_menus(self) -> None:
        """Give the menus what they use, and have them tell what changes."""
        box, needed = self.box, {Use.PLAY}.union(*(one.uses for one in self._fitted))
        box.uses = tuple(use for use in Use if use in needed)
        box.lessons, box.teach, box.state = self.lessons, self._teach, self.status_lines
        box.power, box.stick, box.care = self._switch_off, self._stick, self._care
        if safe := self.safe_mode:
            names = box.texts.by_commas(safe.left_out) or box.texts("safe.none")
            box.show_text(
                box.texts("safe.title"), f"{box.texts(safe.why)} {box.texts('safe.out', names=names)}"
            )
        box.on_cue = lambda cue: self.surprises.guard("cues", lambda: self.cues.play(cue))
        box.on_page = self._show_page
        box.restart = self._restart
        self.library.on_change = lambda: self._do_in_menus(box.follow)

    def _press(self, event: KeyEvent, seat: int | None = None) -> None:
        self._do_in_menus(lambda: self.box.key(event, seat))

    def _type(self, text: str) -> None:
        self._do_in_menus(lambda: self.box.type(text))

    def _answer(self, yes: bool) -> None:
        """Answer the question that the box shows, from a page."""
        if asked := self.box.confirming:
            self._do_in_menus(asked.accept if yes else asked.decline)

    def _do_in_menus(self, act: Callable[[], object]) -> None:
        """Do something in the menus; after an error they begin again at the match's standing, and say why."""
        try:
            act()
        except Exception as error:
            self.surprises.note("menus", error)
            self.surprises.guard("menus", self._restart_menus)
            sorry = self._apologise(error)
            self.surprises.guard("menus", lambda: self.box.toast(sorry, urgent=True))

    def _restart_menus(self) -> None:
        self.box.go_home()
        if self.library.referee and not self.library.referee.replay.over:
            self.box.play(self.library.referee)
            self.box.follow()  # it asks again about entries that were not recorded

    def _apologise(self, error: BaseException) -> str:
        return in_words(said("surprise.now", why=quoted(describe_error(error))), self.box.texts)

    def _do_aside(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Do ``work`` in a thread, then call ``done`` with its result in the running loop."""
        working = asyncio.get_running_loop().run_in_executor(None, work)
        working.add_done_callback(lambda future: self._do_in_menus(lambda: done(future.result())))

    async def _tell_outcome_of_care(self) -> None:
        """Tell the outcome of an update, restore or reset, once it is there."""
        while care := self._care:
            if news := await asyncio.to_thread(care.news):
                t = self.box.texts
                outcome = t(f"care.came.{news.said}", version=news.version, why=in_words(news.cause, t))
                self._do_in_menus(partial(self.box.show_text, t("care.title"), outcome))
                self._show_page()
            await asyncio.sleep(ROOM_S)

    def _show_page(self) -> None:
        """Show the menus' page, now and when it next changes by itself; tell who depends on the match."""
        page, due_ms = self._make_page()
        if self.publisher:
            self.publisher.changed()
        self.screen.show(page)
        if self._fitted:
            self.surprises.guard("sensors", lambda: self.sensors.expect(self._handover.find_expected()))
        if self._page_timer:
            self._page_timer.cancel()
        if due_ms is not None:
            loop = asyncio.get_running_loop()
            self._page_timer = loop.call_later(due_ms / 1000 + 0.01, self._show_page)

    def _make_page(self) -> tuple[Page, float | None]:
        """Return the page and the ms after which it changes; a page that fails is replaced by the reason."""
        try:
            return self.box.page(), self.box.due_ms()
        except Exception as error:
            self.surprises.note("menus", error)
            self.surprises.guard("menus", self.box.go_home)
            return NoticePage(PageHeader(simulated=self.simulated), self._apologise(error), urgent=True), None

    def _show_warning(self) -> None:
        """Put the name of a part that is away into the header."""
        self.box.warning = self.warning()
        self._show_page()

    # Lines

    def _make_lines(self) -> LineService:
        lines = self.config.line
        if self.hardware:
            lines = place_lines(self.hardware.line_paths, lines)
        return LineService(
            lines,
            LineDoor(self.door, self.box.words_of),
            on_key=self._press,
            on_telemetry=self.sensors.hear,
            hurried=self.simulated,
            on_state=lambda _: self._show_warning(),
        )

    async def _serve_lines(self) -> None:
        try:
            await self.lines.run()
        except Exception:
            self.lines = self._make_lines()  # closed ports do not open again
            raise

    # Sensors

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take_reading(self, sensor: host.Fitted, reading: host.Reading) -> None:
        try:
            if why := await self._handover.take(sensor, reading):
                self.surprises.over[sensor.title] = why
        except Exception as error:
            self.surprises.note(sensor.title, error)

    def _show_sensor(self, state: host.SensorState) -> None:
        """Show a sensor's state in the header, and over the page if it reads the current question."""
        self._show_warning()
        found = set(map(key_of, state.troubles))
        before, self._hindrances[state.title] = self._hindrances.get(state.title, set()), found
        if before - found:
            self.box.withdraw(state.title)
        new, now = found - before, self._handover.find_expected()
        if new and state.name in (now.question, *now.lying):
            self.box.toast(state.describe(self.box.texts), about=state.title)

    def _teach(self, lesson: host.Lesson, sizes: host.Sizes, done: Callable[[host.Taught], None]) -> None:
        """Have a camera learn its pieces, then call ``done`` with what it learnt."""

        async def learn() -> None:
            taught = await self.sensors.teach(lesson, sizes)
            self._do_in_menus(lambda: done(taught))

        self._start_task(learn())

    # The page in the browser

    async def _serve_panel(self) -> None:
        from device import panel  # noqa: PLC0415 – the screen must not wait for a web server

        where = self.config.panel.host, self.port
        await panel.serve(self.panel(), *where, on_url=self._tell_address, on_wait=self._tell_wait)

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

        more = panel.list_part_routes(
            self.door, voices, phones, typed=self._type, lessons=self.lessons, teach=self.sensors.teach
        )
        act = phones.act == "play"
        if self.hardware and not act:
            more.append(phones.make_fault_route(self.hardware))
        return panel.make_app(
            self.hardware,
            self.screen,
            lambda cookies: self.status(voices.asked(cookies)),
            (settings.host, *settings.names),
            texts=lambda cookies: voices.asked(cookies).texts,
            match=match,
            own=phones.write_rights,
            more=more,
            act=act,
        )

    def _cover_private(self, page: Page) -> Page:
        """Return what the browser shows of a page: all of it if the browser is the only screen, and only this
        machine reaches it; else a private page's cover.
        """
        panel = self.config.panel
        only = self.simulated and panel.acts(simulated=True) == "play" and not panel.on_network
        return page if only else cover(page)

    def _tell_address(self, url: str) -> None:
        if self.config.panel.on_network:
            print("Podestà: the page is OPEN TO THE NETWORK, unencrypted: trust whoever is on it", flush=True)
            self.box.address = url
        what = "SIMULATED keys and screen" if self.simulated else "the screen"
        print(f"Podestà: {what} at {url}", flush=True)
        try:
            replace_file(self.state_dir / configs.PAGE_ADDRESS, url.encode())
        except OSError as error:
            log.warning("panel: its address is not kept: %s", error)

    def _tell_wait(self, why: str) -> None:
        print(f"Podestà: {why}", file=sys.stderr, flush=True)

    # An event's desk

    def _read_place(self) -> events.BoxPlace:
        """Return the table and event of this box, by the organiser's file or else the settings."""
        table, place = self.config.table, None
        try:
            place = events.read_place(self.state_dir)
        except (events.ProvisionError, OSError) as error:
            self._list_event_problem(error)
        return place or events.BoxPlace(table.event, table.id, "")

    def _make_publisher(self, place: events.BoxPlace) -> events.Publisher | None:
        """Return the publisher that tells the event's desk of the matches here, None without a broker."""
        event = self.config.event
        if event.broker == "none":
            return None
        try:
            ca = Path(event.ca).expanduser() if event.ca else None
            credential = events.read_credential(self.state_dir / events.BROKER, event.broker, ca)
        except events.BrokerError as error:
            self._list_event_problem(error)
            return None
        if credential is None:
            return None
        return events.Publisher(
            credential,
            place,
            self.library,
            self.elsewhere,
            self._show_warning,
            self._hear_ruling,
            self._hear_plan,
        )

    def _hear_ruling(self, judge: str, ruling: Ruling, source: Source) -> None:
        self._do_in_menus(lambda: self.box.propose_ruling(judge, ruling, source))

    def _hear_plan(self, plan: events.Seated) -> None:
        """Show the players planned here, and keep them for a restart before the desk is heard."""
        if self._seat_planned(plan):
            self._do_aside(partial(events.keep_round, self.state_dir, plan), lambda _: None)

    def _seat_planned(self, plan: events.Seated) -> bool:
        """Show the players of a round's plan; return True if they are others than before."""
        here, before = RoundHere(plan.round, plan.table, plan.names), self.box.round
        self.library.round = str(plan.round or "")
        ends_ms = None if plan.left_s is None else self.box.now_ms() + 1000 * plan.left_s
        self._do_in_menus(lambda: self.box.note_round(here, ends_ms))
        return here != before


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
    for problem in loaded.problems:
        log.error("%s; running on the %s", problem, loaded.source)
    where = state or configs.state_dir(loaded.config)

    with hold_folder(where):
        for left in remove_unfinished(where):
            log.warning("%s: left by a power cut, removed", left)
        daemon = Daemon(loaded, where, simulate=simulate, safe=safe, port=port, starts=starts)
        asyncio.run(daemon.run())
    if daemon.restarts and "NOTIFY_SOCKET" not in os.environ:  # else the service manager restarts it
        os.execv(sys.executable, sys.orig_argv)
    return 0
