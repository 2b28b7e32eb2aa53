"""A person at the box: looks at the page and presses keys."""

from __future__ import annotations

from device.keys.events import Hold, Key, Press, Turn
from device.screen import text_lines
from device.screen.pages import NoticePage
from device.screen.pixels.layout import draw


class Player:
    """Presses keys by what the lines say; every page seen on the way is also drawn."""

    def __init__(self, box, ticks):
        self.box = box
        self.ticks = ticks

    @property
    def page(self):
        page = self.box.page()
        draw(page)
        return page

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
        for _ in range(times):
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
        """Turn to the line that begins so."""
        found = [at for at, item in enumerate(self.items) if item.startswith(label)]
        assert found, f"no {label!r} in {self.items}"
        steps = found[0] - self.page.index
        if steps:
            self.turn(steps)
        return self.page

    def choose(self, *labels):
        """Turn to each line in turn and press OK on it; two that are one line are chosen in one.

        What stands there only together with its answers is reached over what is not listed.
        """
        rest = list(labels)
        while rest:
            if len(rest) > 1 and any(item.startswith(" ".join(rest[:2])) for item in self._items):
                self.go(" ".join(rest[:2]))
                del rest[:2]
            else:
                if rest[0] in self.opened:
                    self.turn(self.box.stack[-1].ring.stops.index(()) - self.page.index)
                    self.ok()
                self.go(rest.pop(0))
            self.ok()
        return self.page

    @property
    def opened(self):
        """What stands in the list only together with its answers."""
        view = self.box.stack[-1]
        ring = getattr(view, "ring", None)
        return [view.words.choice(choice) for choice in ring.opened] if ring else []

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
