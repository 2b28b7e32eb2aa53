"""A box's key, and what it signs: the hash of each group's last record, which covers all before it.

::

    key = BoxKey(state_dir)
    signature = key.sign(record.hash)
    check(key.public, record.hash, signature)      # True

Signatures are Ed25519 (RFC 8032) over :data:`CONTEXT` and the hash in hex; keys and signatures are written in
base64 (RFC 4648). The private key lies in ``box.key`` of the state directory, for its owner alone.
"""

from __future__ import annotations

import base64
import logging
import threading
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from device.files import read_file, replace_file
from device.match import Record, phrase

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

log = logging.getLogger(__name__)

CONTEXT: Final = b"podesta checkpoint 1\n"
"""Stands before a hash that is signed: what is signed for something else is no checkpoint."""

PublicKey = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9+/]{43}=\Z", description="a key in base64")]


class KeyFileError(OSError):
    """A key cannot be read or kept; the message is one line naming the file."""


class BoxKey:
    """The key of one box, made when it is first needed."""

    def __init__(self, state_dir: Path) -> None:
        """Read nothing yet, so that the first picture waits for neither the disk nor the library."""
        self.path = state_dir / "box.key"
        self._lock = threading.Lock()
        self._key: Ed25519PrivateKey | None = None

    @cached_property
    def public(self) -> str:
        """The public key in base64; raises :class:`KeyFileError`."""
        return written(self._private().public_key())

    def sign(self, digest: str, context: bytes = CONTEXT) -> str:
        """Return the signature of a hash in base64; raises :class:`KeyFileError`."""
        return _text(self._private().sign(context + digest.encode()))

    def _private(self) -> Ed25519PrivateKey:
        with self._lock:
            try:
                if self._key is None and self.path.exists():
                    self._key = private(read_file(self.path).decode("ascii", "replace").strip())
                elif self._key is None:
                    made = generated()
                    replace_file(self.path, f"{secret(made)}\n".encode("ascii"))
                    log.info("%s: made; the public key is %s", self.path, written(made.public_key()))
                    self._key = made
            except OSError as error:
                raise KeyFileError(f"{self.path}: {error.strerror or error}") from error
            except ValueError as error:
                why = "not a key; put it back, or remove it for a new one"
                raise KeyFileError(f"{self.path}: {why}") from error
            return self._key


def generated() -> Ed25519PrivateKey:
    """Return a new key."""
    made: Ed25519PrivateKey = _ed25519().Ed25519PrivateKey.generate()
    return made


def written(key: Ed25519PublicKey) -> str:
    """Return a public key in base64."""
    return _text(key.public_bytes_raw())


def secret(key: Ed25519PrivateKey) -> str:
    """Return a private key in base64, for a file that its owner alone can read."""
    return _text(key.private_bytes_raw())


def private(text: str) -> Ed25519PrivateKey:
    """Read a private key in base64; raises ValueError."""
    read: Ed25519PrivateKey = _ed25519().Ed25519PrivateKey.from_private_bytes(_bytes(text))
    return read


def check(public: str, digest: str, signature: str | bytes, context: bytes = CONTEXT) -> bool:
    """Return True if the signature, in base64 or as it is, is that of a hash by the private half of a key."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 – as below

    try:
        key = _ed25519().Ed25519PublicKey.from_public_bytes(_bytes(public))
        raw = signature if isinstance(signature, bytes) else _bytes(signature)
        key.verify(raw, context + digest.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _ed25519() -> Any:
    """Return the library's module; it takes a tenth of a second to import: no first picture waits for it."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    return ed25519


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


# What signatures say of a journal


class Signed(StrEnum):
    """The extent to which a journal is signed: ``whole`` up to its last record, ``part`` up to an earlier
    one, ``none``, ``foreign`` by no key that is trusted, ``bad`` where a signature is not one of what it
    stands at.
    """

    WHOLE = "whole"
    PART = "part"
    NONE = "none"
    FOREIGN = "foreign"
    BAD = "bad"


class Signatures(msgspec.Struct, frozen=True):
    """The verdict of a journal's signatures.

    ``signer`` is who signed last: the name that its key is trusted by, else the key. ``signed_to`` is the
    last record that is covered, 0 for none, ``phrase`` the beginning of its hash as people note it, ``bad``
    the record whose signature is wrong, 0 for none.
    """

    signed: Signed
    signer: str = ""
    signed_to: int = 0
    phrase: str = ""
    bad: int = 0


class Trusted(msgspec.Struct, frozen=True):
    """A box whose key is trusted; a lost box's key is revoked, and counts up to the hashes in ``counts_to``
    (their beginnings, as people noted them), in other matches not at all.
    """

    name: str
    counts_to: tuple[str, ...] | None = None

    def reach(self, records: Sequence[Record]) -> int:
        """Return the last record up to which the key counts."""
        if self.counts_to is None:
            return records[-1].seq if records else 0
        return max((one.seq for one in records if one.hash.startswith(self.counts_to)), default=0)


def signatures(
    header: Mapping[str, str], records: Sequence[Record], trusted: Mapping[str, Trusted] | None = None
) -> Signatures:
    """Return what the signatures of records say whose chain holds.

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
    return Signatures(how, signer, last.seq, phrase([last]))


def lost(table: str, keys: Mapping[str, Trusted]) -> bool:
    """Return True for a table whose own key was revoked: a spare box may stand in."""
    return any(box.name == table and box.counts_to is not None for box in keys.values())


Beginning = Annotated[
    str, Meta(pattern=r"\A[0-9a-f]{16,64}\Z", description="the beginning of a record's hash")
]


class _Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: PublicKey
    counts_to: tuple[Beginning, ...] | None = None


class _Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: dict[str, _Box] = {}


def read_keys(path: Path) -> dict[str, Trusted]:
    """Read the boxes that are trusted, a table ``[box.NAME]`` each, with its ``key`` and, once that is
    revoked, ``counts_to``; return them by key.

    Raises OSError, :class:`KeyFileError` for a file that holds something else.
    """
    try:
        told = msgspec.convert(tomllib.loads(read_file(path).decode("utf-8")), _Keys)
    except ValueError as error:
        raise KeyFileError(f"{path}: {error}") from error
    return {box.key: Trusted(name, box.counts_to) for name, box in told.box.items()}


def keys_text(keys: Mapping[str, Trusted]) -> str:
    """Return boxes by key as :func:`read_keys` takes them."""
    tables = []
    for key, box in keys.items():
        table = f'[box.{box.name}]\nkey = "{key}"\n'
        if box.counts_to is not None:
            table += f"counts_to = {msgspec.json.encode(box.counts_to).decode()}\n"
        tables.append(table)
    return "\n".join(tables)
