// The kernels of programs/daxpy.hip, name by name in OpenCL C.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void daxpy(int n, double a, __global const double* restrict x, __global double* restrict y) {
  int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  if (i < n) y[i] = a * x[i] + y[i];
}
