"""A box with a simulated camera, what lies under it, and the match that is played there."""

from device.match.journal import read
from device.match.library import Library
from tests.e2e.daemon_process import DaemonProcess

LONG = 180
"""Seconds to wait for a reading where other tests have the processor."""


def camera(field="", width=1280, height=960):
    """The settings of a simulated camera."""
    at = f'field = "{field}"\n' if field else ""
    return f'[[camera]]\nsource = "simulated"\nwidth = {width}\nheight = {height}\n{at}'


class Watched:
    """The box, and the table under its cameras."""

    def __init__(self, folder, settings):
        self.box = DaemonProcess(folder / "box", config=settings, simulate=True)
        self.box.state.mkdir()

    def lay(self, table):
        table.save(self.box.state / "simulated_table.json")

    def open(self, header):
        """Start the box on a match that was being played when it went off."""
        library = Library(self.box.state, simulated=True)
        library.open_match(header)
        library.referee.note("opened", channel="here")
        library.referee.wait()
        library.leave()
        self.box.start()

    def says(self, text):
        """Wait until the camera's lines on the status say so."""
        self.box.wait_for(lambda status: text in str(status["sensors"][0]), LONG)

    def records(self):
        (path,) = (self.box.state / "matches").glob("*.podesta")
        return read(path).records
