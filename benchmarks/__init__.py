"""Accuracy and speed, one command each."""

import os

# as the command line does: on many threads the net's small products take ten times as long on a busy machine
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
