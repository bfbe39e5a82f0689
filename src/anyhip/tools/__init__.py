"""Programs with a command line: each module has ``main(argv) -> exit code``."""
