"""The readers over a folder of pictures with truth: what is right, doubted, and wrong without a word.

=========== ==============================================================================
module      what it holds
=========== ==============================================================================
``report``  a folder's pictures through the readers, and what they came to
``folder``  what a folder holds, and the truth beside each picture
``section`` what the pictures of one game came to
``reading`` what the games' own parts share; these are the modules ``bench`` of the readers
``figures`` shares, and how long stages take
=========== ==============================================================================
"""

from device.sensors.readers.bench.report import measure, table
from device.sensors.readers.bench.section import Options

__all__ = ["Options", "measure", "table"]
