"""`podesta desk`: the organiser's desk for an event of many tables.

It takes in signed results of boxes (uploaded, or from a folder or a stick), verifies each by the event's
keys, shows the outstanding tables, and keeps judges' rulings. It needs the extra ``podesta[desk]``.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from device.commands import Options, command, desk_extra, installed, take


@command(
    take.option("--state DIR", "where all is kept (default: desk)", default=Path("desk")),
    take.option("--listen ADDR:PORT", "default: 127.0.0.1:8180", default="127.0.0.1:8180"),
    take.option("--keys FILE", "the event's keys (default: keys.toml in --state)"),
    take.option(
        "--folder DIR…",
        "folders that results may be taken from, such as where sticks are mounted",
        default=[],
    ),
    take.option("--certificate FILE", "PEM, with --key; default: one of its own, in --state"),
    take.option("--key FILE", "the certificate's private key: PEM"),
    take.option("--broker FILE", "the desk's credential at a broker: broker/desk.json"),
    take.option("--rebuild BUNDLE", "begin with all that is in the bundle of a desk that is lost"),
    take.option("--database ADDRESS", "postgresql+psycopg://… instead of SQLite in --state"),
)
def run(options: Options) -> None:
    """Serve the desk until it is stopped; raises :class:`CommandError` if the extra is missing."""
    with desk_extra():
        from device.event.desk import desk_at, run_desk  # noqa: PLC0415 – the extra
    at = desk_at(options.listen, options.certificate, options.key)
    tls = (options.certificate, options.key) if options.certificate else None
    run_desk(
        options.state,
        at,
        keys=options.keys,
        database=options.database,
        folders=options.folder,
        tls=tls,
        broker=options.broker,
        rebuilt=options.rebuild,
        version=installed("podesta"),
        say=partial(print, flush=True),
    )
