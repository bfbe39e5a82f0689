// The kernels of programs/scan.hip, name by name in OpenCL C.
__kernel void scan_block(__global const float* restrict in, __global float* restrict out, __global float* restrict sums, int n) {
  __local float s[512];
  int t = ((int)get_local_id(0)), base = ((int)get_group_id(0)) * 512;
  s[2 * t] = (base + 2 * t < n) ? in[base + 2 * t] : 0.0f;
  s[2 * t + 1] = (base + 2 * t + 1 < n) ? in[base + 2 * t + 1] : 0.0f;
  int off = 1;
  for (int d = 256; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d) { int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1; s[b] += s[a]; }
    off *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0) { sums[((int)get_group_id(0))] = s[511]; s[511] = 0.0f; }
  for (int d = 1; d < 512; d *= 2) {
    off >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < d) { int a = off * (2 * t + 1) - 1, b = off * (2 * t + 2) - 1; float v = s[a]; s[a] = s[b]; s[b] += v; }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (base + 2 * t < n) out[base + 2 * t] = s[2 * t];
  if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = s[2 * t + 1];
}
__kernel void scan_add(__global float* restrict out, __global const float* restrict sums, int n) {
  int t = ((int)get_local_id(0)), i = ((int)get_group_id(0)) * 512 + 2 * t;
  float v = sums[((int)get_group_id(0))];
  if (i < n) out[i] += v;
  if (i + 1 < n) out[i + 1] += v;
}
