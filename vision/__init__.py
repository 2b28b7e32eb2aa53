"""A picture in, an observation with confidence out.

=================== =============================================================
module              what it holds
=================== =============================================================
``lens``            focal lengths and distortion of a calibrated camera
``calibrate``       calibration, from pictures of a printed board
``markers``         ArUco markers in a picture, measured along their sides,
                    and flaws that hide them
``pose``            a camera's place over a field, by markers that agree
``field``           a field found by its markers, and faults of these
``mast``            advice on the camera's place,
                    and towers that look alike from there
``gate``            a watch that recognises a still table
``plane``           flat things on a table, seen from above
``torres``          boards of Torres
``tray``            keshis on the tray of Marrakesh's cube tower
``scale``           weights as counts of pieces, and what these weigh
``simulated_tray``  a tower, gates and a load cell: samples, and the truth
``cards``           cards in front of a seat, or side by side
``tuscany``         regions and tiles of The Castles of Tuscany
``sheets``          markers and boards to print
``painter``         painted pictures, for the simulated camera and for tests
=================== =============================================================

This package knows no rules: candidates reach it as data.
"""
