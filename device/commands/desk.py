"""`podesta desk`: the organiser's desk for an event of many tables.

It takes signed results of boxes in (uploaded, or from a folder or a stick), verifies each by the event's
keys, shows which tables are outstanding, and keeps what judges rule. It needs the extra ``podesta[desk]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from device.commands import CommandError, Exit
from device.commands.verify import Fault, Verdict, named, verify
from device.event import Signed, Trusted
from device.event.desk import Grounds, Vetting
from device.match import JournalError
from engines.errors import EngineError

_FAULTS = {Fault.FILE: Grounds.DAMAGED, Fault.RECORD: Grounds.DAMAGED}
_SIGNED = {
    Signed.NONE: Grounds.UNSIGNED,
    Signed.PART: Grounds.CUT,
    Signed.FOREIGN: Grounds.STRANGER,
    Signed.BAD: Grounds.SIGNATURE,
}


def vet(path: Path, keys: Mapping[str, Trusted]) -> Vetting:
    """Verify a journal as ``podesta verify --keys`` does."""
    try:
        found = verify(path, "", keys)
    except CommandError as error:
        unreadable = error.code == Exit.UNREADABLE
        return Vetting(Grounds.UNREADABLE if unreadable else Grounds.DAMAGED, "; ".join(error.reasons))
    except (JournalError, OSError) as error:
        return Vetting(Grounds.UNREADABLE, str(error))
    except (EngineError, ValueError) as error:
        return Vetting(Grounds.RULES, str(error))
    return Vetting(
        *_grounds(found),
        names=found.names,
        game=found.game,
        finished=found.finished,
        simulated=found.simulated,
        unchecked=len(found.unchecked),
        signed=found.signed,
        signer=found.signer,
        phrase=found.phrase,
    )


def _grounds(found: Verdict) -> tuple[Grounds | None, str]:
    """Return why a journal is refused, and in words; None and "" where it holds."""
    if found.failure:
        kind = (
            _SIGNED[found.signed]
            if found.failure.kind is Fault.SIGNATURE
            else _FAULTS.get(found.failure.kind)
        )
        return kind or Grounds.RULES, named(found.failure)
    if found.unfinished:
        return Grounds.DAMAGED, f"its last entry was not wholly written: {found.unfinished} bytes"
    return None, ""
