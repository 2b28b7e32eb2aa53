"""Care of a box: a signed update, the version before, restoring a backup, factory reset.

================ =========================================================================
module           what it holds
================ =========================================================================
``release``      a manifest, its signature and packages: finding, checking, copying and signing them
``asking``       the box's request, and its result
``work``         the work of ``podesta-update.service``, as root
``installer``    installs, watches the new version, goes back; a program of its own on the system's Python
================ =========================================================================
"""

from __future__ import annotations

from device.ed25519 import make_pair
from device.update.asking import INSTALLED, Care, Request
from device.update.release import LARGEST, SUFFIX, Manifest, Package, sign
