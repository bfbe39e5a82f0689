// The kernels of programs/transpose.hip, name by name in OpenCL C.
#define TD 32
#define TR 8
__kernel void transpose(__global const float* restrict in, __global float* restrict out, int w, int h) {
  __local float tile[TD][TD + 1];
  int x = ((int)get_group_id(0)) * TD + ((int)get_local_id(0)), y = ((int)get_group_id(1)) * TD + ((int)get_local_id(1));
  for (int j = 0; j < TD; j += TR) tile[((int)get_local_id(1)) + j][((int)get_local_id(0))] = in[(y + j) * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = ((int)get_group_id(1)) * TD + ((int)get_local_id(0));
  y = ((int)get_group_id(0)) * TD + ((int)get_local_id(1));
  for (int j = 0; j < TD; j += TR) out[(y + j) * h + x] = tile[((int)get_local_id(0))][((int)get_local_id(1)) + j];
}
