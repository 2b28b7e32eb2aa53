"""What all tests share: how slow a machine is fails none of them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("podesta", deadline=None)
settings.load_profile("podesta")
