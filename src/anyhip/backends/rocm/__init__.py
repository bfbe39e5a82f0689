"""AMD GPUs through the HIP runtime that the machine has: ``libamdhip64``, found by its path."""
