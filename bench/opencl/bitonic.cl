// The kernels of programs/bitonic.hip, name by name in OpenCL C.
#define NB 512
__kernel void bitonic(__global const float* restrict in, __global float* restrict out) {
  __local float s[NB];
  int t = ((int)get_local_id(0)), base = ((int)get_group_id(0)) * NB;
  s[t] = in[base + t];
  s[t + NB / 2] = in[base + t + NB / 2];
  for (int size = 2; size <= NB; size <<= 1) {
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int pos = 2 * t - (t & (stride - 1));
      int up = ((t & (size / 2)) == 0) || (size == NB);
      float a = s[pos], b = s[pos + stride];
      if ((a > b) == (up != 0)) { s[pos] = b; s[pos + stride] = a; }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + t] = s[t];
  out[base + t + NB / 2] = s[t + NB / 2];
}
