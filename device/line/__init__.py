"""The line: sensors people build themselves, and steps typed by hand, as text over a serial port.

Bytes come in at :mod:`~device.line.port`, become frames in :mod:`~device.line.frames`, messages in
:mod:`~device.line.messages` and a conversation with the referee in :mod:`~device.line.session`;
:mod:`~device.line.service` joins them for every line in the config. ``hardware/PROTOCOL.md`` is the same
for whoever builds the far end.
"""
