"""The C functions in Python, a subject a module: arguments are integers as C passed them (pointers by
address).

A function returns None for hipSuccess or a hipError_t that is no failure (hipErrorNotReady), and raises
otherwise.
Which module has which function is a column of ``tables/hip_api.tsv``.
"""
