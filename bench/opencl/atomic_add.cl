// The kernels of programs/atomic_add.hip, name by name in OpenCL C.
inline void atomic_add_f32(volatile __global float* p, float v) {
#if defined(__opencl_c_ext_fp32_global_atomic_add)
  atomic_fetch_add_explicit((volatile __global atomic_float*)p, v, memory_order_relaxed, memory_scope_device);
#else
  union { uint u; float f; } o, n, c; c.f = *p;
  do { o.u = c.u; n.f = o.f + v; c.u = atomic_cmpxchg((volatile __global uint*)p, o.u, n.u); } while (c.u != o.u);
#endif
}
__kernel void atomic_add_k(__global const int* restrict idx, __global const float* restrict val, __global float* bins, int n) {
  int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  if (i < n) atomic_add_f32(&bins[idx[i]], val[i]);
}
