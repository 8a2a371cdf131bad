"""Small networks run best on one thread, and cores are shared with other tests."""

import torch

torch.set_num_threads(1)
