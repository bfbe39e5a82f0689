// The kernels of programs/saxpy.hip, name by name in OpenCL C.
__kernel void saxpy(int n, float a, __global const float* restrict x, __global float* restrict y) {
  int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  if (i < n) y[i] = a * x[i] + y[i];
}
