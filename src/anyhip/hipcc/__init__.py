"""HIP C++ to objects, executables and code objects: a plan of compiler runs, and what runs it."""
