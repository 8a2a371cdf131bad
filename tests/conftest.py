"""Small networks run best on one thread, and cores are shared with other tests."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before PyTorch is loaded
