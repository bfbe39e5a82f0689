// The kernels of programs/blackscholes.hip, name by name in OpenCL C.
static inline float cnd(float d) { return 0.5f * (1.0f + erf(d * 0.70710678118654752440f)); }
__kernel void blackscholes(__global const float* restrict S, __global const float* restrict X, __global const float* restrict T,
                             __global float* restrict call, __global float* restrict put, float r, float v, int n) {
  int i = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  if (i < n) {
    float s = S[i], x = X[i], t = T[i];
    float st = sqrt(t);
    float d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * st);
    float d2 = d1 - v * st;
    float c1 = cnd(d1), c2 = cnd(d2);
    float e = exp(-r * t);
    call[i] = s * c1 - x * e * c2;
    put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
  }
}
