"""Where the cache is, as text. Imported by programs that have no time for more: it needs ``os`` alone."""

from __future__ import annotations

import os
import sys

__all__ = ["cache_folder"]


def cache_folder() -> str:
    """``ANYHIP_CACHE_DIR``, else the platform's place for a user's caches. Not created."""
    chosen = os.environ.get("ANYHIP_CACHE_DIR")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    if sys.platform == "linux":  # XDG base directory specification; what platformdirs would say
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        return os.path.join(home, "anyhip")
    import platformdirs

    return platformdirs.user_cache_dir("anyhip", appauthor=False)
