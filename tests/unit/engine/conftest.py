"""Property tests here: no deadline, since no test may fail on a time, and nothing left on disk."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("slipstream", deadline=None, database=None)
settings.load_profile("slipstream")
