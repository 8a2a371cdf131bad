"""Small networks run best on one thread, and cores are shared with other tests."""

import os

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before PyTorch is loaded

# On a busy machine any example may take long; what an input may cost is tests/attacks' question.
settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")
