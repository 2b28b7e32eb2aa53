"""An event in one file: the records of every match, and the keys of the boxes that signed them.

::

    write_bundle(Path("cup.podesta.zip"), gathered(readings), keys, version)
    bundle = read_bundle(Path("cup.podesta.zip"))       # checked against its list

A bundle is a zip archive with ``bundle.json``, the list of its matches and their checkpoints (the last signed
record, and the phrase that people noted), ``keys.toml``, and a folder for each table with a journal for each
match. The desk's bundle also has its papers, the desk's knowledge as tables. Nobody has to believe a bundle:
``podesta verify BUNDLE --keys FILE`` checks each match by keys that somebody else kept.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import re
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from device.errors import DeviceError, Exit
from device.event.provision import read_place
from device.event.signing import BoxKey, Trusted, judge_signatures, write_keys
from device.exports import make_readable
from device.files import read_file, replace_file
from device.match import NAME, PHRASE, PUBLIC, SUFFIX, JournalFile, find_tip, hash_header, parse, write_phrase
from device.texts import of_system, said

LIST: Final = "bundle.json"
KEYS_FILE: Final = "keys.toml"
LOOSE: Final = "box"
"""The folder of matches without a table's name."""
LARGEST: Final = 256 << 20
"""The largest size of a bundle unpacked, and of any file read for one, in bytes."""


class BundleError(DeviceError):
    """A broken bundle, or a stick that did not keep it; the message is one line with the remedy."""

    code = Exit.UNREADABLE


class Journaled(msgspec.Struct, frozen=True):
    """A match: its name in the bundle (``table-07/….podesta``), its bytes, and their reading."""

    name: str
    data: bytes
    reading: JournalFile

    @property
    def hashes(self) -> list[str]:
        """The chain: the header's hash, then each record's."""
        return [hash_header(self.reading.header), *(record.hash for record in self.reading.records)]


class ListedMatch(msgspec.Struct, frozen=True):
    """A match in the list: its name, the SHA-256 of its bytes, its event, its number of records, the last
    record that a box signed, and that record's phrase. A paper of the desk has name and SHA-256 only.
    """

    name: str
    sha256: str
    event: str = ""
    records: int = 0
    signed_to: int = 0
    phrase: str = ""


class BundleContents(msgspec.Struct, frozen=True, omit_defaults=True):
    """The list: its format (2 with papers, otherwise 1), the version that made it, the time (s since 1970),
    the matches, and the desk's papers.
    """

    format: int
    version: str
    made: int
    matches: tuple[ListedMatch, ...]
    papers: tuple[ListedMatch, ...] = ()


class Bundle(msgspec.Struct, frozen=True):
    """A checked bundle: its list, its journals by name, its ``keys.toml``, and its papers by name."""

    contents: BundleContents
    journals: Mapping[str, bytes]
    keys: bytes
    papers: Mapping[str, bytes]

    @property
    def matches(self) -> list[Journaled]:
        """The journals with their readings; raises JournalError."""
        return [Journaled(name, data, parse(data, name)) for name, data in self.journals.items()]


class Fork(msgspec.Struct, frozen=True):
    """Two journals of one match that diverge; ``record`` is the first that differs."""

    one: str
    other: str
    record: int


def take_journal(path: Path, *, whole: bool, struck: Sequence[str] = ()) -> Journaled:
    """Read a box's journal and return it as :func:`prepare_journal` does.

    Raises what that raises, and :class:`BundleError` for an unreadable file.
    """
    try:
        data = read_file(path, LARGEST)
    except OSError as error:
        raise BundleError(of_system(error)) from error
    return prepare_journal(path.name, data, whole=whole, struck=struck)


def prepare_journal(name: str, data: bytes, *, whole: bool, struck: Sequence[str] = ()) -> Journaled:
    """Prepare a journal for a bundle, in its table's folder: ``whole``, or only its public part; in both
    cases without the ``struck`` names.

    Raises JournalError, and :class:`BundleError` if it is too damaged or a name cannot be taken out.
    """
    reading = parse(data, name)
    if reading.damage and (whole or not reading.records):
        raise BundleError(said("unread.damaged", detail=reading.damage.why))
    names, header = {name.casefold() for name in struck}, reading.header.items()
    named = [field for field, text in header if field.startswith(NAME) and text.casefold() in names]
    seats = [field.removeprefix(NAME) for field in named]
    try:
        if seats or not whole:
            data = make_readable(reading, reading.view if whole else PUBLIC, seats)
    except ValueError as error:
        raise BundleError(str(error)) from error
    table = re.sub(r"[^A-Za-z0-9_.-]+", "-", reading.header.get("table_id", "")).strip(".-") or LOOSE
    stem = find_tip(reading.header, reading.records)[:PHRASE] if seats else name.removesuffix(SUFFIX)
    return Journaled(f"{table}/{stem}{SUFFIX}", data, reading)  # the file's name may contain players' names


def find_box_keys(state: Path) -> tuple[dict[str, Trusted], str | None]:
    """Return a box's key by its table's name, and its event, None if it is at none.

    Raises KeyFileError, :class:`device.event.provision.ProvisionError`.
    """
    assigned = read_place(state)
    here = Trusted(assigned.table if assigned else LOOSE)
    keys = {BoxKey(state).public: here} if (state / "box.key").exists() else {}
    return keys, assigned.event if assigned else None


def gather_journals(found: Iterable[Journaled]) -> list[Journaled]:
    """Return the matches sorted by name, each once. If one journal continues another, the longer stays; two
    that diverge both stay, see :func:`find_forks`.
    """
    kept: list[Journaled] = []
    for one in sorted(found, key=lambda one: (len(one.reading.records), len(one.data)), reverse=True):
        here = one.hashes
        if not any(longer.hashes[: len(here)] == here for longer in kept):
            kept.append(one)
    names, apart = Counter[str](), list[Journaled]()
    for one in sorted(kept, key=lambda one: one.name):
        names[one.name] += 1
        again = f"-{names[one.name]}" if names[one.name] > 1 else ""
        name = f"{one.name.removesuffix(SUFFIX)}{again}{SUFFIX}"
        apart.append(msgspec.structs.replace(one, name=name))
    return apart


def find_forks(journals: Sequence[Journaled]) -> Iterator[Fork]:
    """Yield each pair of journals that begin as one match and diverge: two boxes at a table, or a replaced
    end.
    """
    for one, other in itertools.combinations(journals, 2):
        hashes = zip(one.hashes, other.hashes, strict=False)
        apart = next((at for at, (a, b) in enumerate(hashes) if a != b), 0)
        if apart > 1:  # two matches of the same people begin with the same header
            yield Fork(one.name, other.name, apart)


def pack_bundle(
    journals: Sequence[Journaled],
    keys: Mapping[str, Trusted],
    version: str,
    papers: Mapping[str, bytes] | None = None,
) -> tuple[bytes, BundleContents]:
    """Return a bundle's bytes and its list."""
    papers = papers or {}
    listed = tuple(ListedMatch(name, hashlib.sha256(data).hexdigest()) for name, data in papers.items())
    matches = tuple(map(_list_journal, journals))
    contents = BundleContents(2 if papers else 1, version, int(time.time()), matches, listed)
    held = {LIST: msgspec.json.format(msgspec.json.encode(contents)), KEYS_FILE: write_keys(keys).encode()}
    held |= {one.name: one.data for one in journals} | dict(papers)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in held.items():
            archive.writestr(name, data)
    return made.getvalue(), contents


def write_bundle(
    target: Path,
    journals: Sequence[Journaled],
    keys: Mapping[str, Trusted],
    version: str,
    mode: int = 0o644,
) -> BundleContents:
    """Write a bundle atomically, read it back from the disk and compare; return its list.

    People may pull the stick out afterwards. Raises OSError, and :class:`BundleError` if the disk returns
    other bytes.
    """
    made, contents = pack_bundle(journals, keys, version)
    replace_file(target, made, mode)
    with open(target, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # read from the stick, not from memory
    if read_file(target, LARGEST) != made:
        raise BundleError(said("stick.not_kept", file=target))
    return contents


def _list_journal(one: Journaled) -> ListedMatch:
    header, records = one.reading.header, one.reading.records
    signed_to = judge_signatures(header, records).signed_to
    last = write_phrase(records[:signed_to]) if signed_to else ""
    digest = hashlib.sha256(one.data).hexdigest()
    return ListedMatch(one.name, digest, header.get("event_id", ""), len(records), signed_to, last)


def is_bundle(source: Path | bytes) -> bool:
    """Return True for a zip archive in bytes or in a plain file; never wait for a pipe."""
    if isinstance(source, bytes):
        return zipfile.is_zipfile(io.BytesIO(source))
    return source.is_file() and zipfile.is_zipfile(source)


def read_bundle(source: Path) -> Bundle:
    """Read a bundle and check it against its list; raises :class:`BundleError`, OSError."""
    return unpack_bundle(read_file(source, LARGEST), source)


def unpack_bundle(data: bytes, source: str | Path) -> Bundle:
    """Check a bundle's bytes against its list; raises :class:`BundleError` naming the ``source``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(about.file_size for about in archive.infolist()) > LARGEST:
                raise BundleError(f"{source}: it unpacks to more than {LARGEST >> 20} MiB; split it")
            for path in map(PurePosixPath, archive.namelist()):
                if path.is_absolute() or ".." in path.parts:
                    raise ValueError(f"{path} has no place in it")
            held = {name: archive.read(name) for name in archive.namelist()}
        contents = msgspec.json.decode(held.pop(LIST), type=BundleContents)
        keys = held.pop(KEYS_FILE)
    except KeyError as error:
        raise BundleError(f"{source}: no bundle of podesta bundle: {error.args[0]} is missing") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, msgspec.DecodeError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise BundleError(f"{source}: not a complete bundle ({why}); use another copy") from error
    if contents.format not in (1, 2):
        raise BundleError(f"{source}: a bundle of format {contents.format}; it needs a newer podesta")
    for one in (*contents.matches, *contents.papers):
        if hashlib.sha256(held.get(one.name, b"")).hexdigest() != one.sha256:
            raise BundleError(f"{source}: {one.name} is not as it was saved; use another copy")
    papers = {one.name: held.pop(one.name) for one in contents.papers if one.name in held}
    if more := held.keys() - {one.name for one in contents.matches}:
        raise BundleError(f"{source}: {min(more)} is not in its list; somebody has changed it")
    return Bundle(contents, held, keys, papers)
