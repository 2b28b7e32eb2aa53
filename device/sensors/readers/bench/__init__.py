"""The readers over a folder of pictures with truth: what is right, doubted, and wrong without a word.

=========== ==============================================================================
module      what it holds
=========== ==============================================================================
``report``  a folder's pictures through the readers, and what they came to
``folder``  what a folder holds, and the truth beside each picture
``reading`` the readers in use, with what a match may know
``figures`` readings beside the truth
=========== ==============================================================================
"""

from device.sensors.readers.bench.reading import CameraReaders
from device.sensors.readers.bench.report import measure, table

__all__ = ["CameraReaders", "measure", "table"]
