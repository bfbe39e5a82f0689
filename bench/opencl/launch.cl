// The kernels of programs/launch.hip, name by name in OpenCL C.
__kernel void tick(__global int* p, int v) { p[((int)get_local_id(0))] = v; }
