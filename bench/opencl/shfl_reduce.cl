// The kernels of programs/shfl_reduce.hip, name by name in OpenCL C.
#ifdef NO_SUBGROUPS   /* device without sub-group shuffles: each shuffle goes through local memory, as an OpenCL 1.2 user would write it */
#define WARP 32
#define WARP_SUM(v) do { __local float* b_ = sg_; int l_ = get_local_id(0); for (int o_ = 16; o_ > 0; o_ >>= 1) { b_[l_] = v; barrier(CLK_LOCAL_MEM_FENCE); \
  if ((l_ & 31) + o_ < 32) v += b_[l_ + o_]; barrier(CLK_LOCAL_MEM_FENCE); } } while (0)
#define SG_DECL __local float sg_[256];
#else
#define WARP ((int)get_sub_group_size())
#define SG_DECL
#ifdef SG_ABS
#define SHFL_DOWN(v, o) sub_group_shuffle(v, get_sub_group_local_id() + (o))
#else
#define SHFL_DOWN(v, o) sub_group_shuffle_down(v, (uint)(o))
#endif
#define WARP_SUM(v) v = warp_sum(v)
#endif
#ifndef NO_SUBGROUPS
static inline float warp_sum(float v) {
  for (int o = WARP / 2; o > 0; o >>= 1) v += SHFL_DOWN(v, o);
  return v;
}
#endif
__kernel void shfl_reduce(__global const float* restrict in, __global float* restrict out, int n) {
  __local float ws[256];
  SG_DECL
  int t = ((int)get_local_id(0));
  int lane = t % WARP, wid = t / WARP;
  int i = ((int)get_group_id(0)) * (((int)get_local_size(0)) * 2) + t;
  float v = 0.0f;
  if (i < n) v = in[i];
  if (i + (int)((int)get_local_size(0)) < n) v += in[i + ((int)get_local_size(0))];
  WARP_SUM(v);
  if (lane == 0) ws[wid] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  v = 0.0f;
  for (int w = lane; w < (int)(((int)get_local_size(0)) / WARP); w += WARP) v += ws[w];
  WARP_SUM(v);
  if (t == 0) out[((int)get_group_id(0))] = v;
}
