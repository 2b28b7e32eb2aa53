"""The pictures behind readings, kept beside the journal: on this machine only, and not too many.

::

    STATE/pictures/20261120-195541-GAME-adso-william/17.jpg     what record 17 of that match was read from

A record holds the digest of its picture: :func:`device.match.records.evidence_matches` tells whether a
file is the one. A picture that is gone, because there were too many, leaves the record as good as it was.
"""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from typing import Final

from device.files import replace_file

log = logging.getLogger(__name__)

MB: Final = 1_000_000


class Pictures:
    """At most ``keep`` pictures and ``keep_mb`` megabytes of them; the oldest go first."""

    def __init__(self, folder: Path, keep: int, keep_mb: int) -> None:
        """With either at 0 none is kept."""
        self._folder = folder
        self._keep, self._most = keep, keep_mb * MB

    def put(self, match: str, record: int, jpeg: bytes) -> Path | None:
        """Keep the picture of a record; where it went, None where it was not kept.

        A disk that is full costs a picture, never the match.
        """
        if not self._keep or len(jpeg) > self._most or not jpeg:
            return None
        path = self._folder / match / f"{record}.jpg"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, jpeg)
            self._clear()
        except OSError as error:
            log.error("picture of record %d not kept: %s", record, error)
            return None
        return path

    def _clear(self) -> None:
        """Delete the oldest until what is left is few and small enough."""
        kept = sorted((file.stat().st_mtime_ns, file, file.stat().st_size) for file in self._all())
        number, size = len(kept), sum(each for _, _, each in kept)
        for _, file, each in kept:
            if number <= self._keep and size <= self._most:
                break
            file.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                file.parent.rmdir()  # goes only when it is empty
            number, size = number - 1, size - each

    def _all(self) -> list[Path]:
        return [file for file in self._folder.glob("*/*.jpg") if file.stem.isdecimal()]
