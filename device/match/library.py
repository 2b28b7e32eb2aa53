"""The matches of one table: its state directory, the open match, the past ones.

::

    STATE/matches/20261120-195541-GAME-adso-william.podesta             one journal a match
    STATE/current                                                       the file name of the open one
    STATE/players                                                       names, the last used first
    STATE/correction                                                    a draft that nobody agreed to yet
    STATE/facts/GAME.toml                                               see :mod:`device.copy_file`
"""

from __future__ import annotations

import calendar
import errno
import logging
import os
import re
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from device.copy_file import CopyFiles
from device.files import read_file, replace_file
from device.match.clock import SystemClock
from device.match.journal import (
    Journal,
    JournalDamaged,
    JournalError,
    JournalFull,
    JournalReadOnly,
    make_journal_error,
    read,
    read_heading,
    recover,
    tell_damage,
    tell_unread,
)
from device.match.records import Signer, Stamp, is_struck
from device.match.referee import Lost, Referee
from device.match.replay import Header, Replay
from device.match.rulings import Edit, Override, parse_ruling
from device.texts import Why, quoted, said
from engines.contract import SEATS
from engines.errors import EngineError

log = logging.getLogger(__name__)

PLAYERS_KEPT = 24

BYTES_FREE = 1 << 18
"""The bytes that a disk must take before entries that it refused are sent to it again."""


class PastMatch(msgspec.Struct, frozen=True):
    """A match on the disk, from its file name: its start (``began``, s since 1970), game and players."""

    path: Path
    game: str
    players: str
    began: int = 0


class Library:
    """Matches on the disk: opening, resuming, leaving, looking back."""

    def __init__(
        self,
        state_dir: Path,
        *,
        simulated: bool = False,
        table_id: str = "",
        event_id: str = "",
        stamp: Callable[[], Stamp] | None = None,
        wake: Callable[[], None] = lambda: None,
        stall: Callable[[], None] | None = None,
        signer: Signer | None = None,
    ) -> None:
        """Open the folder of matches, or make it; raises OSError if it cannot be made.

        ``simulated`` marks every match opened. ``wake`` and ``stall`` are those of Referee, ``signer`` that
        of Journal.
        """
        self.state_dir = state_dir.absolute()
        self.simulated = simulated
        self.referee: Referee | None = None
        self.problems: list[Why] = []
        """Problems since the start that people should know: a damaged journal, refused settings."""
        self.on_change: Callable[[], None] = lambda: None
        self.copies = CopyFiles(self.state_dir)
        self._ids = {"table_id": table_id, "event_id": event_id}
        self.round = ""
        """The round of the event that a new match belongs to; empty if unknown."""
        self.stamp = stamp or SystemClock().stamp
        self.wake = wake
        self._stall = stall
        self._signer = signer
        self.matches = self.state_dir / "matches"
        try:
            self.matches.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if error.errno != errno.EROFS:  # people are told of that one; the box still starts
                raise

    def resume(self) -> Referee | None:
        """Open the match that was being played, at its last record; return it, or None.

        Faults go to :attr:`problems` and are never raised: the box starts all the same.
        """
        name = self._read_current()
        if not name or "/" in name:
            return None
        try:
            return self._make_current(self._open(self.matches / name))
        except (JournalError, EngineError, ValueError, OSError) as error:
            self._add_problem(name, tell_unread(error))
            return None

    def _read_current(self) -> str:
        try:
            return read_file(self.state_dir / "current").decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def _open(self, path: Path) -> Referee:
        try:
            journal = Journal.open(path, self.stamp, signer=self._signer)
        except JournalDamaged as broken:
            journal = recover(path, self.stamp, signer=self._signer)
            beyond = len(broken.reading.beyond)
            kept = {"count": len(journal.records), "file": journal.path.name, "beyond": beyond}
            key = "unread.recovered_beyond" if beyond else "unread.recovered"
            self._add_problem(path.name, said(key, detail=broken.damage.why, **kept))
        if journal.cut:
            self._add_problem(path.name, said("unread.cut", count=journal.cut))
        referee = self._make_referee(journal)
        made_under = journal.header.get("rules_version", "")
        known = referee.replay.game.played_by(referee.replay.header.setup)
        if made_under != str(known):
            self._add_problem(path.name, said("unread.rules", made=made_under, plays=str(known)))
        if drift := referee.replay.drift:
            self._add_problem(path.name, said("unread.drift", record=drift))
        header = referee.replay.header
        for what in self.copies.unlike(header.game, header.setup):
            self._add_problem(path.name, said("unread.copy", detail=quoted(what)))
        records = referee.replay.log
        if records and not referee.replay.over and records[-1].boot_id != self.stamp().boot_id:
            # The players' clock measures within one boot: this record restarts it.
            referee.note("went on after a restart", channel="box")
        return referee

    def _add_problem(self, name: str, why: Why) -> None:
        self.problems.append(said("status.part", part=name, how=why))
        log.error("%s: %s", name, why)

    def open_match(self, header: Header) -> Referee:
        """Start a match and make it the current one.

        If the header has no facts of the copy, it gets the known ones of the copy here. Raises JournalError
        or EngineError; then nothing has changed, and the open match goes on.
        """
        self._check_recorded()
        setup, file = header.setup, self.copies.of(header.game)
        if file and not setup.facts:
            setup = file.settled(setup)
        header = msgspec.structs.replace(header, simulated=self.simulated, setup=setup)
        Replay(header.write(), ())
        moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime(self.stamp().utc_ms / 1000))
        slug = "-".join(_make_slug(name) for name in header.names)
        stem = f"{moment}-{header.game}-{slug}"
        path = self.matches / f"{stem}.podesta"
        again = 1
        while path.exists():
            again += 1
            path = self.matches / f"{stem}-{again}.podesta"
        ids = {name: text for name, text in (self._ids | {"round": self.round}).items() if text}
        journal = Journal.create(path, header.write() | ids, self.stamp, signer=self._signer)
        try:
            referee = self._make_current(self._make_referee(journal))
        except BaseException:
            path.unlink(missing_ok=True)  # nothing is recorded in it
            raise
        known = dict.fromkeys((*header.names, *self.list_names()))
        self._write("players", "\n".join([*known][:PLAYERS_KEPT]))
        return referee

    def check_copies(self) -> None:
        """Add every fault of the facts files, with its line, to :attr:`problems`."""
        for problem in self.copies.problems():
            log.error("%s", problem)
            self.problems.append(said("unread.settings", detail=quoted(problem)))

    def _make_referee(self, journal: Journal) -> Referee:
        try:
            return Referee(
                journal,
                stamp=self.stamp,
                wake=self._wake,
                on_change=self._tell_change,
                stall=self._stall,
            )
        except BaseException:
            journal.close()
            raise

    def _make_current(self, referee: Referee) -> Referee:
        """Make this the open match, and leave the one before.

        Raises JournalError if the disk cannot keep which match is open: a restart would not find it.
        """
        path, name = self.state_dir / "current", Path(referee.path).name
        try:
            if self._read_current() != name:
                replace_file(path, f"{name}\n".encode())
        except OSError as error:
            referee.close()
            raise make_journal_error(path, error) from error
        self.leave()
        self.referee = referee
        self.on_change()
        return referee

    def _check_recorded(self) -> None:
        """Raise JournalError if the open match has entries that did not reach the disk."""
        referee = self.referee
        if referee and (not referee.wait() or referee.lost):
            raise JournalError(said("stopped.unsettled"))

    # The owner may set both callbacks later.

    def _wake(self) -> None:
        self.wake()

    def _tell_change(self) -> None:
        self.on_change()

    def leave(self) -> None:
        """Close the match; its journal stays as it is and can be continued."""
        referee, self.referee = self.referee, None
        if referee:
            referee.close()

    def forget(self) -> None:
        """Forget a match whose end people have seen: the next start shows home, not its result."""
        with suppress(OSError):  # the next start then shows the result once more
            (self.state_dir / "current").unlink(missing_ok=True)

    @property
    def refused(self) -> Lost | None:
        """The entries that a full or read-only disk did not take, or None."""
        lost = self.referee.lost if self.referee else None
        return lost if lost and isinstance(lost.why, JournalFull | JournalReadOnly) else None

    def takes_files(self) -> bool:
        """Return True if the disk takes :data:`BYTES_FREE` bytes, an evening's entries; waits for it."""
        try:
            with tempfile.NamedTemporaryFile(dir=self.matches, prefix=".room-") as file:
                file.write(bytes(BYTES_FREE))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return False
        return True

    def list_past(self) -> list[PastMatch]:
        """List the matches on the disk, the latest first, by their file names alone.

        For a damaged match it has only the recovered file.
        """
        found = {}
        for path in sorted(self.matches.glob("*.podesta")):
            name = r"((\d{8}-\d{6})-([a-z_]+)-(.+?))(?:\.r\d+)?"
            if parts := re.fullmatch(name, path.stem):
                match, opened, game, players = parts.groups()
                with suppress(ValueError):  # no such day
                    began = calendar.timegm(time.strptime(opened, "%Y%m%d-%H%M%S"))
                    found[match] = PastMatch(path, game, players, began)
        return [found[match] for match in sorted(found, reverse=True)]

    def find_open(self, past: PastMatch) -> Referee | None:
        """Return the open match if it is this one."""
        return self.referee if self.referee and self.referee.path == str(past.path) else None

    def look_at(self, past: PastMatch) -> Replay:
        """Replay a match to look at, even the open one; raises JournalError, EngineError or ValueError."""
        referee = self.find_open(past)
        return referee.replay if referee else replay_file(past.path)

    def continue_match(self, past: PastMatch) -> Referee:
        """Make a past match the current one.

        Raises JournalError, EngineError or ValueError; the open match goes on then.
        """
        if referee := self.find_open(past):
            return referee
        self._check_recorded()
        return self._make_current(self._open(past.path))

    def list_names(self) -> list[str]:
        """Return the names used before, the last used first."""
        try:
            lines = read_file(self.state_dir / "players").decode("utf-8", "replace").splitlines()
        except OSError:
            return []
        return [line for line in lines if line][:PLAYERS_KEPT]

    def strike(self, name: str) -> None:
        """Remove a name, whatever its capitals, from those that a new match offers. Raises OSError."""
        players = [one for one in self.list_names() if one.casefold() != name.casefold()]
        replace_file(self.state_dir / "players", "".join(f"{one}\n" for one in players).encode())

    def find_last_asked(self, game: str = "") -> Header | None:
        """Return the set-up of the last match here, of this game or of any; None if there was none, or if a
        name was struck from it.
        """
        last = next((one for one in self.list_past() if game in ("", one.game)), None)
        fields = read_heading(last.path) if last else {}
        try:
            return None if any(is_struck(fields, seat) for seat in SEATS) else Header.read(fields).asked
        except ValueError:  # also for a set-up from another version
            return None

    def keep_correction(self, edits: Iterable[Edit | Override]) -> None:
        """Keep a correction of the open match that nobody agreed to yet; without edits forget it."""
        lines = [*map(str, edits)]
        if lines and self.referee:
            self._write("correction", "\n".join([Path(self.referee.path).name, *lines]))
            return
        with suppress(OSError):
            (self.state_dir / "correction").unlink(missing_ok=True)

    def read_correction(self) -> list[Edit | Override]:
        """Return the edits of the correction kept for the open match, or none."""
        try:
            name, *lines = read_file(self.state_dir / "correction").decode().splitlines()
            edits = [parse_ruling(line) for line in lines]
        except (OSError, ValueError):
            return []
        ours = self.referee and name == Path(self.referee.path).name
        return [one for one in edits if ours and isinstance(one, Edit | Override)]

    def _write(self, name: str, text: str) -> None:
        """Replace a small file whole; a disk that refuses costs a convenience, never a match."""
        path = self.state_dir / name
        try:
            replace_file(path, f"{text}\n".encode())
        except OSError as error:
            log.error("%s: %s", path, error)


def replay_file(path: Path) -> Replay:
    """Replay a match on the disk as far as it can be read; raises JournalError, EngineError or ValueError."""
    reading = read(path)
    if reading.damage and not reading.records:
        raise JournalError(tell_damage(reading.damage))
    return Replay(reading.header, reading.records)


def _make_slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_") or "x"
