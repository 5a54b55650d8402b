"""`python -m tidegrid`."""

import sys

from tidegrid.cli import main

sys.exit(main())
