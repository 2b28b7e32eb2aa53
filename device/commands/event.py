"""Events: `podesta provision` begins one, `podesta bundle` gathers its matches, `podesta continue` saves one.

**provision** ``"Friday cup" --tables 40`` makes a folder with a file a box (its table, its key, signed by the
event's key), with ``keys.toml`` for ``podesta verify --keys``, and with the event's own key, which stays with
the organiser. With ``--take FILE`` a box becomes that table, and the file goes. ``--revoke TABLE`` with
``--keys FILE`` says that a lost box's key counts no more.

**bundle** ``FILE`` writes every match of an event into one file, from one box or from many. At a box it takes
the matches of its event; given journals, folders or other bundles it takes theirs. Of two journals of a match
the longer is kept. ``podesta verify FILE`` checks it anywhere. What not everybody may read is redacted;
``--whole`` leaves it in, for a box that is to go on with a match.

**continue** ``FILE`` has a spare box go on with the match of a box that is gone. FILE is a journal
(``.podesta``), a bundle made with ``--whole``, or the address of the event's desk, by default the one that
the box's file told; the desk knows the box by its key. The match is checked first, then becomes the one that
is played here; what is recorded from then on this box signs with its own key. The spare stands in for the
table from now on.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from device.commands import CommandError, Exit, check_free, command, force, installed, option
from device.commands.box import add_box, sound_state, state_of
from device.commands.codes import asked
from device.commands.files import open_journal
from device.commands.verify import Verified, named, verify, written_hash
from device.event import (
    KEYS_FILE,
    LARGEST,
    BoxKey,
    Bundle,
    BundleError,
    Journaled,
    Trusted,
    fetch,
    forks,
    gathered,
    is_bundle,
    move,
    of_box,
    place,
    plan,
    read_bundle,
    read_keys,
    revoke,
    slug,
    take,
    taken,
    write_bundle,
)
from device.files import own_folder, read_file, replace_file
from device.match import SUFFIX, JournalError, decode, kept_pin

# podesta provision


@command(
    option("[EVENT]", "the event's name, up to 64 letters"),
    option("--tables N", "for so many boxes", type=int),
    option("--to FOLDER", "a new folder; by default the event's name"),
    option("--desk URL", "the desk's address", default=""),
    option("--broker URL", "mqtts://HOST:PORT, to be heard live", default=""),
    option("--broker-ca FILE", "the certificates that the broker's is checked by: PEM"),
    option("--judge", "ask for a judge's PIN, the same at every box"),
    option("--take FILE", "be the box of this file, and remove it"),
    option("--revoke TABLE", "in --keys, let the key of a lost box count no more"),
    option("--keys FILE", "the event's keys.toml"),
    option(
        "--counts-to HASH",
        "with --revoke: a record's hash that the table noted; its match counts up to there",
        type=written_hash,
        action="append",
        default=[],
    ),
    add_box,
)
def provision(options: argparse.Namespace) -> None:
    """Carry out the action; raises :class:`CommandError` for a missing option or a failed file."""
    try:
        if options.take:
            state = sound_state(options)
            place = take(options.take, state)
            print(f"{state}: {place.table} of {place.event}; start the box anew. {options.take} is removed.")
            return
        if options.revoke and options.keys:
            revoke(options.keys, options.revoke, options.counts_to)
            to = " and ".join(options.counts_to) or "nothing"
            print(f"{options.keys}: the key of {options.revoke} counts up to {to}, and no further")
            return
        if not (options.event and options.tables):
            why = "give EVENT and --tables N, --take FILE at a box, or --revoke TABLE and --keys FILE"
            raise CommandError(why, code=Exit.USAGE)
        folder = options.to or Path(slug(options.event))
        judge = kept_pin(asked()).decode() if options.judge else ""
        ca = read_file(options.broker_ca).decode("ascii") if options.broker_ca else ""
        meeting = {"broker": options.broker, "broker_ca": ca}
        made = plan(folder, options.event, options.tables, desk=options.desk, judge=judge, **meeting)
    except ValueError as error:
        raise CommandError(f"{error}; nothing was made", code=Exit.USAGE) from error
    print(f"{folder}: {len(made)} boxes, {made[0].name} to {made[-1].name}, a file on a stick each.")
    print(
        f"{folder / 'keys.toml'}: for podesta verify --keys; {folder / 'event.key'}: keep it, show it nobody."
    )
    if options.broker:
        print(f"{folder / 'broker'}: for Mosquitto, and desk.json for podesta desk --broker")


# podesta bundle


@command(
    option("FILE", "the bundle to write, such as cup.podesta.zip"),
    option(
        "--from SOURCE…",
        "journals, folders of them, other bundles (default: this box's matches)",
        dest="sources",
        default=[],
    ),
    option("--event NAME", "only matches of this event (default at a box: its own)"),
    option("--whole", "with what not everybody may read, for podesta continue"),
    option("--strike NAME", "leave a player's name out; not with --whole", action="append", default=[]),
    force("a file that exists"),
    add_box,
)
def bundle(options: argparse.Namespace) -> None:
    """Write the bundle; raises OSError, then :class:`CommandError` for journals that are left out."""
    target: Path = options.file
    check_free(target, force=options.force)
    if options.strike and options.whole:
        raise CommandError("--strike leaves names out, and --whole leaves all in: give one", code=Exit.USAGE)
    sources, event, keys = list(options.sources), options.event, dict[str, Trusted]()
    if not sources:
        state = state_of(options)
        sources, keys, its = [state / "matches"], *of_box(state)
        event = event or its
    found, left_out = list[Journaled](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for path in journals(sources, Path(folder), keys):
            try:
                found.append(taken(path, whole=options.whole, struck=options.strike))
            except (BundleError, JournalError, OSError) as error:
                left_out.append(f"{path.name}: left out: {error}")
    found = [one for one in found if event is None or one.reading.header.get("event_id", "") == event]
    if not found:
        named = f" of {event}" if event else ""
        raise CommandError(
            f"{', '.join(map(str, sources))}: no match{named} there; nothing written", *left_out
        )
    matches = gathered(found)
    mode = 0o600 if options.whole else 0o644
    contents = write_bundle(target, matches, keys, installed("podesta"), mode)
    for one in contents.matches:
        signed = f"signed to {one.signed_to}, {one.phrase}" if one.signed_to else "not signed"
        print(f"{one.name}: {one.records} records, {signed}")
    print(
        f"{target}: matches: {len(matches)}, read back and the same; unmount a stick before it is pulled out"
    )
    if left_out:
        raise CommandError(*left_out)


def journals(sources: Sequence[Path], folder: Path, keys: dict[str, Trusted]) -> Iterator[Path]:
    """Yield the journals of files, folders and bundles; those of bundles are unpacked into ``folder``, and
    keys that lie beside journals are added to ``keys``.

    Raises :class:`BundleError` for one that is not whole, OSError.
    """
    for number, source in enumerate(sources):
        if source.is_dir():
            _add_keys(source / KEYS_FILE, keys)
            yield from sorted(source.rglob(f"*{SUFFIX}"))
        elif is_bundle(source):
            yield from unpack(read_bundle(source), folder / str(number), keys)
        else:
            yield source


def unpack(held: Bundle, folder: Path, keys: dict[str, Trusted]) -> Iterator[Path]:
    """Write a bundle's journals into a folder and yield their paths; add its keys to ``keys``."""
    folder.mkdir(parents=True)
    (folder / KEYS_FILE).write_bytes(held.keys)
    _add_keys(folder / KEYS_FILE, keys)
    for name, data in held.journals.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        yield path


def _add_keys(file: Path, keys: dict[str, Trusted]) -> None:
    with contextlib.suppress(FileNotFoundError):
        keys.update(read_keys(file))


# podesta continue


@command(
    option(
        "[FILE]",
        "a journal, a bundle made with --whole, or the desk's address (default: the box's file says)",
        type=str,
    ),
    option("--table NAME", "the table whose match it is, where a bundle has several; at the desk"),
    add_box,
)
def spare(options: argparse.Namespace) -> None:
    """Go on with the match; raises :class:`CommandError` with what is in the way, FolderBusy, OSError."""
    state = state_of(options)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(options.file or "")
        if not options.file or options.file.startswith(("http://", "https://")):
            file = fetched(options.file, options.table, state, Path(folder))
        path, verdict = found(file, options.table, Path(folder))
        with own_folder(state):
            name = adopt(path, state)
    what = f"{verdict.game}, {' : '.join(verdict.names)}, {verdict.records} records"
    print(f"{state}: goes on with {name}: {what}")
    print(
        f"compare with what the table noted: {verdict.phrase or verdict.tip[:16]}; start the box: it resumes."
    )


def fetched(address: str | None, table: str | None, state: Path, folder: Path) -> Path:
    """Return a table's match as the desk gave it; raises :class:`CommandError`, FetchError."""
    here = place(state)
    address, table = address or (here.desk if here else ""), table or (here.table if here else "")
    if not (address and table):
        why = "give a file, or the desk's address and --table: this box's own file told none"
        raise CommandError(why, code=Exit.USAGE)
    data = fetch(address, table, BoxKey(state))
    records = decode(data).records
    path = folder / f"{table}-{records[0].hash[:16] if records else 'empty'}{SUFFIX}"
    path.write_bytes(data)
    return path


def found(file: Path, table: str | None, folder: Path) -> tuple[Path, Verified]:
    """Return the one match of a file that can go on; raises :class:`CommandError`."""
    paths = [file]
    if is_bundle(file):
        paths = list(unpack(read_bundle(file), folder / "bundle", {}))
        paths = [path for path in paths if table in (None, path.parent.name)]
    verdicts = [(path, verify(path)) for path in paths]
    going = [(path, one) for path, one in verdicts if not one.finished]
    if len(going) == 1:
        return going[0]
    if not going:
        whose = f" of {table}" if table else ""
        raise CommandError(f"{file}: no match{whose} that is not over; those that are need no box")
    names = ", ".join(sorted({path.parent.name for path, _ in going}))
    raise CommandError(
        f"{file}: {len(going)} matches are not over; --table says which: {names}", code=Exit.USAGE
    )


def adopt(path: Path, state: Path) -> str:
    """Make a journal the match that is played in a state, and return its name; raises :class:`CommandError`.

    A journal that is there already and ends earlier is replaced; one that went another way is kept.
    """
    reading, verdict = open_journal(path), verify(path)
    if verdict.failure:
        raise CommandError(f"{path.name}: {named(verdict.failure)}; nothing was taken over")
    if reading.view or verdict.redacted:
        raise CommandError(f"{path.name}: made for everybody to read; take the journal, or a bundle --whole")
    target = state / "matches" / path.name
    target.parent.mkdir(0o700, parents=True, exist_ok=True)
    data = read_file(path, LARGEST)
    if target.exists():
        _check_beside(target, Journaled("here", data, reading))
    if not target.exists() or len(open_journal(target).records) < len(reading.records):
        replace_file(target, data)
    replace_file(state / "current", f"{path.name}\n".encode())
    if table := reading.header.get("table_id", ""):
        move(state, table)
    return path.name


def _check_beside(target: Path, coming: Journaled) -> None:
    """Raise :class:`CommandError` where the journal that is there is of another course of the match."""
    there = Journaled("there", b"", open_journal(target))
    for fork in forks([there, coming]):
        raise CommandError(
            f"{target}: there already, and goes apart at record {fork.record}; it stays as it is"
        )
    if any(a != b for a, b in zip(there.hashes, coming.hashes, strict=False)):
        raise CommandError(f"{target}: there already, of another match; it stays as it is")
