"""What every test may rely on."""

import signal

# A shell's background jobs ignore Ctrl-C, and so would Python and all programs started by the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)
