// The kernels of programs/nbody.hip, name by name in OpenCL C.
#define EPS2 0.01f
__kernel void nbody(__global const float4* restrict p, __global float4* restrict acc, int n) {
  int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  float4 me = p[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int j = 0; j < n; ++j) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float inv = rsqrt(dx * dx + dy * dy + dz * dz + EPS2);
    float s = o.w * inv * inv * inv;
    ax += dx * s; ay += dy * s; az += dz * s;
  }
  acc[i] = (float4)(ax, ay, az, 0.0f);
}
__kernel void nbody_lds(__global const float4* restrict p, __global float4* restrict acc, int n) {
  __local float4 tile[256];
  int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  float4 me = p[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int t = 0; t < n; t += ((int)get_local_size(0))) {
    tile[((int)get_local_id(0))] = p[t + ((int)get_local_id(0))];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < (int)((int)get_local_size(0)); ++j) {
      float4 o = tile[j];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      float inv = rsqrt(dx * dx + dy * dy + dz * dz + EPS2);
      float s = o.w * inv * inv * inv;
      ax += dx * s; ay += dy * s; az += dz * s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc[i] = (float4)(ax, ay, az, 0.0f);
}
