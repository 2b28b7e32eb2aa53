"""Events: `podesta provision` begins one, `podesta bundle` gathers its matches, `podesta continue` saves one,
`podesta desk` serves one.

**provision** ``"Friday cup" --tables 40`` makes a folder with a file for each box (its table and its key,
signed by the event's key), ``keys.toml`` for ``podesta verify --keys``, and the event's own key, which stays
with the organiser. With ``--take FILE`` a box becomes that table, and the file is removed. ``--revoke TABLE``
with ``--keys FILE`` revokes the key of a lost box.

**bundle** ``FILE`` writes every match of an event into one file, from one box or many. At a box it takes the
matches of its event; given journals, folders or other bundles, it takes theirs. Of two journals of one match
it keeps the longer. ``podesta verify FILE`` checks the bundle anywhere. Hidden records are redacted;
``--whole`` keeps them, for a box that continues a match.

**continue** ``FILE`` lets a spare box continue the match of a lost one. FILE is a journal (``.podesta``), a
bundle made with ``--whole``, or the address of the event's desk, by default the one in the box's file; the
desk knows the box by its key. The match is checked first, then it becomes the current one here. This box
signs all further records with its own key, and stands in for the table from now on.

**desk** takes in signed results of boxes (uploaded, or from a folder or a stick), verifies each by the
event's keys, shows the outstanding tables, and keeps judges' rulings. It needs the extra ``podesta[desk]``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from device import event
from device.commands import (
    CommandError,
    Options,
    UsageError,
    check_free,
    command,
    find_version,
    require_desk,
    take,
)
from device.commands.box import find_sound_state, find_state
from device.commands.files import open_journal
from device.commands.keeping import ask_pin
from device.commands.verify import parse_hash
from device.files import hold_folder, read_file, replace_file
from device.match import SUFFIX, JournalError, parse, write_pin

# podesta provision


@command(
    take.option("[EVENT]", "the event's name, up to 64 letters"),
    take.option("--tables N", "for so many boxes", type=int),
    take.option("--to FOLDER", "a new folder; by default the event's name"),
    take.option("--desk URL", "the desk's address", default=""),
    take.option("--broker URL", "mqtts://HOST:PORT, to be heard live", default=""),
    take.option("--broker-ca FILE", "the certificates that the broker's is checked by: PEM"),
    take.option("--judge", "ask for a judge's PIN, the same at every box"),
    take.option("--take FILE", "be the box of this file, and remove it"),
    take.option("--revoke TABLE", "in --keys, let the key of a lost box count no more"),
    take.option("--keys FILE", "the event's keys.toml"),
    take.option(
        "--counts-to HASH",
        "with --revoke: a record's hash that the table noted; its match counts up to there",
        type=parse_hash,
        action="append",
        default=[],
    ),
    take.box,
)
def provision(options: Options) -> None:
    """Carry out the action; raises :class:`CommandError` for a missing option or a failed file."""
    try:
        if options.take:
            state = find_sound_state(options)
            here = event.take_place(options.take, state)
            print(f"{state}: {here.table} of {here.event}; start the box anew. {options.take} is removed.")
            return
        if options.revoke and options.keys:
            event.revoke(options.keys, options.revoke, options.counts_to)
            to = " and ".join(options.counts_to) or "nothing"
            print(f"{options.keys}: the key of {options.revoke} counts up to {to}, and no further")
            return
        if not (options.event and options.tables):
            why = "give EVENT and --tables N, --take FILE at a box, or --revoke TABLE and --keys FILE"
            raise UsageError(why)
        folder = options.to or Path(event.make_slug(options.event))
        judge = write_pin(ask_pin()).decode() if options.judge else ""
        ca = read_file(options.broker_ca).decode("ascii") if options.broker_ca else ""
        more = {"desk": options.desk, "judge": judge, "broker": options.broker, "broker_ca": ca}
        made = event.make_event(folder, options.event, options.tables, **more)
    except ValueError as error:
        raise UsageError(f"{error}; nothing was made") from error
    print(f"{folder}: {len(made)} boxes, {made[0].name} to {made[-1].name}, a file on a stick each.")
    print(
        f"{folder / 'keys.toml'}: for podesta verify --keys; {folder / 'event.key'}: keep it, show it nobody."
    )
    if options.broker:
        print(f"{folder / 'broker'}: for Mosquitto, and desk.json for podesta desk --broker")


# podesta bundle


@command(
    take.option("FILE", "the bundle to write, such as cup.podesta.zip"),
    take.option(
        "--from SOURCE…",
        "journals, folders of them, other bundles (default: this box's matches)",
        dest="sources",
        default=[],
    ),
    take.option("--event NAME", "only matches of this event (default at a box: its own)"),
    take.option("--whole", "with what not everybody may read, for podesta continue"),
    take.option("--strike NAME", "leave a player's name out; not with --whole", action="append", default=[]),
    take.force("a file that exists"),
    take.box,
)
def bundle(options: Options) -> None:
    """Write the bundle; raises OSError, then :class:`CommandError` for journals that are left out."""
    target: Path = options.file
    check_free(target, force=options.force)
    if options.strike and options.whole:
        raise UsageError("--strike leaves names out, and --whole leaves all in: give one")
    sources, cup, keys = list(options.sources), options.event, dict[str, event.Trusted]()
    if not sources:
        state = find_state(options)
        sources, keys, its = [state / "matches"], *event.find_box_keys(state)
        cup = cup or its
    found, left_out = list[event.Journaled](), list[str]()
    for name, take_in in list_journals(sources, keys):
        try:
            found.append(take_in(whole=options.whole, struck=options.strike))
        except (event.BundleError, JournalError) as error:
            left_out.append(f"{name}: left out: {error}")
    found = [one for one in found if cup is None or one.reading.header.get("event_id", "") == cup]
    if not found:
        whose = f" of {cup}" if cup else ""
        raise CommandError(
            f"{', '.join(map(str, sources))}: no match{whose} there; nothing written", *left_out
        )
    matches = event.gather_journals(found)
    mode = 0o600 if options.whole else 0o644
    contents = event.write_bundle(target, matches, keys, find_version("podesta"), mode)
    for one in contents.matches:
        signed = f"signed to {one.signed_to}, {one.phrase}" if one.signed_to else "not signed"
        print(f"{one.name}: {one.records} records, {signed}")
    print(
        f"{target}: matches: {len(matches)}, read back and the same; unmount a stick before it is pulled out"
    )
    if left_out:
        raise CommandError(*left_out)


def list_journals(
    sources: Sequence[Path], keys: dict[str, event.Trusted]
) -> Iterator[tuple[str, Callable[..., event.Journaled]]]:
    """Yield the journals in files, folders and bundles: the name of each, and a function that takes it in.

    Keys beside them are added to ``keys``. Raises :class:`BundleError` for an incomplete bundle, OSError.
    """
    for source in sources:
        paths = [source]
        if source.is_dir():
            with contextlib.suppress(FileNotFoundError):
                keys.update(event.read_keys(source / event.KEYS_FILE))
            paths = sorted(source.rglob(f"*{SUFFIX}"))
        elif event.is_bundle(source):
            held, paths = event.read_bundle(source), []
            keys.update(event.parse_keys(held.keys, source))
            for name, data in held.journals.items():
                yield Path(name).name, partial(event.prepare_journal, Path(name).name, data)
        yield from ((path.name, partial(event.take_journal, path)) for path in paths)


# podesta continue


@command(
    take.option(
        "[FILE]",
        "a journal, a bundle made with --whole, or the desk's address (default: the box's file says)",
        type=str,
    ),
    take.option("--table NAME", "the table whose match it is, where a bundle has several; at the desk"),
    take.box,
)
def spare(options: Options) -> None:
    """Continue the match; raises :class:`CommandError` with the obstacle, FolderBusy, OSError."""
    state, file = find_state(options), Path(options.file or "")
    if not options.file or options.file.startswith(("http://", "https://")):
        there = [fetch_match(options.file, options.table, state)]
    elif event.is_bundle(file):
        there = [one for one in event.read_bundle(file).matches if options.table in (None, _name_table(one))]
    else:
        there = [event.Journaled(file.name, read_file(file, event.LARGEST), open_journal(file))]
    match, verdict = choose_unfinished(there, file, options.table)
    with hold_folder(state):
        name = adopt_match(match, verdict, state)
    what = f"{verdict.game}, {' : '.join(verdict.names)}, {verdict.records} records"
    print(f"{state}: goes on with {name}: {what}")
    print(
        f"compare with what the table noted: {verdict.phrase or verdict.tip[:16]}; start the box: it resumes."
    )


def fetch_match(address: str | None, table: str | None, state: Path) -> event.Journaled:
    """Fetch a table's match from the desk; raises :class:`CommandError`, FetchError."""
    here = event.read_place(state)
    address, table = address or (here.desk if here else ""), table or (here.table if here else "")
    if not (address and table):
        why = "give a file, or the desk's address and --table: this box's own file told none"
        raise UsageError(why)
    data = event.fetch(address, table, event.BoxKey(state))
    reading = parse(data, table)
    name = reading.records[0].hash[:16] if reading.records else "empty"
    return event.Journaled(f"{table}-{name}{SUFFIX}", data, reading)


def choose_unfinished(
    there: Sequence[event.Journaled], file: Path, table: str | None
) -> tuple[event.Journaled, event.Verified]:
    """Return the only unfinished match of a file; raises :class:`CommandError`."""
    verdicts = [(one, event.verify_journal(Path(one.name).name, one.reading)) for one in there]
    going = [(one, verdict) for one, verdict in verdicts if not verdict.finished]
    if len(going) == 1:
        return going[0]
    if not going:
        whose = f" of {table}" if table else ""
        raise CommandError(f"{file}: no match{whose} that is not over; those that are need no box")
    names = ", ".join(sorted({_name_table(one) for one, _ in going}))
    raise UsageError(f"{file}: {len(going)} matches are not over; --table says which: {names}")


def _name_table(match: event.Journaled) -> str:
    """Return the folder of a match in its bundle; it has the table's name."""
    return Path(match.name).parent.name


def adopt_match(match: event.Journaled, verdict: event.Verified, state: Path) -> str:
    """Make a journal the current match of a state; return its name. Raises :class:`CommandError`.

    An earlier journal of the match is replaced; one that diverges is kept.
    """
    reading, name = match.reading, Path(match.name).name
    if verdict.failure:
        raise CommandError(f"{name}: {verdict.failure}; nothing was taken over")
    if reading.view or verdict.redacted:
        raise CommandError(f"{name}: made for everybody to read; take the journal, or a bundle --whole")
    target = state / "matches" / name
    target.parent.mkdir(0o700, parents=True, exist_ok=True)
    if target.exists():
        _check_beside(target, match)
    if not target.exists() or len(open_journal(target).records) < len(reading.records):
        replace_file(target, match.data)
    replace_file(state / "current", f"{name}\n".encode())
    if table := reading.header.get("table_id", ""):
        event.move_to_table(state, table)
    return name


def _check_beside(target: Path, coming: event.Journaled) -> None:
    """Raise :class:`CommandError` if the journal at ``target`` diverges from the one that comes."""
    there = event.Journaled("there", b"", open_journal(target))
    for fork in event.find_forks([there, coming]):
        raise CommandError(
            f"{target}: there already, and goes apart at record {fork.record}; it stays as it is"
        )
    if any(a != b for a, b in zip(there.hashes, coming.hashes, strict=False)):
        raise CommandError(f"{target}: there already, of another match; it stays as it is")


# podesta desk


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
def desk(options: Options) -> None:
    """Serve the desk until it is stopped; raises :class:`CommandError` if the extra is missing."""
    with require_desk():
        from device.event.desk import parse_address, run_desk  # noqa: PLC0415 – the extra
    at = parse_address(options.listen, options.certificate, options.key)
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
        version=find_version("podesta"),
        say=partial(print, flush=True),
    )
