"""``python -m anyhip``: the same as the command ``anyhip``."""

from anyhip.cli import main

raise SystemExit(main())
