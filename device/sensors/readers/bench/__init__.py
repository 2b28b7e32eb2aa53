"""The readers over a folder of pictures with truth: what is right, doubted, and wrong without a word.

=========== ==============================================================================
module      what it holds
=========== ==============================================================================
``report``  a folder's pictures through the readers, and what they came to, game by game
``folder``  what a folder holds, and the truth beside each picture
``reading`` what the games' own parts share; these are the modules ``bench`` of the readers
``figures`` shares, and how long stages take
``kept``    readings of matches, kept with what was there
=========== ==============================================================================
"""

from device.sensors.readers.bench.figures import (
    PictureOutcome,
    ReadingCounts,
    Share,
    Stages,
    by_stage,
    percent,
    times,
)
from device.sensors.readers.bench.folder import (
    FieldTruth,
    LensTruth,
    PictureWithTruth,
    Positive,
    Unreadable,
    look,
)
from device.sensors.readers.bench.kept import KeptTruth, kept_file
from device.sensors.readers.bench.reading import Stopwatch, open_picture, place_of, troubles_of
from device.sensors.readers.bench.report import Each, Options, ReportSection, line, lines, measure, table

__all__ = [
    "Each",
    "FieldTruth",
    "KeptTruth",
    "LensTruth",
    "Options",
    "PictureOutcome",
    "PictureWithTruth",
    "Positive",
    "ReadingCounts",
    "ReportSection",
    "Share",
    "Stages",
    "Stopwatch",
    "Unreadable",
    "by_stage",
    "kept_file",
    "line",
    "lines",
    "look",
    "measure",
    "open_picture",
    "percent",
    "place_of",
    "table",
    "times",
    "troubles_of",
]
