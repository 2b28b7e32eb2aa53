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

from device.sensors.readers.bench.figures import Counts, Outcome, Share, Stages, by_stage, percent, times
from device.sensors.readers.bench.folder import Camera, Place, Positive, Scene, Unreadable, look
from device.sensors.readers.bench.kept import KeptTruth, kept_file
from device.sensors.readers.bench.reading import Stopwatch, open_picture, place_of, troubles_of
from device.sensors.readers.bench.report import Each, Options, Section, line, lines, measure, table

__all__ = [
    "Camera",
    "Counts",
    "Each",
    "KeptTruth",
    "Options",
    "Outcome",
    "Place",
    "Positive",
    "Scene",
    "Section",
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
