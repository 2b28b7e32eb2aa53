"""The parts that all pages share: the canvas and its measures, ink, the header, rows with a cursor."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace
from PIL import Image, ImageDraw

from device.screen import HeaderWords, PageHeader
from device.screen.pixels import marks
from device.screen.pixels.fit import cut, is_tall, unwrap, wrap
from device.screen.pixels.fonts import LARGE, SMALL, Font, load_font

SIZE = (128, 64)
SHIFT = 3  # px that the canvas can wander, both ways
WIDTH, HEIGHT = SIZE[0] - SHIFT, SIZE[1] - SHIFT
TOP = HEIGHT - 4 * SMALL  # of the body

MARGIN = 2  # left of all text
GUTTER = 9  # right of a list that goes on, for its arrows
_APART = 4  # px between the scores and the text before them
_HATCH = 4  # px between the dark lines over a page that is not on the disk


def clamp(index: int, last: int) -> int:
    """Return ``index`` limited to 0 to ``last``."""
    return max(0, min(index, last))


def small() -> Font:
    """Return the font of lines and prompts."""
    return load_font(SMALL)


def large() -> Font:
    """Return the font of the figure that matters."""
    return load_font(LARGE)


def draw_box(canvas: Image.Image, x: int, y: int, width: int, height: int, *, fill: bool) -> None:
    """Draw a rectangle without its corner dots, so that it looks round; filled or one dot wide."""
    pen = ImageDraw.Draw(canvas)
    right, bottom = x + width - 1, y + height - 1
    pen.rectangle((x, y, right, bottom), outline=1, fill=1 if fill else None)
    pen.point([(x, y), (right, y), (x, bottom), (right, bottom)], fill=0)


def stamp(canvas: Image.Image, x: int, y: int, sign: Image.Image, ink: int = 1) -> None:
    """Draw a sign with its upper left corner at (``x``, ``y``)."""
    canvas.paste(ink, (x, y, x + sign.width, y + sign.height), sign)


def draw_header(canvas: Image.Image, shown: PageHeader) -> None:
    """Draw the line on top."""
    draw_top(canvas, _shorten_turn(shown.left), shown, draw_signs(canvas, shown))


def _shorten_turn(left: str) -> tuple[str, ...]:
    """Return ever shorter texts on whose turn it is: with the step begun, with its verb, without a step."""
    name, colon, _ = left.partition(": ")
    verb = re.sub(r"\s\S*\d.*", "", left).rstrip(":") if colon else left
    begun = (f"{verb}…",) if verb != left else ()
    return tuple(dict.fromkeys((left, *begun, verb, name)))


def draw_top(
    canvas: Image.Image, texts: Sequence[str], shown: PageHeader, right: int, left: int = MARGIN
) -> None:
    """Write the first of ``texts`` that fits from ``left`` on beside the scores, which end at ``right``.

    If none fits, draw the scores' figures small, then the scores in two lines. If none fits then, show only
    the score of the asked player: half of the scores would look like all of them.
    """
    everybody = ((shown.right, writing) for writing in (small(), Tiny(), Stacked()))
    for scores, writing in (*everybody, (shown.own, small())):
        start = right - writing.measure(scores)
        for text in texts if scores else ():
            if left + small().measure(text) + _APART <= start:
                y = -1 + is_tall(text, scores)  # a kanji needs its upper row; its lower stands on the rule
                small().write(canvas, left, y, text)
                writing.write(canvas, start, y, scores)
                return
    text = next((text for text in texts if left + small().measure(text) <= right + 1), texts[-1])
    small().write(canvas, left, -1 + is_tall(text), cut(text, small(), right + 1 - left))


class Tiny:
    """Scores with small figures, so that many fit."""

    def measure(self, text: str) -> int:
        """Return the width of ``text``, px."""
        return sum(map(self._width, text))

    def write(self, canvas: Image.Image, x: int, y: int, text: str) -> None:
        """Write ``text`` as :meth:`Font.write` does."""
        for char in text:
            if char.isdecimal():
                stamp(canvas, x, y + 4, marks.draw_height(int(char)))
            else:
                small().write(canvas, x, y, char)
            x += self._width(char)

    @staticmethod
    def _width(char: str) -> int:
        return 4 if char.isdecimal() else 3 if char == " " else small().measure(char)


class Stacked:
    """Scores in two lines of small capitals and figures; a word without a figure, a track, is left out."""

    def measure(self, text: str) -> int:
        """Return the width of ``text``, px; that of the whole line if a sign of it cannot be drawn."""
        if not all(marks.TINY.issuperset(score.upper()) for score in self._find_scores(text)):
            return WIDTH
        return sum(width + 3 for width in self._measure_columns(text)) - 1

    def write(self, canvas: Image.Image, x: int, _: int, text: str) -> None:
        """Write ``text`` from ``x`` on, over the height of the header and its rule."""
        widths = self._measure_columns(text)
        canvas.paste(0, (x - 2, 0, x + self.measure(text), SMALL))
        for at, score in enumerate(self._find_scores(text)):
            row, column = divmod(at, len(widths))
            stamp(
                canvas,
                x + sum(width + 3 for width in widths[:column]),
                7 * row,
                marks.draw_tiny(score.upper()),
            )

    @staticmethod
    def _find_scores(text: str) -> list[str]:
        return [word for word in text.split() if word[-1:].isdecimal()]

    def _measure_columns(self, text: str) -> list[int]:
        """Return the width of each column, px."""
        drawn = [marks.draw_tiny(score.upper()).width for score in self._find_scores(text)]
        half = (len(drawn) + 1) // 2
        return [max(drawn[column::half]) for column in range(half)]


def draw_signs(canvas: Image.Image, shown: PageHeader) -> int:
    """Draw the header's rule, mark and warnings; return the right end of the rest of its line, px."""
    ImageDraw.Draw(canvas).line((0, SMALL - 1, WIDTH - 1, SMALL - 1), fill=1)
    sign = marks.draw_mark(shown.mark)
    if sign:
        stamp(canvas, WIDTH - marks.WIDTH, 1, sign)
    # The mark's place stays free, so that the scores do not jump when it comes and goes.
    right = WIDTH - marks.WIDTH - 3
    stacked = " " in shown.stamp and all(marks.TINY.issuperset(word) for word in shown.stamp.split())
    small_ones = shown.stamp.split() if stacked else []
    if small_ones:
        right = _stamp_words(canvas, right, *small_ones)
    warning = cut(f"!{shown.warning}", small(), 54) if shown.warning else ""
    for word in ("" if small_ones else shown.stamp, warning):
        if word:
            width = small().measure(word) + 3
            right -= width
            draw_box(canvas, right, 0, width, SMALL - 2, fill=True)
            small().write(canvas, right + 2, -1, word, 0)
            right -= 3
    return right


def measure_title_room(words: HeaderWords) -> int:
    """Return the px that the widest stamp leaves a title: of a simulated box, of made-up facts, of both."""
    stamped = ((True, False), (False, True), (True, True))
    heads = (PageHeader(simulated=simulated, sample=sample, words=words) for simulated, sample in stamped)
    return min(draw_signs(Image.new("1", (WIDTH, HEIGHT)), head) for head in heads) + 1 - MARGIN


def _stamp_words(canvas: Image.Image, right: int, *words: str) -> int:
    """Draw two words one over the other, a px into the body, so that the text beside them has room.

    They stand a px closer on both sides than other signs. Return the same as :func:`draw_signs`.
    """
    lines = [marks.draw_tiny(word) for word in words]
    width = max(line.width for line in lines) + 2
    left = right + 1 - width
    draw_box(canvas, left, 0, width, SMALL + 1, fill=True)
    for at, line in enumerate(lines):
        stamp(canvas, left + (width - line.width) // 2, 1 + (line.height + 1) * at, line, 0)
    return left - 2


def draw_unsaved(canvas: Image.Image, shown: PageHeader) -> None:
    """Mark a whole page as not on the disk yet: hatched, and a lit bar in place of turn and scores."""
    pen = ImageDraw.Draw(canvas)
    for x in range(SMALL, WIDTH + HEIGHT, _HATCH):
        pen.line((x, 0, x - HEIGHT, HEIGHT), fill=0)
    bar = Image.new("1", (WIDTH, SMALL))
    draw_header(bar, replace(shown, left=shown.words.saving, right="", warning=""))
    canvas.paste(1, (0, 0, WIDTH, SMALL))
    canvas.paste(0, (0, 0), bar)


def draw_lines(canvas: Image.Image, lines: Iterable[str], left: int, y: int, pitch: int = SMALL) -> int:
    """Write lines from (``left``, ``y``) down; return the top of the next line."""
    for line in lines:
        small().write(canvas, left, y, line)
        y += pitch
    return y


def fold(text: str, width: int, count: int) -> tuple[str, ...]:
    """Return a text in at most ``count`` lines, the last one cut if there are more; no lines for no text."""
    wrapped = wrap(text, small(), width) if text else ()
    if len(wrapped) <= count:
        return wrapped
    return (*wrapped[: count - 1], cut(unwrap(wrapped[count - 1 :]), small(), width)) if count else ()


def draw_rows(
    canvas: Image.Image,
    items: Sequence[str],
    index: int,
    left: int,
    top: int,
    count: int,
    grey: Collection[int] = (),
    pitch: int = SMALL,
) -> None:
    """Draw ``count`` lines of a list from (``left``, ``top``) to the right edge, the item at ``index``
    inverted.

    An item takes as many lines as it needs, that at ``index`` first; the others are drawn only if they fit
    whole. Those at ``grey`` stand in brackets, with the cursor in a frame.
    """
    last = len(items) - 1
    index = clamp(index, last)
    shown = Folded(items, WIDTH - left, grey)
    if last >= count or sum(len(shown[at]) for at in range(last + 1)) > count:
        shown = Folded(items, WIDTH - left - GUTTER, grey)
    first, behind = shown.find_in_sight(index, count)
    y = top
    for at in range(first, behind):
        item = shown.first(at, count)
        if at == index:
            draw_box(canvas, left, y + (pitch < SMALL), shown.width, pitch * len(item), fill=at not in grey)
        for line in item:
            small().write(canvas, left + MARGIN, y, line, 0 if at == index and at not in grey else 1)
            y += pitch
    draw_arrows(canvas, top, count, above=first > 0, below=behind <= last, pitch=pitch)


class Folded:
    """The items of a list, each in as many lines as it needs."""

    def __init__(self, items: Sequence[str], width: int, grey: Collection[int]) -> None:
        """Take the items of a list and the ``width`` of its rows, px."""
        self.width = width
        self._items = items
        self._grey = grey

    def __getitem__(self, at: int) -> tuple[str, ...]:
        """Return the lines of an item; all but the first are indented."""
        item = self._write_item(at)
        room = self.width - MARGIN - 1
        lines = wrap(item, small(), room)
        if len(lines) > 1:
            lines = wrap(item, small(), room - small().cell)
        return (lines[0], *(" " + line for line in lines[1:]))

    def _write_item(self, at: int) -> str:
        return f"({self._items[at]})" if at in self._grey else self._items[at]

    def whole(self, at: int, count: int) -> bool:
        """Return True if an item fits into ``count`` lines without breaking a word."""
        lines = self[at]
        return len(lines) <= count and " ".join(lines).split() == self._write_item(at).split()

    def first(self, at: int, count: int) -> tuple[str, ...]:
        """Return the first ``count`` lines of an item, the last one cut if there are more."""
        lines = self[at]
        if len(lines) <= count:
            return lines
        return (*lines[: count - 1], cut("".join(lines[count - 1 :]), small(), self.width - MARGIN - 1))

    def find_in_sight(self, index: int, count: int) -> tuple[int, int]:
        """Return the first item in ``count`` lines and the one behind the last: those around ``index`` that
        fit whole.
        """
        if not self._items:
            return 0, 0
        first, behind = index, index + 1
        room = count - len(self[index])
        above, below = True, True
        while above or below:
            if above := above and first > 0 and len(self[first - 1]) <= room:
                first -= 1
                room -= len(self[first])
            if below := below and behind < len(self._items) and len(self[behind]) <= room:
                room -= len(self[behind])
                behind += 1
        return first, behind


def draw_arrows(
    canvas: Image.Image, top: int, rows: int, *, above: bool, below: bool, pitch: int = SMALL
) -> None:
    """Draw arrows at the right edge where the list of ``rows`` rows goes on."""
    edge = 4 if rows > 1 else 1
    if above:
        stamp(canvas, WIDTH - 7, top + edge, marks.draw_arrow("up"))
    if below:
        stamp(canvas, WIDTH - 7, top + rows * pitch - 4 - edge, marks.draw_arrow("down"))
