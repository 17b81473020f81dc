"""`python -m desk` is `shinpan`."""

import sys

from desk.cli import main

sys.exit(main())
