"""A person at the box: looks at the page and presses keys."""

from device.keys import Hold, Key, Press, Turn
from device.match.replay import Header
from device.menus import READ_MS
from device.menus.ring import Ring
from device.menus.step import StepView, Sure
from device.screen import NoticePage, TextPage, text_lines
from device.screen.pixels.layout import draw
from engines.contract import Over, Setup

UNLISTED = ("not listed…", "…")


class Player:
    """Presses keys by what the lines say; every page seen on the way is also drawn."""

    def __init__(self, box, ticks):
        self.box = box
        self.ticks = ticks
        self._drawn = None

    def open(self, game="san_gimignano", names=("Adso", "William"), refereed=False, **setup):
        """Begin a match; its referee."""
        self.box.open(Header(game, names, Setup(**{"seats": len(names)} | setup), refereed=refereed))
        return self.box.library.referee

    @property
    def page(self):
        """The page, once what is told on a page of its own above it was read; before that a message."""
        while self.box.is_for_news(Press(Key.OK)) and not isinstance(self.box.page(), NoticePage):
            self._draw(self.box.page())
            self.ticks.now += READ_MS
            self.box.key(Press(Key.OK))
        page = self.box.page()
        self._draw(page)
        return page

    def _draw(self, page):
        if page != self._drawn:
            draw(page)
            self._drawn = page

    @property
    def told(self):
        """What is told now, in the page or on one of its own; empty where nothing is."""
        page = self.box.page()
        return page.text if isinstance(page, TextPage) else getattr(page, "told", "")

    @property
    def text(self):
        """All that the page says, as one text without the line breaks."""
        return " ".join(" ".join(text_lines(self.page)).split())

    @property
    def items(self):
        return list(self.page.items)

    def key(self, event):
        self.box.key(event)
        return self.page

    def turn(self, steps):
        return self.key(Turn(steps))

    def ok(self, times=1):
        """Press OK after a look, and after what is told."""
        for _ in range(times):
            self.page  # noqa: B018
            self.ticks.now += READ_MS
            self.key(Press(Key.OK))
        return self.page

    def back(self):
        return self.key(Press(Key.BACK))

    def undo(self):
        return self.key(Press(Key.UNDO))

    def menu(self):
        return self.key(Hold(Key.BACK))

    def call(self):
        return self.key(Hold(Key.CALL))

    def go(self, label):
        """Turn to the line that begins so, or to the cell, over the verb, column and row that lead to it."""
        way = self.way(label)
        assert way, f"no {label!r} in {self.items}"
        for number, at in enumerate(way):
            if number:
                self.ok()
            steps = at - self.at
            if steps:
                self.turn(steps)
        return self.page

    @property
    def at(self):
        """Where the cursor stands among all stops, those in sight or not."""
        view = self.box.stack[-1]
        return view.index if self.stops else self.page.index

    @property
    def stops(self):
        """The stops of the question asked, None where what is shown is none."""
        view = self.box.stack[-1]
        shown = isinstance(view, StepView) and not view.picker and hasattr(self.page, "items")
        return view.ring if shown and not isinstance(view.question.pending, Over) else None

    def way(self, label):
        """The stops that lead to what begins so, each in the ring of the one before."""
        if not self.stops:
            return next(((at,) for at, item in enumerate(self._items) if item.startswith(label)), ())
        found = [
            (len(way), at, way)
            for at, (way, called) in enumerate(self.called(self.stops))
            if called.startswith(label)
        ]
        return min(found, default=(0, 0, ()))[2]

    def called(self, of):
        """Every stop of a ring, also of those in it: the way to it, and what it is called."""
        view = self.box.stack[-1]
        for at, stop in enumerate(of.stops):
            yield (at,), view.label(of, at)
            if isinstance(stop, Ring):
                yield from (((at, *way), called) for way, called in self.called(stop))
            elif stop:
                yield (at,), " → ".join(map(view.words.choice, stop))

    def choose(self, *labels):
        """Turn to each line in turn and press OK on it; two that are one stop are chosen in one.

        Who is asked whether to give something up says yes. What is not listed is looked for in place, grey.
        """
        rest = list(labels)
        while rest:
            both = " → ".join(rest[:2])
            if rest[0] in UNLISTED and rest[1:] and self.way(rest[1]):
                del rest[0]
            elif len(rest) > 1 and self.stops and self.way(both):
                rest[:2] = [both]
            self.go(rest.pop(0))
            self.ok()
            if isinstance(self.box.stack[-1], Sure):
                self.go("yes")
                self.ok()
        return self.page

    @property
    def _items(self):
        return getattr(self.page, "items", ())

    def written(self):
        """Wait for the disk."""
        assert self.box.library.referee.wait(30)
        return self.page

    def read_all(self):
        """The whole text on the page, which may take several screens; OK is pressed through all of them."""
        text = self.page.text
        here = self.box.stack[-1]
        while self.box.stack[-1] is here:
            self.ok()
        return text

    def later(self, ms=10_000):
        """Time passes, messages go."""
        self.ticks.now += ms
        return self.page

    @property
    def notice(self):
        """The text of the message over the page, None without one."""
        page = self.page
        return page.text if isinstance(page, NoticePage) else None
