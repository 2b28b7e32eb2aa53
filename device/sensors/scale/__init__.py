"""The scale under the cube tower's tray: how many pieces lie there (numpy).

=============== ==========================================================================
module          what it holds
=============== ==========================================================================
``weighing``    the judgement of a scale's messages: no input or output
``sources``     sources of its messages: a node, a converter on the box's pins, a simulated one
``cell``        drivers and settling: files that run on a Pico too
=============== ==========================================================================

The weight of this copy's pieces on this scale is learnt from pieces counted in, and kept in a small file::

    STATE/sensors/scale/line-tray-1.json     of the scale with the source line:tray-1

The file is written by `podesta tray calibrate` and by every count that people confirm, whole or not at all.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from device.sensors.door import BEAT_S, Checked, Door
from device.sensors.learnt import Kept, LearntError
from device.sensors.messages import Beat, Troubles
from device.sensors.scale.sources import NoTable, OnPins, WeighedConverter, WeighingSource, open_source
from device.sensors.scale.weighing import Weighing
from device.sensors.simulated_table import TableError
from device.settings import SIMULATED, Scale
from device.telemetry import Weight
from device.texts import Why, cause_of, said
from vision.scale import ENOUGH, Contradiction, PieceCalibration

LEAST_MG: Final = 100
"""A smaller change counts as none: half of the lightest piece."""

RestOutcome = Literal["empty", "laid", "same", "taken", "not one"]


def run(scale: Scale, door: Door) -> None:
    """Weigh until the box is gone. An unusable calibration is a trouble, and is learnt again in play."""
    try:
        source = open_source(scale, door)
    except NoTable:
        door.away("scale.no_table")
        while True:
            door.wait(BEAT_S)
    simulated = scale.source == SIMULATED

    def mark(one: Why) -> Why:
        return said("scale.simulated", says=one) if simulated else one

    file: Troubles = ()
    try:
        kept = load(door.folder, scale.source)
    except LearntError as error:
        kept, file = PieceCalibration(), (cause_of(error),)
    weighing = Weighing(scale.under, kept)
    while True:
        try:
            messages = source.messages()
        except TableError as error:
            door.how(Beat(troubles=(said("scale.simulated", says=cause_of(error)),)))
            door.wait(BEAT_S)
            continue
        read = weighing.look(door.expected, messages, time.monotonic_ns() // 1_000_000)
        if read:
            door.reading(scale.under, *read)
        if weighing.calibration is not kept:
            kept, file = weighing.calibration, ()
            try:
                save(door.folder, scale.source, kept)
            except OSError as error:  # it still holds in memory
                file = (said("scale.unsaved", why=cause_of(error)),)
        troubles = (*filter(None, [weighing.trouble]), *file)
        door.how(Beat(mark(weighing.says), tuple(map(mark, troubles))))


def check(scale: Scale, folder: Path) -> Iterator[Checked]:
    """Yield checks that a running box allows: of the bus and of the calibration."""
    name = f"scale {scale.source}"
    if scale.source == "nau7802":
        bus = Path(f"/dev/i2c-{scale.bus}")
        there = bus.exists()
        detail = "is there" if there else "is not there (is I2C switched on?)"
        yield Checked("ok" if there else "fail", name, f"{bus} {detail}")
    try:
        found = load(folder, scale.source)
    except LearntError as error:
        yield Checked("fail", name, str(error))
        return
    detail = f"{found.pieces} of {ENOUGH} pieces weighed: podesta tray calibrate, or play on and enter throws"
    if found.enough:
        detail = f"{found.pieces} pieces weighed, {found.mean_mg:.0f} mg each ± {100 * found.error:.1f} %"
    yield Checked("ok" if found.enough else "warn", name, detail)


# The weight of a piece


class Calibrating:
    """A calibration that learns from weights at rest, as pieces are laid on one after the other; the first
    must be the empty tray's.

    >>> calibrating = Calibrating(PieceCalibration())
    >>> [calibrating.rests(Weight(mg, 4, rests=True)) for mg in (12, 552, 1096, 1098)]
    ['empty', 'laid', 'laid', 'same']
    >>> calibrating.calibration.pieces
    2
    """

    def __init__(self, calibration: PieceCalibration) -> None:
        """Start from the known ``calibration``."""
        self.calibration = calibration
        self._empty: Weight | None = None
        self._last: Weight | None = None

    def rests(self, weight: Weight, pieces: int = 1) -> RestOutcome:
        """Take the next weight at rest; ``pieces`` is the number of pieces laid on, if any.

        ``taken``: the weight is less than before, which teaches nothing. ``not one``: it cannot be so many
        pieces. The next change counts from this weight.
        """
        last, self._last = self._last, weight
        if last is None:
            self._empty = weight
            return "empty"
        more = weight.mg - last.mg
        if abs(more) < LEAST_MG:
            self._last = last
            return "same"
        if more < 0:
            return "taken"
        # Only its own errors: if they were given too large, the pieces would seem to vary less than they do.
        error = math.hypot(last.sd_mg, weight.sd_mg)
        try:
            self.calibration = self.calibration.confirmed(more, pieces, error)
        except Contradiction:
            return "not one"
        return "laid"

    def learn_known(self, weight: Weight, grams: float) -> None:
        """Take a known weight that lies there alone; raises ValueError if no cell can be so wrong."""
        felt = weight.mg - (self._empty.mg if self._empty else 0)
        self.calibration = self.calibration.weighted(felt, grams * 1000)


class KeptCalibration(Kept, frozen=True):
    """A calibration, the ``source`` of its scale in the settings, and the day it last changed (``made``).

    Raises ValueError for impossible values.
    """

    broken = "scale.broken"
    source: str
    made: str
    calibration: PieceCalibration

    def __post_init__(self) -> None:
        one = self.calibration
        guesses = (one.spreads, one.chances, one.means, one.errors)
        if not one.spreads or len({len(each) for each in guesses}) > 1:
            raise ValueError("its guesses are not of one length")
        if not all(math.isfinite(value) for each in guesses for value in each):
            raise ValueError("a guess is no number")
        if min(one.means) <= 0 or min(one.errors) < 0 or min(one.spreads) < 0 or min(one.chances) < 0:
            raise ValueError("a mass, a spread or a chance is negative")
        if not math.isclose(sum(one.chances), 1.0, abs_tol=1e-6):
            raise ValueError("its chances do not sum to 1")
        if one.pieces < 0 or (one.gain is not None and not 0 < one.gain < math.inf):
            raise ValueError("its pieces or its gain cannot be")


def find_file(folder: Path, source: str) -> Path:
    """Return a scale's file, by its source in the settings."""
    return folder / f"{source.replace(':', '-')}.json"


def load(folder: Path, source: str) -> PieceCalibration:
    """Return the calibration for the scale ``source``, an empty one if it has no file.

    Raises :class:`.LearntError` for a file that cannot be read or holds impossible values.
    """
    kept = KeptCalibration.read(find_file(folder, source))
    return kept.calibration if kept else PieceCalibration()


def save(folder: Path, source: str, calibration: PieceCalibration) -> Path:
    """Replace the kept calibration; return its file. Raises OSError if it cannot be written."""
    today = datetime.now(UTC).date().isoformat()
    return KeptCalibration(source, today, calibration).keep(find_file(folder, source))
