"""A release on a stick: a manifest, its signature, and the packages that it names.

::

    podesta_0.2.0~bookworm_arm64.update         the manifest, as JSON
    podesta_0.2.0~bookworm_arm64.update.sig     the signer's key, and the signature
    podesta_0.2.0~bookworm_arm64.deb            the packages, by their SHA-256

Signatures are Ed25519 (RFC 8032) over :data:`CONTEXT` and the manifest, keys and signatures in base64. dpkg
checks no signature of a package: everything is checked here before it runs, on copies that only we can write.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from device import ed25519
from device.files import read_file
from device.texts import Said, quoted, said

TRUSTED: Final = Path("/etc/podesta/trusted.d")
"""The folder of trusted keys, a ``NAME.pub`` each."""
SUFFIX: Final = ".update"
CONTEXT: Final = b"podesta release 1\n"
"""The prefix of a signed manifest: a signature of anything else makes no release."""
LARGEST: Final = 512 << 20
"""The most bytes of a package."""
_STEP: Final = 1 << 20
_VERSION: Final = r"\A[0-9]{1,6}(\.[0-9]{1,6}){0,3}\Z"

Version = Annotated[str, Meta(pattern=_VERSION, description="up to four numbers, such as 0.2.0")]
Word = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9+.-]{0,63}\Z")]
FileName = Annotated[
    str, Meta(pattern=r"\A[a-z0-9][A-Za-z0-9+._~-]{0,199}\.deb\Z", description="a .deb beside the manifest")
]
Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class CareError(Exception):
    """A request that is not carried out: the ``code`` of a text of ``care.why``, and its ``detail``, one
    line.
    """

    def __init__(self, code: str, detail: object = "") -> None:
        """Take the code and the detail for its text."""
        super().__init__(make_cause(code, detail))
        self.code, self.detail = code, str(detail)


def make_cause(code: str, detail: object) -> Said:
    """Return the text of a code with its detail: a file, a figure, or words of a program."""
    whose = str if code in ("no_file", "changed", "not_up") else quoted
    return said(f"care.why.{code}", detail=whose(detail))


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A package of a release: its name, its file beside the manifest, the file's bytes and SHA-256."""

    name: Word
    file: FileName
    size: Annotated[int, Meta(gt=0, le=LARGEST)]
    sha256: Sha256


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signed part of a release: a version for one distribution and architecture, and its packages."""

    version: Version
    distribution: Word
    architecture: Word
    packages: Annotated[tuple[Package, ...], Meta(min_length=1, max_length=8)]


class Here(msgspec.Struct, frozen=True):
    """The box that a release must fit: its version and packages, and its system."""

    version: str
    distribution: str
    architecture: str
    packages: tuple[str, ...] = ("podesta",)


def parse_version(version: str) -> tuple[int, ...]:
    """Return a version for comparison, without the distribution behind a package's version.

    >>> parse_version("0.10.0~bookworm") > parse_version("0.9")
    True
    """
    upstream = version.partition("~")[0]
    numbers = [int(one) for one in upstream.split(".")] if re.match(_VERSION, upstream) else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def read_trusted(folder: Path = TRUSTED) -> dict[str, str]:
    """Read the trusted keys; return the names of their files by key.

    Raises OSError, and :class:`CareError` for a file that is no key.
    """
    found = {}
    for path in sorted(folder.glob("*.pub")):
        text = read_file(path).decode("ascii", "replace").strip()
        if not re.match(ed25519.KEY, text):
            raise CareError("no_key", f"{path}: not a public key in base64; put it right, or remove it")
        found[text] = path.stem
    return found


def find(folder: Path) -> tuple[str, ...]:
    """Return the names of the manifests in a folder, signed or not, the highest version first.

    A name with a leading dot is a system's own note about a file.
    """
    try:
        names = [name for name in os.listdir(folder) if name.endswith(SUFFIX) and name[0] != "."]
    except OSError:
        return ()
    return tuple(sorted(names, key=lambda name: (parse_version(read_version(name)), name), reverse=True))


def read_version(name: str) -> str:
    """Return the version in the name of a manifest or a package, for people."""
    return name.split("_")[1].partition("~")[0] if name.count("_") > 1 else name.removesuffix(SUFFIX)


def check(
    folder: Path, name: str, keys: Mapping[str, str], here: Here, into: Path | None = None
) -> tuple[Manifest, tuple[Package, ...]]:
    """Check a release; return its manifest, and those of its packages that this box has.

    With ``into``, a folder that only we can write, everything is copied there first, and the copies are
    checked. No older version passes: the box itself keeps the previous one. Raises :class:`CareError`,
    OSError.
    """
    where = into or folder
    if into:
        for one in (name, f"{name}.sig"):
            (into / one).write_bytes(_read_small(folder, one))
    manifest = _verify_manifest(where, name, keys)
    wanted = _choose_packages(manifest, name, here)
    for package in wanted:
        if into:
            with (into / package.file).open("xb") as file:
                _copy_checked(folder, package, file.write)
                file.flush()
                os.fsync(file.fileno())
        _copy_checked(where, package)
    return manifest, wanted


def _read_small(folder: Path, name: str) -> bytes:
    """Read a manifest or a signature; a larger one is cut off, which makes it invalid."""
    if "/" in name:
        raise CareError("damaged", f"{name}: a path, not a file of the stick")
    return next(read_steps(folder / name), b"")


def _verify_manifest(folder: Path, name: str, keys: Mapping[str, str]) -> Manifest:
    raw, told = _read_small(folder, name), _read_small(folder, f"{name}.sig")
    if not keys:
        raise CareError("no_key", f"{TRUSTED} holds no .pub; put there the key of whoever makes the releases")
    signer, _, signature = told.decode("ascii", "replace").removesuffix("\n").partition(" ")
    if signer not in keys:
        known = ", ".join(keys.values())
        raise CareError("unknown_key", f"{name} is signed by {signer[:44]}, none of those trusted ({known})")
    if not ed25519.is_signature(signer, CONTEXT + raw, signature):
        raise CareError("bad_signature", f"{name} is not as it was signed; do not install it")
    if told != f"{signer} {ed25519.encode_base64(ed25519.decode_base64(signature))}\n".encode():
        raise CareError("bad_signature", f"{name}.sig is not as it was written; copy it to the stick anew")
    try:
        return msgspec.json.decode(raw, type=Manifest)
    except msgspec.DecodeError as error:
        raise CareError("damaged", f"{name}: {error}; a newer podesta may read it") from error


def _choose_packages(manifest: Manifest, name: str, here: Here) -> tuple[Package, ...]:
    """Return the packages of a release that this box has; raises :class:`CareError` if it does not fit."""
    meant = f"{manifest.distribution} {manifest.architecture}"
    if (manifest.distribution, manifest.architecture) != (here.distribution, here.architecture):
        ours = f"{here.distribution} {here.architecture}"
        raise CareError("other_box", f"{name} is for {meant}, this box is {ours}; take the file for that")
    if parse_version(manifest.version) < parse_version(here.version):
        raise CareError(
            "older", f"{name}: {manifest.version} is older than {here.version}, which is installed"
        )
    there = {package.name: package for package in manifest.packages}
    if missing := set(here.packages) - set(there):
        raise CareError("other_box", f"{name} lacks {', '.join(sorted(missing))}, which is installed here")
    return tuple(there[one] for one in here.packages)


def _copy_checked(folder: Path, package: Package, write: Callable[[bytes], object] = len) -> None:
    """Read a package's bytes and ``write`` them; raises :class:`CareError` unless they are as signed."""
    digest, size = hashlib.sha256(), 0
    for data in read_steps(folder / package.file):
        size += len(data)
        if size > package.size:
            break
        digest.update(data)
        write(data)
    if (size, digest.hexdigest()) != (package.size, package.sha256):
        raise CareError("hash", f"{package.file} is not what was signed; copy the release to the stick anew")


def read_steps(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes step by step; follow no link, and never wait for anything but a plain file."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "not a plain file")
            while data := file.read(_STEP):
                yield data
    except OSError as error:
        raise CareError(
            "damaged", f"{path.name}: {error.strerror or error}; copy the release to the stick anew"
        ) from error


def sign(manifest: Manifest, secret: str) -> tuple[bytes, bytes]:
    """Return the bytes of a manifest and of its signature, by a key of :func:`device.ed25519.make_pair`.

    Raises ValueError for an invalid key or manifest.
    """
    raw = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    msgspec.json.decode(raw, type=Manifest)
    return raw, f"{ed25519.derive_public(secret)} {ed25519.sign(secret, CONTEXT + raw)}\n".encode()
