import sys
from pathlib import Path

for part in ("network", "training"):
    sys.path.insert(0, str(Path(__file__).parents[1] / part))
