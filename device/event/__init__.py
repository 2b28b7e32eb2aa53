"""Many tables: what lets an organiser trust and gather the results of boxes that nobody watched.

================ =========================================================================
module           what it holds
================ =========================================================================
``signing``      a box's key, and what it signs: every group of a journal, over the chain of hashes
``provision``    a file for each box of an event: its table, its key, the judge's PIN; a key revoked
``bundle``       an event in one file: every match's records, with their checkpoints, and the keys
``broker``       a credential at a broker, and the files that it is set up by; ``messages`` what is told there
``publisher``    a box tells the desk of its matches
``fetching``     a spare box fetches a table's match from the desk
``desk``         the organiser's desk, a room of its own that the extra ``podesta[desk]`` is for
================ =========================================================================

Nothing of the box imports this room but the daemon, which signs and publishes, and the stick, which bundles.
Besides them do the commands about events and signatures, and the bench of many boxes.
"""

from __future__ import annotations

from device.event.broker import BrokerError, Credential, credential
from device.event.bundle import (
    KEYS_FILE,
    LARGEST,
    Bundle,
    BundleError,
    Fork,
    Journaled,
    forks,
    gathered,
    is_bundle,
    of_box,
    read_bundle,
    taken,
    write_bundle,
)
from device.event.fetching import FetchError, fetch
from device.event.messages import Seated, Topics, slug
from device.event.provision import (
    BROKER,
    Place,
    ProvisionError,
    keep_round,
    kept_round,
    move,
    place,
    plan,
    revoke,
    take,
)
from device.event.publisher import Publisher
from device.event.signing import BoxKey, KeyFileError, Signatures, Signed, Trusted, read_keys, signatures
