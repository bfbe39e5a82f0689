// The kernels of programs/stencil.hip, name by name in OpenCL C.
#define BS 16
__kernel void stencil(__global const float* restrict in, __global float* restrict out, int w, int h) {
  int x = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0)), y = ((int)get_group_id(1)) * ((int)get_local_size(1)) + ((int)get_local_id(1));
  if (x >= w || y >= h) return;
  int i = y * w + x;
  float c = in[i];
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) c = 0.2f * (c + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
  out[i] = c;
}
__kernel void stencil_lds(__global const float* restrict in, __global float* restrict out, int w, int h) {
  __local float s[BS + 2][BS + 2];
  int tx = ((int)get_local_id(0)), ty = ((int)get_local_id(1));
  int x = ((int)get_group_id(0)) * BS + tx, y = ((int)get_group_id(1)) * BS + ty, i = y * w + x;
  s[ty + 1][tx + 1] = in[i];
  if (tx == 0 && x > 0) s[ty + 1][0] = in[i - 1];
  if (tx == BS - 1 && x < w - 1) s[ty + 1][BS + 1] = in[i + 1];
  if (ty == 0 && y > 0) s[0][tx + 1] = in[i - w];
  if (ty == BS - 1 && y < h - 1) s[BS + 1][tx + 1] = in[i + w];
  barrier(CLK_LOCAL_MEM_FENCE);
  float c = s[ty + 1][tx + 1];
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) c = 0.2f * (c + s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] + s[ty + 2][tx + 1]);
  out[i] = c;
}
