// The kernels of programs/reduce.hip, name by name in OpenCL C.
__kernel void reduce(__global const float* restrict in, __global float* restrict out, int n) {
  __local float s[256];
  int t = ((int)get_local_id(0));
  int i = ((int)get_group_id(0)) * (((int)get_local_size(0)) * 2) + t;
  float v = 0.0f;
  if (i < n) v = in[i];
  if (i + (int)((int)get_local_size(0)) < n) v += in[i + ((int)get_local_size(0))];
  s[t] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = ((int)get_local_size(0)) / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[((int)get_group_id(0))] = s[0];
}
