"""Events of many tables: how an organiser can trust and gather results of boxes that nobody watched.

================ =========================================================================
module           what it holds
================ =========================================================================
``signing``      a box's key, and its signatures: one for each group of a journal, over the chain of hashes
``provision``    a file for each box of an event: its table, its key, the judge's PIN; revoked keys
``verifying``    the verdict on a journal: chain, rules and signatures
``bundle``       an event in one file: every match's records, with their checkpoints, and the keys
``broker``       a credential at a broker, and the broker's own files; ``messages`` sent over it
``publisher``    a box tells the desk about its matches
``fetching``     a spare box fetches a table's match from the desk
``desk``         the organiser's desk, a room of its own; it needs the extra ``podesta[desk]``
================ =========================================================================

Within the box only the daemon, which signs and publishes, and the stick, which bundles, import this room. The
commands about events and signatures and the bench of many boxes use it, too.
"""

from __future__ import annotations

from device.event.broker import BrokerError, Credential, read_credential
from device.event.bundle import (
    KEYS_FILE,
    LARGEST,
    BundleError,
    Fork,
    Journaled,
    find_box_keys,
    find_forks,
    gather_journals,
    is_bundle,
    prepare_journal,
    read_bundle,
    take_journal,
    write_bundle,
)
from device.event.fetching import FetchError, fetch
from device.event.messages import Seated, Topics, make_slug
from device.event.provision import (
    BROKER,
    BoxPlace,
    ProvisionError,
    keep_round,
    make_event,
    move_to_table,
    read_place,
    read_round,
    revoke,
    take_place,
)
from device.event.publisher import Publisher
from device.event.signing import (
    BoxKey,
    KeyFileError,
    Signed,
    Trusted,
    judge_signatures,
    parse_keys,
    read_keys,
)
from device.event.verifying import Cause, Failure, Verified, describe_stranger, verify_journal
