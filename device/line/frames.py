"""Lines of text as frames: ``SEQ KIND ARGS…[*CCCC]``. Pure; bytes in, values out.

SEQ is a decimal number that the sender chooses, CCCC the CRC-16/XMODEM of every byte before the star, in hex.
A line ends with ``\\n``, ``\\r\\n`` or ``\\r``. A star with four hex digits right behind it is always a
checksum, and only at the end of a line, so two lines joined by a damaged line end never count as one.

>>> encode(17, "step", "P d m6", checked=True)
b'17 step P d m6*19C4\\n'
>>> FrameReader().feed(b"17 step P d m6*19C4\\n18 pi")
[LineFrame(seq=17, kind='step', args='P d m6', checked=True)]
"""

from __future__ import annotations

import binascii
import re
from typing import Literal

import msgspec

LIMIT = 512
"""The most bytes of a line, without its end."""

MAX_SEQ = 2**32 - 1

_FRAME = re.compile(r"([0-9]{1,10})\s+(\S+)(?:\s+(.*))?")
_CHECKSUM = re.compile(rb"\*([0-9A-Fa-f]{4})")
_BACKSPACES = "\b\x7f"


class LineFrame(msgspec.Struct, frozen=True):
    """One good line. ``args`` is the text behind the kind, stripped."""

    seq: int
    kind: str
    args: str = ""
    checked: bool = False


class Garbled(msgspec.Struct, frozen=True):
    """A line that is no frame. ``text`` names the fault, for people. It has no number, as none can be
    trusted.
    """

    code: Literal["garbled", "checksum", "malformed"]
    text: str


class FrameReader:
    """A reader of frames from bytes in pieces of any size.

    A line that is too long or unreadable is dropped up to its end; of several in a row only the first is
    reported. After a frame with a checksum, lines without one are refused: a flipped bit can turn the star
    into a letter.

    With checksums, a line with one flipped bit is never read as a different frame, with one exception: a flip
    that cuts the line in two, whose second half passes a 16-bit checksum by chance.
    """

    def __init__(self, *, checked: bool = False) -> None:
        """Start without bytes; ``checked`` requires checksums from the first line on."""
        self.checked = checked
        self.unread = 0
        """The number of unreadable lines since the last readable one."""
        self._rest = b""
        self._skipping = False
        self._in_burst = False

    def feed(self, data: bytes) -> list[LineFrame | Garbled]:
        """Take the next bytes, any number; return the frames that they complete. Skip empty lines."""
        *lines, self._rest = re.split(rb"[\r\n]", self._rest + data)
        found: list[LineFrame | Garbled | None] = []
        for line in lines:
            if not self._skipping:
                found.append(self._read(line))
            self._skipping = False
        if self._skipping:
            self._rest = b""
        elif len(self._rest) > LIMIT:
            found.append(self._read(self._rest))
            self._rest = b""
            self._skipping = True
        return [item for item in found if item is not None]

    def _read(self, line: bytes) -> LineFrame | Garbled | None:
        item = _parse(line)
        if isinstance(item, LineFrame):
            self.checked |= item.checked
            if not item.checked and self.checked:
                item = Garbled("checksum", "lines with checksums are expected here, this one has none")
        if item is not None:
            self.unread = self.unread + 1 if isinstance(item, Garbled) else 0
        unreadable = isinstance(item, Garbled) and item.code == "garbled"
        repeated = unreadable and self._in_burst
        if item is not None:
            self._in_burst = unreadable
        return None if repeated else item


def _parse(line: bytes) -> LineFrame | Garbled | None:
    if len(line) > LIMIT:
        return Garbled("garbled", f"line longer than {LIMIT} bytes")
    if not line.strip():
        return None
    try:
        line.decode()
    except UnicodeDecodeError:
        return Garbled("garbled", "not UTF-8 text; is the baud rate right?")
    body, *checksum = _CHECKSUM.split(line.rstrip(b" \t"))
    # A terminal program sends the backspace key along; under a checksum every byte counts as it is.
    text = body.decode() if checksum else _apply_backspaces(body.decode())
    if not text.replace("\t", " ").isprintable():
        return Garbled("garbled", "control characters in the line")
    if checksum and (len(checksum) > 2 or checksum[1]):
        return Garbled("checksum", "a checksum stands once, at the end of its line")
    if checksum and int(checksum[0], 16) != (due := binascii.crc_hqx(body, 0)):
        return Garbled("checksum", f"the checksum does not fit: {checksum[0].decode()}, due is {due:04X}")
    match = _FRAME.fullmatch(text.strip())
    if match is None:
        return Garbled("malformed", "a line is: NUMBER KIND …, for example 1 ping") if text.strip() else None
    seq, kind, args = match.groups(default="")
    if int(seq) > MAX_SEQ:
        return Garbled("malformed", f"the number at the front goes up to {MAX_SEQ}")
    return LineFrame(int(seq), kind, args, bool(checksum))


def _apply_backspaces(text: str) -> str:
    kept: list[str] = []
    for char in text:
        if char not in _BACKSPACES:
            kept.append(char)
        elif kept:
            kept.pop()
    return "".join(kept)


def encode(seq: int, kind: str, args: str = "", *, checked: bool = False) -> bytes:
    """Return the line for a frame, its ``\\n`` included.

    :raises ValueError: if it would not be read as the same frame: too long, with a control character, or with
        text like a checksum.
    """
    body = f"{seq} {kind} {args}".rstrip().encode()
    line = b"%s*%04X" % (body, binascii.crc_hqx(body, 0)) if checked else body
    if _parse(line) != LineFrame(seq, kind, args, checked):
        raise ValueError(f"cannot be sent as one line: {seq} {kind} {args!r}")
    return line + b"\n"


def make_sendable(text: str, room: int = LIMIT) -> str:
    """Make any text fit for sending: one line of at most ``room`` bytes, with ``…`` if it was cut."""
    text = "".join(char if char.isprintable() else " " for char in text)
    text = re.sub(r"\*(?=[0-9A-Fa-f]{4})", "* ", " ".join(text.split()))
    if len(text.encode()) <= room:
        return text
    cut = text.encode()[: room - len(" …".encode())].decode(errors="ignore")
    return f"{cut.rstrip()} …"
