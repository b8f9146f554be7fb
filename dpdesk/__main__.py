"""`python -m dpdesk` does what the command `dpdesk` does."""

from __future__ import annotations

import sys

from dpdesk.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
