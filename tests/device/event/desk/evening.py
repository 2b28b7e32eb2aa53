"""Boxes of an event that really sign what is played at them."""

from msgspec.structs import replace

from device.event import BoxKey, make_event, read_keys, take_place
from device.match.journal import Journal
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import HEADER, drafts

WHOLE = 10**6


class EveningBox:
    """A box of the event with its state, and what was played at it."""

    def __init__(self, folder, file):
        self.state = folder
        self.place = take_place(file, folder)
        self.key = BoxKey(folder)
        self.matches = folder / "matches"
        self.matches.mkdir()

    def play(self, *names, to=WHOLE, since=0, more=(), file="m.podesta", clock=None, **ids):
        """Record a match's steps up to ``to`` and ``more``; with ``since`` in the journal that is there."""
        path, clock = self.matches / file, clock or FakeClock()
        clock.advance(since * 1000)
        ids = {"table_id": self.place.table, "event_id": self.place.event} | ids
        fields = replace(HEADER, names=names or HEADER.names).write()
        opened = (
            Journal.open(path, clock.stamp, signer=self.key)
            if since
            else Journal.create(path, fields | ids, clock.stamp, signer=self.key)
        )
        with opened as journal:
            for draft in [*drafts(to)[since:], *more]:
                journal.append([draft])
                clock.advance(1000)
        return path


class Evening:
    """An event of so many boxes, and its keys."""

    def __init__(self, folder, tables=3, name="Friday cup"):
        files = make_event(folder / name, name, tables)
        self.keys_file = folder / name / "keys.toml"
        self.keys = read_keys(self.keys_file)
        self.boxes = [EveningBox(folder / f"{name}-{at}", file) for at, file in enumerate(files, 1)]
