"""`python -m desk` is `shinpan`."""

import sys

from desk.commands.cli import main

sys.exit(main())
