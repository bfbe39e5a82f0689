// The kernels of programs/histogram.hip, name by name in OpenCL C.
__kernel void histogram(__global const unsigned char* restrict data, __global unsigned int* restrict bins, int n) {
  __local unsigned int h[256];
  int t = ((int)get_local_id(0));
  h[t] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + t; i < n; i += ((int)get_num_groups(0)) * ((int)get_local_size(0))) atomic_add(&h[data[i]], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], h[t]);
}
