"""Care of a box: a signed update, the version before, a backup put back, all as new.

================ =========================================================================
module           what it holds
================ =========================================================================
``release``      a manifest, its signature and packages: found, checked, copied; and how they are signed
``asking``       what the box asks for, and what came of it
``work``         what ``podesta-update.service`` does with the rights that it has
``installer``    installs, watches what comes up, goes back; it stands alone, on the system's Python
================ =========================================================================
"""

from __future__ import annotations

from device.update.asking import INSTALLED, Care, Request
from device.update.release import LARGEST, SUFFIX, Manifest, Package, pair, sign
