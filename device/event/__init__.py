"""Many tables: what lets an organiser trust and gather the results of boxes that nobody watched.

================ =========================================================================
module           what it holds
================ =========================================================================
``signing``      a box's key, and what it signs: every group of a journal, over the chain of hashes
``provision``    a file for each box of an event: its table, its key, the judge's PIN
================ =========================================================================

Nothing of the box imports this room but the daemon, which signs, and the commands that look at signatures.
"""

from __future__ import annotations

from device.event.provision import Place, ProvisionError, place, plan, take
from device.event.signing import BoxKey, KeyFileError, Signatures, Signed, read_keys, signatures

__all__ = [
    "BoxKey",
    "KeyFileError",
    "Place",
    "ProvisionError",
    "Signatures",
    "Signed",
    "place",
    "plan",
    "read_keys",
    "signatures",
    "take",
]
