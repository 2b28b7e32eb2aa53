"""A picture or a weight in, an observation with confidence out.

Nothing here knows rules: candidates reach it as data, and what it returns is an
:class:`engines.observation.Observation`. The readers arrive with the camera; until then the line is the
only sensor (see ``hardware/PROTOCOL.md``, message kind *reading*).
"""
