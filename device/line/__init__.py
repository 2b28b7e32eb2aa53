"""The line: sensors people build themselves, and steps typed by hand, as text over a serial port.

============ =============================================================================
module       what it holds
============ =============================================================================
``frames``   bytes into frames: a number, a kind, arguments, perhaps a checksum; pure
``messages`` frames into messages, and messages into frames; pure
``nodes``    what the box remembers of each node: its seat, its line, its last answers
``door``     the one door of the match, in the line's words
``session``  one node's conversation with the door
``port``     bytes to and from a serial port that comes and goes
``service``  all lines of the config: a port and a session for each
``kit``      a check of home-made nodes, for whoever builds one; not loaded by the box
``simulate`` a line without hardware: two pseudo-terminals and a cable
============ =============================================================================

``hardware/PROTOCOL.md`` is the same for whoever builds the far end.
"""

from device.line.door import LineDoor, following, opening, turn
from device.line.frames import FrameReader, LineFrame, encode
from device.line.messages import MessageError, nearest
from device.line.service import LineService, LineState
from device.line.simulate import SimulatedLine
