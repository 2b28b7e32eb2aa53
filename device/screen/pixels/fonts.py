"""Bitmap fonts for a 1-bit display: the same crisp pixels on every machine.

The files under ``fonts/`` are unchanged from Debian, in X11's Portable Compiled Format: Terminus Font
(``xfonts-terminus`` 4.48, SIL Open Font License, ``fonts/LICENSE-OFL.txt``) for Latin letters and signs, and
Shinonome's gothic (``xfonts-shinonome`` 0.9.11, public domain, ``fonts/LICENSE-shinonome.txt``) for kana and
the kanji of JIS X 0208, levels 1 and 2. This module reads them, not FreeType, so that golden pictures do not
change with a library version, and so that it knows the missing characters and draws them as a box.

Format: https://fontforge.org/docs/techref/pcf-format.html
"""

from __future__ import annotations

import gzip
import struct
import unicodedata
from collections.abc import Callable
from functools import cache, cached_property, lru_cache, partial
from importlib.resources import files

from PIL import Image, ImageDraw

SMALL = 12  # lines and prompts
LARGE = 24  # the figure that matters
SPACE = "␣"  # on the wheels of signs; drawn here, as the fonts lack it
GETA = "〓"
"""The substitute for a wide character that no font has, as in Japanese print."""

COMMON = str.maketrans("髙﨑德濵栁瀨槗", "高崎徳浜柳瀬橋")
"""Kanji in people's names, and their forms in JIS X 0208."""

_METRICS, _BITMAPS, _ENCODINGS, _ACCELERATORS = 1 << 2, 1 << 3, 1 << 5, 1 << 1
_WORD = 4  # bytes, to which the rows of a bitmap are filled


class Font:
    """One size of writing: it measures text and writes it into 1-bit pictures.

    Unknown characters are drawn as an upright box one cell wide, wide ones as :data:`GETA`.
    """

    def __init__(self, *faces: Face) -> None:
        """Take ``faces`` of the same height in order of preference; all but the first are read on demand."""
        self.height = faces[0].height
        """Height of a line, px."""
        self.cell = faces[0].width("0")
        """Width of a Latin letter, px."""
        self._faces = faces
        self._glyphs: dict[str, Image.Image] = {}

    def __contains__(self, char: str) -> bool:
        """Return True if a character has a glyph of its own."""
        return char == SPACE or any(char in face for face in self._faces)

    def measure(self, text: str) -> int:
        """Return the width of ``text``, px."""
        return _measure(self, tidy(text))

    def write(self, image: Image.Image, x: int, y: int, text: str, ink: int = 1) -> int:
        """Write ``text`` with its cell's upper left corner at (``x``, ``y``); ``ink`` is 1 or 0.

        Return the left edge of the next character. Parts outside the picture are clipped.
        """
        written = _write(self, tidy(text))
        end = x + written.width
        image.paste(ink, (x, y, end, y + self.height), written)
        return end

    def glyph(self, char: str) -> Image.Image:
        """Return the pixels of one character, ``height`` high."""
        found = self._glyphs.get(char)
        if found is None:
            found = self._glyphs[char] = self._draw(char)
        return found

    def _draw(self, char: str) -> Image.Image:
        for sign in (char, char.translate(COMMON), unicodedata.normalize("NFKC", char)):
            for face in self._faces:
                if sign in face:
                    return face.render(sign)
        wide = unicodedata.east_asian_width(char) in "WF"
        return self._draw(GETA) if wide and char != GETA else self._draw_box(char == SPACE)

    def _draw_box(self, low: bool) -> Image.Image:
        """Draw an upright box, open above if ``low``."""
        glyph = Image.new("1", (self.cell, self.height))
        margin, right = self.height // 6, self.cell - 2
        top = self.height * 7 // 12 if low else margin
        pen = ImageDraw.Draw(glyph)
        pen.rectangle((0, top, right, self.height - margin - 1), outline=1, width=self.height // SMALL)
        if low:
            pen.rectangle((self.height // SMALL, 0, right - self.height // SMALL, top + 1), fill=0)
        return glyph


@lru_cache(4096)
def _measure(font: Font, text: str) -> int:
    return sum(font.glyph(char).width for char in text)


@lru_cache(512)
def _write(font: Font, text: str) -> Image.Image:
    line = Image.new("1", (_measure(font, text), font.height))
    x = 0
    for char in text:
        glyph = font.glyph(char)
        line.paste(glyph, (x, 0))
        x += glyph.width
    return line


class Face:
    """One PCF file: it finds a character's bits when they are drawn."""

    def __init__(self, read: Callable[[], Pcf], code: Callable[[str], int | None], scale: int = 1) -> None:
        """Take a font file and its encoding.

        ``read`` gives the file, ``code`` a character's number in its encoding, None for none; ``scale`` is
        the width and height in px of a dot of the font.
        """
        self._open, self._code, self._scale = read, code, scale

    @property
    def height(self) -> int:
        """Height of a line, px."""
        return self._scale * (self._pcf.ascent + self._pcf.descent)

    def __contains__(self, char: str) -> bool:
        """Return True if the file has the character."""
        return self._index(char) is not None

    def width(self, char: str) -> int:
        """Return the width of a character that the font has, px."""
        return self._scale * int(self._find_metrics(char)[1][2])

    def render(self, char: str) -> Image.Image:
        """Return the character on its whole cell."""
        pcf, (index, (left, right, width, ascent, descent)) = self._pcf, self._find_metrics(char)
        cell = Image.new("1", (width, pcf.ascent + pcf.descent))
        size = (right - left, ascent + descent)
        if size[0] > 0 and size[1] > 0:
            stride = -(-size[0] // (8 * _WORD)) * _WORD
            bits = pcf.bits(index, stride * size[1])
            cell.paste(Image.frombytes("1", size, bits, "raw", "1", stride), (left, pcf.ascent - ascent))
        return cell.resize((self._scale * cell.width, self._scale * cell.height), Image.Resampling.NEAREST)

    @cached_property
    def _pcf(self) -> Pcf:
        return self._open()

    def _find_metrics(self, char: str) -> tuple[int, tuple[int, ...]]:
        index = self._index(char)
        assert index is not None, f"{char!r} is not in the font"
        return index, self._pcf.metrics(index)

    def _index(self, char: str) -> int | None:
        code = self._code(char)
        return None if code is None else self._pcf.index(code)


class Pcf:
    """The tables of a file that drawing needs; they are unpacked on demand.

    The files here are big-endian, their metrics compressed, the rows of their bitmaps whole words.
    """

    def __init__(self, data: bytes) -> None:
        """Read ``data``, the uncompressed file."""
        count = struct.unpack_from("<I", data, 4)[0]
        entries = struct.iter_unpack("<4I", data[8 : 8 + 16 * count])
        tables = {kind: data[offset : offset + size] for kind, _, size, offset in entries}
        self._find_metrics, self._bitmaps = tables[_METRICS], tables[_BITMAPS]
        self._encodings = tables[_ENCODINGS]
        self.ascent: int
        self.descent: int
        self.ascent, self.descent = struct.unpack_from(">2i", tables[_ACCELERATORS], 12)

    def metrics(self, index: int) -> tuple[int, ...]:
        """Return left and right edge, width, ascent and descent of a glyph, in dots."""
        start = 6 + 5 * index
        return tuple(byte - 128 for byte in self._find_metrics[start : start + 5])

    def bits(self, index: int, size: int) -> bytes:
        """Return ``size`` bytes of a glyph's bitmap."""
        count = struct.unpack_from(">I", self._bitmaps, 4)[0]
        start = 8 + 4 * count + 16 + struct.unpack_from(">I", self._bitmaps, 8 + 4 * index)[0]
        return self._bitmaps[start : start + size]

    def index(self, code: int) -> int | None:
        """Return the number of the glyph of a two-byte code, or None."""
        low, high, first, last, _ = struct.unpack_from(">5H", self._encodings, 4)
        row, column = code >> 8, code & 255
        if not (first <= row <= last and low <= column <= high):
            return None
        cell = (row - first) * (high - low + 1) + column - low
        index = int(struct.unpack_from(">H", self._encodings, 14 + 2 * cell)[0])
        return None if index == 0xFFFF else index


def _to_unicode(char: str) -> int | None:
    return ord(char) if len(char) == 1 and ord(char) < 0x10000 else None


def _to_jis(char: str) -> int | None:
    """Return a character's number in JIS X 0208, which EUC-JP writes in two bytes; None if it has none."""
    try:
        code = char.encode("euc_jp")
    except UnicodeEncodeError:
        return None
    return (code[0] & 127) << 8 | code[1] & 127 if len(code) == 2 and code[0] > 160 else None


def tidy(text: str) -> str:
    """Return ``text`` for one line: accents composed, line breaks and tabs as spaces."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))


FILES = {
    SMALL: (("ter-u12n.pcf.gz", _to_unicode, 1), ("shnmk12.pcf.gz", _to_jis, 1)),
    LARGE: (("ter-u24b.pcf.gz", _to_unicode, 1), ("shnmk12.pcf.gz", _to_jis, 2)),
}
"""Files, their encodings and scales, by height: the first font that has a character draws it."""


@cache
def load_font(height: int) -> Font:
    """Return the font of a height in px, :data:`SMALL` or :data:`LARGE`."""
    return Font(*(Face(partial(_read, name), code, scale) for name, code, scale in FILES[height]))


@cache
def _read(name: str) -> Pcf:
    return Pcf(gzip.decompress((files(__package__) / "fonts" / name).read_bytes()))
