"""Settling: from a converter's samples to milligrams at rest and the cell's health.

A sample goes through a median of three, which removes single wild ones. The load **rests** when the samples
of the last 0.7 s lie close together without a drift. It moves again when those of the last 0.15 s all lie
above it or all below; a bump swings to both sides and back, so it does not count. Zero is the weight of an
empty tray: it is taken when it is unknown, and follows slowly while the tray is empty.

>>> settling = Settling(mg_per_count(500, 1.0))
>>> for number in range(70):
...     settling.feed(400_000 + number * number % 7, number * 25 // 2)
>>> for number in range(70, 140):
...     settling.feed(410_000 + number * number % 7, number * 25 // 2)
>>> settling.state, settling.mg
('rest', 2328)
"""

REST_MS = 700
"""The time for which a load must be still to rest. Pieces of one throw fall closer together."""

SPAN_MG = 250
"""The span of the samples of a load at rest: less than half of the lightest piece."""

DRIFT_MG = 40
"""The most by which the two halves of a load at rest may differ."""

STEP_MG = 150
"""A load that changes by more is moving."""

STEP_MS = 150
"""A shorter change is half a swing of a bump."""

BUMP_MS = 1500
"""Shaking that lasts longer is no bump."""

EMPTY_MG = 100
"""A load at rest below this is an empty tray, and its weight is drift of the zero."""

DROP_MG = 400
"""A load at rest down to this far below zero is drift too, less than any piece; further below, a fault."""

TRACK_MS = 10_000
"""The time constant with which the zero follows an empty tray."""

DRIFT_SD_MG = 1.0
"""The doubt that a minute adds to a zero that cannot be followed, which only an empty tray can correct."""

UNEASY_MS = 4000
"""A load that has not come to rest for this long is held by a hand, or shaken."""

HAND_MG = 300
"""A load that wanders by more within 2 s is held by a hand; one that stays in place is only noisy."""

GONE_MS = 1000
"""The time without a sample after which the cell is gone."""

LOOK = 64
"""The number of samples that give noise, rate and different values."""

LEAST = 6
"""The fewest samples that can show rest."""

FULL_SCALE = 8388607

END = 8_300_000
"""A sample beyond this is saturated: the converter subtracts its own offset, so its end may lie there."""


def mg_per_count(capacity_g: float, mv_per_v: float, gain: int = 128) -> float:
    """Return the weight of one count in mg, by the data sheets of cell and converter.

    Both are fed by the same voltage U: the cell gives ``mv_per_v`` × U at its capacity, and the NAU7802 and
    the HX711 reach their ends at ± U / 2 / ``gain``.
    """
    return capacity_g * 1000 / (mv_per_v / 1000 * 2 * gain * (FULL_SCALE + 1))


class Settling:
    """The load on one cell.

    ``mg`` is the load and ``sd_mg`` its standard deviation, ``state`` is ``rest`` or ``moving``, ``rests``
    counts how often it came to rest. ``health`` is the worst fault: ``cell-gone``, ``saturated``,
    ``reversed``, ``lifted``, ``hand``, ``noisy``, else ``ok``. ``zero`` is in counts, None until taken.
    """

    def __init__(
        self,
        count_mg: float,
        *,
        tray_mg: int = 150_000,
        most_mg: int = 60_000,
        zero: "float | None" = None,
        zero_sd_mg: float = 0.0,
    ):
        """Start moving; ``count_mg`` is the nominal weight of a count, ``tray_mg`` that of the empty tray.

        ``most_mg`` is more than the tray can ever hold. ``zero`` was kept from before, with the deviation
        ``zero_sd_mg``.
        """
        self.mg = 0
        self.sd_mg = 0
        self.state = "moving"
        self.rests = 0
        self.health = "ok"
        self.zero = zero
        self._zero_sd = zero_sd_mg
        self._zero_ms = 0
        self._scale = count_mg
        self._tray = tray_mg
        self._most = most_mg
        self._last_ms = 0
        self._begin(0)

    def feed(self, raw: "int | None", ms: int) -> None:
        """Take the next sample, or None without one; ``ms`` never wraps."""
        if raw is None:
            if ms - self._last_ms >= GONE_MS:
                self._begin(ms)
                self.health = "cell-gone"
            return
        if not self._raws:
            self._begin(ms)
        self._last_ms = ms
        self._raws.append(raw)
        self._times.append(ms)
        if len(self._raws) > LOOK:
            self._raws.pop(0)
            self._times.pop(0)
        if self._is_saturated():
            self._window.clear()
            self._begin_ms = ms
        latest = sorted(self._raws[-3:])
        self._window.append((ms, latest[len(latest) // 2]))
        while self._window[0][0] <= ms - REST_MS:
            self._window.pop(0)
        self._settle(ms)
        self.health = self._judge(ms)

    def tare(self) -> None:
        """Take the load at its next rest as zero."""
        self.zero = None
        self._move(self._last_ms)

    @property
    def noise_mg(self) -> float:
        """The standard deviation of one sample; steps and slow changes do not count."""
        raws = self._raws
        steps = sorted([abs(raws[i] - raws[i - 1]) for i in range(1, len(raws))])
        # The median step of white noise is 0.954 of its standard deviation.
        return 1.048 * steps[len(steps) // 2] * self._scale if steps else 0.0

    @property
    def rate(self) -> float:
        """Samples a second, as they come."""
        if len(self._times) < 2:
            return 0.0
        return (len(self._times) - 1) * 1000 / max(1, self._times[-1] - self._times[0])

    @property
    def unique(self) -> int:
        """The number of different values among the last 64: few mean that the converter hangs."""
        return len(set(self._raws))

    def _begin(self, ms: int) -> None:
        self._raws: list[int] = []
        self._times: list[int] = []
        self._window: list[tuple[int, int]] = []
        self._means: list[float] = []  # of each half second
        self._means_ms = ms
        self._begin_ms = ms
        self._still_ms = ms
        self._move(ms)

    def _move(self, ms: int) -> None:
        self.state = "moving"
        self._moves_ms = ms

    def _settle(self, ms: int) -> None:
        values = [value for _, value in self._window]
        half = len(values) // 2
        count = len(values) - half
        late = sum(values[half:]) / count
        early = sum(values[:half]) / half if half else late
        mean = sum(values) / len(values)
        if ms - self._means_ms >= 500:
            self._means_ms = ms
            self._means = self._means[-3:] + [mean * self._scale]
        span = max(values) - min(values)
        still = (
            ms - self._begin_ms >= REST_MS
            and len(values) >= LEAST
            and 0 < span <= SPAN_MG / self._scale  # a converter that hangs gives 0
            and abs(late - early) <= DRIFT_MG / self._scale
        )
        if still:
            self._still_ms = ms
            spread = sum([(value - mean) ** 2 for value in values]) / len(values)
            sd = max((spread / len(values)) ** 0.5, abs(late - early) / 2) * self._scale
            self._rest(mean, sd, ms)
        elif self.state == "rest":
            recent = [self._load(value) - self.mg for at, value in self._window if at > ms - STEP_MS]
            if min(recent) > STEP_MG or max(recent) < -STEP_MG or ms - self._still_ms > BUMP_MS:
                self._move(ms)
        if self.state == "moving":
            self.mg = round(self._load(values[-1]))
            self.sd_mg = round(span * self._scale)

    def _rest(self, mean: float, sd: float, ms: int) -> None:
        if self.state == "moving":
            self.state = "rest"
            self.rests += 1
        load = self._load(mean)
        if self.zero is None:
            self._take_zero(mean, sd, ms)
        elif -DROP_MG <= load <= EMPTY_MG and ms - self._zero_ms >= 1000:
            # Once a second: smaller steps would be lost in a Pico's single precision.
            follow = min(1.0, (ms - self._zero_ms) / TRACK_MS)
            self._take_zero(mean - load / self._scale * (1 - follow), sd, ms)
        drift = DRIFT_SD_MG * (ms - self._zero_ms) / 60_000
        self.mg = round(self._load(mean))
        self.sd_mg = max(1, round((sd * sd + self._zero_sd**2 + drift * drift) ** 0.5))

    def _take_zero(self, zero: float, sd: float, ms: int) -> None:
        self.zero = zero
        self._zero_sd = sd
        self._zero_ms = ms

    def _load(self, value: float) -> float:
        return 0.0 if self.zero is None else (value - self.zero) * self._scale

    def _is_saturated(self) -> bool:
        return min([abs(raw) for raw in self._raws[-3:]]) >= END

    def _hangs(self) -> bool:
        return len(self._raws) == LOOK and self.unique == 1

    def _judge(self, ms: int) -> str:
        if self._is_saturated() or self._hangs():
            self._means = []
            self._move(ms)
            return "saturated" if self._is_saturated() else "cell-gone"
        if self.state == "rest":
            if self._window[-1][1] * self._scale < -self._tray / 2:
                return "reversed"  # the cell feels less than without any tray
            if self.mg < -DROP_MG:
                return "lifted" if self.mg < -self._tray / 2 else "reversed"
            return "hand" if self.mg > self._most else "ok"
        if ms - self._moves_ms < UNEASY_MS:
            # A fault holds until it is known to be over.
            return self.health if self.health in ("hand", "noisy", "lifted", "reversed") else "ok"
        wanders = max(self._means) - min(self._means)  # one mean each half second, so there are some
        return "hand" if wanders > HAND_MG or self.mg > self._most else "noisy"
