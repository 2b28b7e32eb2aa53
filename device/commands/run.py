"""`podesta run`: the box itself, until it is stopped."""

from __future__ import annotations

import signal
import time

from device import config as configs
from device.commands import Exit, Options, UsageError, command, take
from device.files import FolderBusy
from device.machine import on_a_pi
from device.settings import DRIVERS, Config
from device.starts import SafeMode, Starts, pause_s, safe_mode
from device.watchdog import notify
from engines import packages

START_S = 90
"""The time a start may take, as in the unit (``TimeoutStartSec=``); one that takes longer has failed."""


@command(
    take.option("--simulate", "no pins, display or lines: a simulated box in the browser"),
    take.option("--safe", "without any plug-in, whatever the settings name"),
    take.box,
    take.option("--port N", "the panel's port (0: any free one)", type=take.whole(0, 65535)),
)
def run(options: Options) -> int:
    """Run the daemon until it ends; raises :class:`UsageError` for mistakes in a named config."""
    starts = Starts.of()

    def asked_to_end(*signalled: object) -> None:
        starts.ready()  # a start that was told to end has not failed, not even during the imports
        raise SystemExit(Exit.FINE)

    signal.signal(signal.SIGTERM, asked_to_end)
    if pause := pause_s(starts.begin()):
        notify(f"EXTEND_TIMEOUT_USEC={round((pause + START_S) * 1e6)}")
        time.sleep(pause)
    if options.config:
        loaded = configs.load_or_last_good(options.config, options.state)
        if loaded.source is not configs.ConfigSource.FILE:
            raise UsageError(*map(str, loaded.problems))
    else:
        loaded = configs.load_or_last_good(configs.find(), options.state)

    safe = _safe_mode(options, loaded.config, starts.failed)
    if safe:
        packages.leave_out()  # the settings are read: they may name what is left out

    from device import daemon  # noqa: PLC0415 – brings pins, pictures and a web server

    starts.hurry()
    try:
        status = daemon.main(
            loaded,
            state=options.state,
            simulate=options.simulate,
            safe=safe,
            port=options.port,
            starts=starts,
        )
    except FolderBusy:
        starts.ready()  # no fault of a plug-in
        raise
    starts.ready()
    return status


def _safe_mode(options: Options, config: Config, failed: int) -> SafeMode | None:
    """Return the safe mode to start in, None for none; Back, held down at power-up, asks for it."""

    def held() -> bool:
        factory = config.keys.factory
        if options.simulate or factory == "mock" or (factory == "auto" and not on_a_pi()):
            return False
        from device.keys import Key, held_down  # noqa: PLC0415 – brings pins

        return held_down(config.keys, Key.BACK)

    display = {config.display.driver} - set(DRIVERS)
    names = {section.name for section in config.plugins} | display | set(packages.points())
    return safe_mode(asked=options.safe, failed=failed, held=held, plug_ins=sorted(names))
