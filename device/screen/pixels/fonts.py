"""Bitmap fonts for a 1-bit display: the same crisp pixels on every machine.

The files under ``fonts/`` are Terminus Font (SIL Open Font License, see ``fonts/LICENSE-OFL.txt``) as
Debian's ``xfonts-terminus`` 4.48 ships them, in X11's Portable Compiled Format. They are read here and not
through FreeType, so that a golden picture cannot change with a library version, and so that a character a
font lacks is known and drawn as a box.

Format: https://fontforge.org/docs/techref/pcf-format.html
"""

from __future__ import annotations

import gzip
import struct
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from PIL import Image, ImageDraw

SMALL = 12  # lines and prompts
LARGE = 24  # the figure that matters
SPACE = "␣"  # on the wheels of signs; drawn here, as the fonts lack it

# By language and height, the first font that has a character draws it. A Japanese entry puts its font behind
# Terminus; wide characters need no other change, as all layout measures text and never counts characters.
FILES: dict[str, dict[int, tuple[str, ...]]] = {
    "en": {SMALL: ("ter-u12n.pcf.gz",), LARGE: ("ter-u24b.pcf.gz",)},
}

_METRICS, _BITMAPS, _ENCODINGS, _ACCELERATORS = 1 << 2, 1 << 3, 1 << 5, 1 << 1
_BIG_ENDIAN, _HIGH_BIT_FIRST, _COMPRESSED, _SCAN_UNIT = 1 << 2, 1 << 3, 1 << 8, 3 << 4


class FontError(Exception):
    """A font file that cannot be read, or a language and size that no file serves."""


class Font:
    """One size of writing: measures text and writes it into 1-bit pictures.

    Unknown characters are drawn as an upright box one cell wide.
    """

    def __init__(self, *data: bytes) -> None:
        """``data``: one or more uncompressed PCF files of the same height, in order of preference."""
        faces = [_Face(each) for each in data]
        self.height = faces[0].height
        """Height of a line, px."""
        self.cell = faces[0].width
        """Width of a Latin letter, px."""
        self._faces = faces
        self._glyphs: dict[str, Image.Image] = {}

    def __contains__(self, char: str) -> bool:
        """Return True if a character has a glyph of its own."""
        return char == SPACE or any(char in face.index for face in self._faces)

    def measure(self, text: str) -> int:
        """Width of ``text`` in px."""
        return _width(self, tidy(text))

    def write(self, image: Image.Image, x: int, y: int, text: str, ink: int = 1) -> int:
        """Write ``text`` with its cell's upper left corner at (``x``, ``y``); ``ink`` is 1 or 0.

        Returns where the next character would start. What lies outside the picture is clipped.
        """
        written = _written(self, tidy(text))
        end = x + written.width
        image.paste(ink, (x, y, end, y + self.height), written)
        return end

    def glyph(self, char: str) -> Image.Image:
        """The pixels of one character, ``height`` high."""
        found = self._glyphs.get(char)
        if found is None:
            face = next((face for face in self._faces if char in face.index), None)
            found = self._glyphs[char] = face.render(char) if face else self._box(char == SPACE)
        return found

    def _box(self, low: bool) -> Image.Image:
        """An upright box; a ``low`` one is open above."""
        glyph = Image.new("1", (self.cell, self.height))
        margin, right = self.height // 6, self.cell - 2
        top = self.height * 7 // 12 if low else margin
        pen = ImageDraw.Draw(glyph)
        pen.rectangle((0, top, right, self.height - margin - 1), outline=1, width=self.height // SMALL)
        if low:
            pen.rectangle((self.height // SMALL, 0, right - self.height // SMALL, top + 1), fill=0)
        return glyph


@lru_cache(4096)
def _width(font: Font, text: str) -> int:
    return sum(font.glyph(char).width for char in text)


@lru_cache(512)
def _written(font: Font, text: str) -> Image.Image:
    line = Image.new("1", (_width(font, text), font.height))
    x = 0
    for char in text:
        glyph = font.glyph(char)
        line.paste(glyph, (x, 0))
        x += glyph.width
    return line


class _Face:
    """One PCF file: where each character's bits are."""

    def __init__(self, data: bytes) -> None:
        if data[:4] != b"\x01fcp":
            raise FontError("not a PCF font")
        count = struct.unpack_from("<I", data, 4)[0]
        tables = {kind: offset for kind, _, _, offset in struct.iter_unpack("<4I", data[8 : 8 + 16 * count])}
        self._data = data
        self._metrics = self._read_metrics(tables[_METRICS])
        self._read_bitmaps(tables[_BITMAPS])
        self.index = self._read_encodings(tables[_ENCODINGS])
        order = self._order(tables[_ACCELERATORS])[1]
        self._ascent, descent = struct.unpack_from(order + "2i", data, tables[_ACCELERATORS] + 12)
        self.height = self._ascent + descent
        self.width = self._metrics[self.index.get("0", 0)][2]

    def render(self, char: str) -> Image.Image:
        """The character on its whole cell."""
        index = self.index[char]
        left, right, width, ascent, descent = self._metrics[index]
        cell = Image.new("1", (width, self.height))
        size = (right - left, ascent + descent)
        if size[0] > 0 and size[1] > 0:
            stride = -(-size[0] // (8 * self._pad)) * self._pad
            start = self._bits + self._offsets[index]
            bits = self._data[start : start + stride * size[1]]
            cell.paste(
                Image.frombytes("1", size, bits, "raw", self._raw, stride), (left, self._ascent - ascent)
            )
        return cell

    def _order(self, offset: int) -> tuple[int, str]:
        form = struct.unpack_from("<I", self._data, offset)[0]
        return form, ">" if form & _BIG_ENDIAN else "<"

    def _read_metrics(self, offset: int) -> list[tuple[int, ...]]:
        form, order = self._order(offset)
        if form & _COMPRESSED:
            count = struct.unpack_from(order + "H", self._data, offset + 4)[0]
            packed = self._data[offset + 6 : offset + 6 + 5 * count]
            return [tuple(byte - 128 for byte in packed[i : i + 5]) for i in range(0, len(packed), 5)]
        count = struct.unpack_from(order + "I", self._data, offset + 4)[0]
        rows = struct.iter_unpack(order + "5hH", self._data[offset + 8 : offset + 8 + 12 * count])
        return [row[:5] for row in rows]

    def _read_bitmaps(self, offset: int) -> None:
        form, order = self._order(offset)
        if form & _SCAN_UNIT and (form & _BIG_ENDIAN != 0) != (form & _HIGH_BIT_FIRST != 0):
            raise FontError("PCF font with swapped bytes in its bitmaps")
        count = struct.unpack_from(order + "I", self._data, offset + 4)[0]
        self._offsets = struct.unpack_from(f"{order}{count}I", self._data, offset + 8)
        self._bits = offset + 8 + 4 * count + 16
        self._pad = 1 << (form & 3)
        self._raw = "1" if form & _HIGH_BIT_FIRST else "1;R"

    def _read_encodings(self, offset: int) -> dict[str, int]:
        _, order = self._order(offset)
        low, high, first, last, _ = struct.unpack_from(order + "5H", self._data, offset + 4)
        columns = high - low + 1
        cells = struct.unpack_from(f"{order}{columns * (last - first + 1)}H", self._data, offset + 14)
        return {
            chr((first + i // columns) << 8 | low + i % columns): index
            for i, index in enumerate(cells)
            if index != 0xFFFF
        }


def tidy(text: str) -> str:
    """``text`` as it can be written on one line: accents composed, line breaks and tabs as spaces."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))


@cache
def font(height: int, language: str = "en") -> Font:
    """The font of a height in px (:data:`SMALL` or :data:`LARGE`) for a language key.

    Raises :class:`FontError` for a height or language that :data:`FILES` does not list.
    """
    try:
        names = FILES[language][height]
    except KeyError:
        raise FontError(f"no {height} px font for language {language!r}") from None
    folder = files(__package__) / "fonts"
    return Font(*(gzip.decompress((folder / name).read_bytes()) for name in names))
