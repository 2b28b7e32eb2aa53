"""A file for each box of an event: its table, its key, the judge's PIN, the desk's address.

::

    plan(folder, "Friday cup", 40)        # event.key, keys.toml and table-01.toml … table-40.toml
    take(folder / "table-07.toml", state) # at the box: it is table 7 now, and the file is gone

The event's key signs each file, so that nobody mixes up two events. The file holds the box's private key:
only its owner can read it, and the box removes it after taking it. ``keys.toml`` is for ``podesta verify
--keys``; ``event.key`` stays with the organiser.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from device import ed25519
from device.errors import DeviceError
from device.event import signing
from device.event.broker import Credential, make_broker_files
from device.event.messages import Seated
from device.files import read_file, replace_file
from device.texts import quoted, said

BROKER: Final = "broker"
"""The file of the state directory with the box's credential."""
ROUND: Final = "round"
"""The file there with the players at the box, from the desk's latest plan."""
MOST: Final = 500
"""The most tables of an event."""

Text = Annotated[str, Meta(max_length=64, pattern=r"\A[^\x00-\x1f\x7f]*\Z")]


class ProvisionError(DeviceError):
    """A box's file that cannot be made or taken; the message is one line naming the file."""


class BoxPlace(msgspec.Struct, frozen=True):
    """The place of a box: the event, its table there, the event's public key, and the desk's address or an
    empty text.
    """

    event: Text
    table: Text
    event_key: signing.PublicKey
    desk: Text = ""


class _BoxFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A box's file: its place, its private key, the judge's PIN as the state directory keeps it, and its
    credential at the event's broker, if there is one.
    """

    place: BoxPlace
    key: str
    judge: str
    signature: str
    broker: Credential | None = None

    @property
    def says(self) -> str:
        """The text that the event's key signs."""
        place, public = self.place, ed25519.derive_public(self.key)
        lines = ("podesta provision 1", place.event, place.table, place.desk, public, self.judge)
        return "\n".join((*lines, *(msgspec.structs.astuple(self.broker) if self.broker else ())))


def name_tables(tables: int) -> list[str]:
    """Return the names of ``tables`` tables, with numbers as wide as the last."""
    wide = max(2, len(str(tables)))
    return [f"table-{number:0{wide}}" for number in range(1, tables + 1)]


def make_event(
    folder: Path,
    event: str,
    tables: int,
    *,
    desk: str = "",
    judge: str = "",
    broker: str = "",
    broker_ca: str = "",
) -> list[Path]:
    """Make the files of an event in a new folder; return those of the boxes.

    ``judge`` is the hash of a PIN as the box keeps it. With the address of a ``broker`` (``broker_ca``: its
    certificates) each box gets a credential there, and the folder ``broker`` the broker's own files. Raises
    ValueError for an invalid address, OSError, and :class:`ProvisionError`, also if the folder exists: boxes
    with its keys may need it.
    """
    import tomlkit  # noqa: PLC0415 – only where an event is made

    if not (1 <= tables <= MOST and re.fullmatch(r"[^\x00-\x1f\x7f]{1,64}", event)):
        raise ProvisionError(f"{event!r} with {tables} tables: a name of 1 to 64 letters, 1 to {MOST} tables")
    names = name_tables(tables)
    credentials, files = make_broker_files(event, names, broker, broker_ca) if broker else ({}, {})
    try:
        folder.mkdir(0o700, parents=True)
    except FileExistsError:
        raise ProvisionError(f"{folder}: there already; name another folder with --to") from None
    (of_event, event_key), made, keys = ed25519.make_pair(), [], dict[str, signing.Trusted]()
    for table in names:
        secret, public = ed25519.make_pair()
        place_of = BoxPlace(event, table, event_key, desk)
        box = _BoxFile(place_of, secret, judge, "", credentials.get(table))
        signature = ed25519.decode_base64(ed25519.sign(of_event, box.says.encode()))
        box = msgspec.structs.replace(box, signature=signature.hex())
        made.append(folder / f"{table}.toml")
        replace_file(made[-1], tomlkit.dumps(msgspec.to_builtins(box)).encode())
        keys[public] = signing.Trusted(table)
    replace_file(folder / "event.key", f"{of_event}\n".encode())
    replace_file(folder / "keys.toml", signing.write_keys(keys).encode(), 0o644)
    if broker:
        (folder / "broker").mkdir(0o700)
    for name, text in files.items():
        replace_file(folder / "broker" / name, text.encode())
    return made


def take_place(file: Path, state_dir: Path) -> BoxPlace:
    """Give a box the identity in its file, and remove the file, so that its key is in only one place.

    Raises :class:`ProvisionError` for an invalid or altered file; box and file then stay unchanged. After an
    OSError the file is still there, to be taken again.
    """
    try:
        box = msgspec.convert(tomllib.loads(read_file(file).decode("utf-8")), _BoxFile)
        signed = ed25519.is_signature(box.place.event_key, box.says.encode(), bytes.fromhex(box.signature))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError) as error:
        raise ProvisionError(said("stick.no_box", file=file, why=quoted(error))) from error
    if not signed:
        raise ProvisionError(said("stick.altered", file=file, event=box.place.event))
    state_dir.mkdir(0o700, parents=True, exist_ok=True)
    if box.judge:
        replace_file(state_dir / "judge", box.judge.encode())
        (state_dir / "judge-tries").unlink(missing_ok=True)
    replace_file(state_dir / "box.key", f"{box.key}\n".encode())
    replace_file(state_dir / "place", msgspec.json.encode(box.place))
    if box.broker:
        replace_file(state_dir / BROKER, msgspec.json.encode(box.broker))
    else:
        (state_dir / BROKER).unlink(missing_ok=True)
    (state_dir / ROUND).unlink(missing_ok=True)
    file.unlink()
    return box.place


def keep_round(state_dir: Path, seated: Seated) -> None:
    """Keep the players at a box over its restart; if the disk fails, the desk tells them again."""
    with suppress(OSError):
        replace_file(state_dir / ROUND, msgspec.json.encode(msgspec.structs.replace(seated, left_s=None)))


def read_round(state_dir: Path, table: str) -> Seated | None:
    """Return the players from the last plan that a box received, or None if it was not about ``table``."""
    try:
        seated = msgspec.json.decode(read_file(state_dir / ROUND), type=Seated)
    except (OSError, msgspec.DecodeError):
        return None
    return seated if seated.table == table else None


def revoke(file: Path, table: str, counts_to: Sequence[str]) -> None:
    """Revoke a lost box's key in ``keys.toml``: it counts only up to these hashes and those given before.

    Raises :class:`ProvisionError` for a table that is not in it, OSError, and what :func:`read_keys` raises.
    """
    keys = signing.read_keys(file)
    key = next((key for key, box in keys.items() if box.name == table), None)
    if key is None:
        raise ProvisionError(f"{file}: it has no {table}")
    noted = tuple(dict.fromkeys((*(keys[key].counts_to or ()), *counts_to)))
    keys[key] = signing.Trusted(table, noted)
    replace_file(file, signing.write_keys(keys).encode(), 0o644)


def move_to_table(state_dir: Path, table: str) -> None:
    """Let a spare box stand in for a table of its event; raises as :func:`read_place`, and OSError."""
    if old := read_place(state_dir):
        replace_file(state_dir / "place", msgspec.json.encode(msgspec.structs.replace(old, table=table)))


def read_place(state_dir: Path) -> BoxPlace | None:
    """Return the box's place, None if it has none; raises :class:`ProvisionError`, OSError."""
    file = state_dir / "place"
    try:
        return msgspec.json.decode(read_file(file), type=BoxPlace)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, ValueError) as error:
        raise ProvisionError(f"{file}: {error}; take the box's file once more, or remove it") from error
