"""A box's key, and its signatures of each group's last record, whose hash covers all records before it.

::

    key = BoxKey(state_dir)
    signature = key.sign(record.hash)
    check(key.public, record.hash, signature)      # True

Signatures (:mod:`device.ed25519`) are over :data:`CONTEXT` and the hash in hex. The private key is in
``box.key`` of the state directory; only its owner can read it.
"""

from __future__ import annotations

import logging
import threading
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from device import ed25519
from device.files import read_file, replace_file
from device.match import Record, write_phrase

log = logging.getLogger(__name__)

CONTEXT: Final = b"podesta checkpoint 1\n"
"""The prefix of a signed hash; a signature of anything else is no checkpoint."""

PublicKey = Annotated[str, Meta(pattern=ed25519.KEY, description="a key in base64")]


class KeyFileError(OSError):
    """A key that cannot be read or kept; the message is one line naming the file."""


class BoxKey:
    """The key of a box, made at first use."""

    def __init__(self, state_dir: Path) -> None:
        """Read nothing yet, so that the first picture does not wait for the disk or the library."""
        self.path = state_dir / "box.key"
        self._lock = threading.Lock()
        self._secret = ""

    @cached_property
    def public(self) -> str:
        """The public key in base64; raises :class:`KeyFileError`."""
        return ed25519.derive_public(self._read())

    def sign(self, digest: str, context: bytes = CONTEXT) -> str:
        """Return the signature of a hash in base64; raises :class:`KeyFileError`."""
        return ed25519.sign(self._read(), context + digest.encode())

    def _read(self) -> str:
        with self._lock:
            try:
                if not self._secret and self.path.exists():
                    kept = read_file(self.path).decode("ascii", "replace").strip()
                    ed25519.derive_public(kept)
                    self._secret = kept
                elif not self._secret:
                    made, public = ed25519.make_pair()
                    replace_file(self.path, f"{made}\n".encode("ascii"))
                    log.info("%s: made; the public key is %s", self.path, public)
                    self._secret = made
            except OSError as error:
                raise KeyFileError(f"{self.path}: {error.strerror or error}") from error
            except ValueError as error:
                why = "not a key; put it back, or remove it for a new one"
                raise KeyFileError(f"{self.path}: {why}") from error
            return self._secret


def check(public: str, digest: str, signature: str, context: bytes = CONTEXT) -> bool:
    """Return True if the ``signature`` is that of a hash by the private half of a key."""
    return ed25519.is_signature(public, context + digest.encode(), signature)


# The verdict on a journal's signatures


class Signed(StrEnum):
    """The extent of a journal's signatures: ``whole`` up to its last record, ``part`` up to an earlier one,
    ``none``, ``foreign`` by untrusted keys only, ``bad`` if a signature does not fit its record.
    """

    WHOLE = "whole"
    PART = "part"
    NONE = "none"
    FOREIGN = "foreign"
    BAD = "bad"


class Signatures(msgspec.Struct, frozen=True):
    """The verdict on a journal's signatures.

    ``signer`` is the last signer: the name of its trusted key, otherwise the key. ``signed_to`` is the last
    record that is covered, 0 for none, ``phrase`` the beginning of its hash as people note it, ``bad`` the
    record with a wrong signature, 0 for none.
    """

    signed: Signed
    signer: str = ""
    signed_to: int = 0
    phrase: str = ""
    bad: int = 0


class Trusted(msgspec.Struct, frozen=True):
    """A box whose key is trusted. A lost box's key is revoked: it counts up to the records in ``counts_to``
    (the beginnings of their hashes, as people noted them), and in other matches not at all.
    """

    name: str
    counts_to: tuple[str, ...] | None = None

    def reach(self, records: Sequence[Record]) -> int:
        """Return the number of the last record that the key counts for, 0 for none."""
        if self.counts_to is None:
            return records[-1].seq if records else 0
        return max((one.seq for one in records if one.hash.startswith(self.counts_to)), default=0)


def judge_signatures(
    header: Mapping[str, str], records: Sequence[Record], trusted: Mapping[str, Trusted] | None = None
) -> Signatures:
    """Return the verdict on the signatures of ``records``, whose chain must hold.

    ``trusted`` are boxes by their keys; without them every key counts.
    """
    own = header.get("box_key", "")
    reaches = {key: box.reach(records) for key, box in (trusted or {}).items()}
    foreign, last, by = "", None, ""
    for record in records:
        if not record.signature:
            continue
        key = record.signer or own
        if not check(key, record.hash, record.signature):
            return Signatures(Signed.BAD, key, 0, "", record.seq)
        if trusted is None or record.seq <= reaches.get(key, 0):
            last, by = record, key
        else:
            foreign = f"{trusted[key].name} (revoked)" if key in trusted else key
    if last is None:
        return Signatures(Signed.FOREIGN if foreign else Signed.NONE, foreign)
    how = Signed.WHOLE if last is records[-1] else Signed.PART
    signer = trusted[by].name if trusted else by
    return Signatures(how, signer, last.seq, write_phrase([last]))


def is_lost(table: str, keys: Mapping[str, Trusted]) -> bool:
    """Return True if a table's own key is revoked: a spare box may stand in."""
    return any(box.name == table and box.counts_to is not None for box in keys.values())


Beginning = Annotated[
    str, Meta(pattern=r"\A[0-9a-f]{16,64}\Z", description="the beginning of a record's hash")
]


class _KeyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: PublicKey
    counts_to: tuple[Beginning, ...] | None = None


class _Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: dict[str, _KeyRow] = {}


def read_keys(path: Path) -> dict[str, Trusted]:
    """Read the trusted boxes, each a table ``[box.NAME]`` with its ``key`` and, if that is revoked,
    ``counts_to``; return them by key.

    Raises OSError, :class:`KeyFileError` for a file with other contents.
    """
    return parse_keys(read_file(path), path)


def parse_keys(data: bytes, path: Path) -> dict[str, Trusted]:
    """Read the trusted boxes from a file's bytes, as :func:`read_keys` does."""
    try:
        parsed = msgspec.convert(tomllib.loads(data.decode("utf-8")), _Keys)
    except ValueError as error:
        raise KeyFileError(f"{path}: {error}") from error
    return {box.key: Trusted(name, box.counts_to) for name, box in parsed.box.items()}


def write_keys(keys: Mapping[str, Trusted]) -> str:
    """Return the text of a file for :func:`read_keys`."""
    tables = []
    for key, box in keys.items():
        table = f'[box.{box.name}]\nkey = "{key}"\n'
        if box.counts_to is not None:
            table += f"counts_to = {msgspec.json.encode(box.counts_to).decode()}\n"
        tables.append(table)
    return "\n".join(tables)
