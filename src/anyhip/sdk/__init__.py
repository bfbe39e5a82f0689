"""What a C, CMake or PyTorch build expects of a ROCm installation: libraries, headers, tools, in one
folder.
"""
