"""A clock moved by hand."""

from device.match.records import Stamp


class FakeClock:
    """A clock that moves only when told; times in milliseconds."""

    def __init__(self, utc_ms: int = 1_700_000_000_000, mono_ms: int = 0) -> None:
        """Set the hands; the first boot is ``fake-1``."""
        self.utc_ms = utc_ms
        self.mono_ms = mono_ms
        self.boots = 1

    def advance(self, ms: int) -> None:
        """Let time pass on both clocks."""
        self.utc_ms += ms
        self.mono_ms += ms

    def set_utc(self, utc_ms: int) -> None:
        """Set the wall clock alone, as a time server does."""
        self.utc_ms = utc_ms

    def reboot(self) -> None:
        """Start again: a new boot id, and ``mono_ms`` from 0."""
        self.boots += 1
        self.mono_ms = 0

    def stamp(self) -> Stamp:
        """The moment the hands show."""
        return Stamp(self.utc_ms, self.mono_ms, f"fake-{self.boots}")
