"""The benchmarks lie beside the package, not in it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
