"""What a box can have done to itself: a signed update.

================ =========================================================================
module           what it holds
================ =========================================================================
``release``      a manifest, its signature and packages: found, checked, copied; and how they are signed
================ =========================================================================
"""

from __future__ import annotations

from device.update.release import LARGEST, SUFFIX, Manifest, Package, pair, sign

__all__ = ["LARGEST", "SUFFIX", "Manifest", "Package", "pair", "sign"]
