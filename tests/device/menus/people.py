"""People who decide something at the box, and look before they press."""

from tests.device.player import Player

PIN = "4711"
PASSED = 600
"""Milliseconds after which a page has been considered."""


class Person(Player):
    """A player who looks at each page before pressing OK."""

    def look(self):
        """The page is seen for a moment."""
        page = self.page
        self.ticks.now += PASSED
        return page

    def ok(self, times=1):
        for _ in range(times):
            self.look()
            super().ok()
        return self.page

    def read_on(self):
        """Through a text and on to the question after it; the text."""
        text = self.page.text
        while hasattr(self.page, "text"):
            self.ok()
        return text

    def agree(self, times=2):
        """Read what would happen, and let so many people say yes; the text."""
        text = self.read_on()
        for _ in range(times):
            self.choose("yes")
        return text

    def enter_pin(self, pin=PIN):
        """The digits, without what ends them."""
        for digit in pin:
            self.turn(int(digit) - self.page.index)
            self.ok()

    def unlock(self, pin=PIN):
        self.enter_pin(pin)
        self.turn(10 - self.page.index)
        self.ok()


def payloads(referee):
    return [record.payload for record in referee.replay.log]
