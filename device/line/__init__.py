"""The line: text over a serial port, for home-made sensors and for steps typed by hand.

============ =============================================================================
module       what it holds
============ =============================================================================
``frames``   bytes into frames: a number, a kind, arguments, perhaps a checksum; pure
``messages`` frames into messages, and messages into frames; pure
``nodes``    the box's memory of each node: its seat, its line, its last answers
``door``     the one door of the match, in the line's words
``session``  one node's conversation with the door
``port``     bytes to and from a serial port that comes and goes
``service``  all lines of the settings: a port and a session for each
``kit``      checks for home-made nodes; the box does not load it
============ =============================================================================

``hardware/PROTOCOL.md`` describes the line for builders of nodes.
"""

from device.line.door import LineDoor, describe_event, describe_turn
from device.line.frames import FrameReader, LineFrame, encode
from device.line.messages import MessageError
from device.line.service import LineService, LineState
