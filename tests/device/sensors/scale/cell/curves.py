"""What a cell feels, sample by sample, for tests under Python and under MicroPython."""

SCALE = 0.25
"""Milligrams a count."""

TRAY_MG = 150_000


class Cell:
    """A cell that feeds ``settling``: 80 samples a second, noise of one sample ``noise`` mg."""

    def __init__(self, settling, *, rate=80, noise=8.0, sign=1, ms=0):
        self.settling = settling
        self.rate = rate
        self.noise = noise
        self.sign = sign
        self.ms = ms
        self.rested = []  # (ms, mg) of each rest
        self._state = 12345
        self._count = 0

    def white(self):
        """Noise of standard deviation 1, the same everywhere: twelve uniform numbers, Irwin and Hall."""
        total = 0.0
        for _ in range(12):
            self._state = (self._state * 1103515245 + 12345) % 2147483648
            total += self._state / 2147483648
        return total - 6

    def raw(self, mg):
        return self.sign * round((TRAY_MG + mg + self.noise * self.white()) / SCALE)

    def sample(self, mg):
        """One sample of a load of ``mg``."""
        self.feed(self.raw(mg))

    def feed(self, raw):
        self._count += 1
        self.ms += 1000 // self.rate if self.rate != 80 else 12 + self._count % 2
        before = self.settling.rests
        self.settling.feed(raw, self.ms)
        if self.settling.rests > before:
            self.rested.append((self.ms, self.settling.mg))

    def hold(self, mg, seconds):
        """A load for a while, a number or a function of the seconds since it began."""
        begin = self.ms
        while self.ms < begin + seconds * 1000:
            self.sample(mg((self.ms - begin) / 1000) if callable(mg) else mg)
        return self
