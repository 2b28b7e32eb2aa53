"""The camera: where pictures come from, a child process that reads them, and what becomes of a reading.

=============== =============================================================
module          what it holds
=============== =============================================================
``frames``      a picture with its time, and what a source of them is
``sources``     which source the settings name
``picamera``    a Raspberry Pi's camera, everything that adapts by itself locked
``usb``         a USB camera
``folder``      a folder of pictures, or a video, played as a camera
``simulated``   a camera that paints a table which only exists here
=============== =============================================================

OpenCV and numpy are imported in the child process only, never in the daemon.
"""
