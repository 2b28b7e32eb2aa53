"""A camera's process: ``python -m device.sensors.process.worker``, with a camera's first line on its input.

============ =============================================================================
module       what it holds
============ =============================================================================
``worker``   pictures in, readings out
``watching`` when to read, and when a reading counts
``bounds``   what a reading may cost
============ =============================================================================
"""
