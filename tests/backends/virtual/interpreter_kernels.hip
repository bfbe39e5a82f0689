// Kernels of the reference interpreter's tests; compiled without any header.
#define GLOBAL extern "C" __attribute__((global))
#define LANE __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()

GLOBAL void saxpy(float a, const float *x, float *y, int n) {
  int i = GROUP * 64 + LANE;
  if (i < n) y[i] = a * x[i] + y[i];
}

GLOBAL void divide(const float *x, const float *y, float *z, const double *p, const double *q, double *r) {
  int i = GROUP * 256 + LANE;
  z[i] = x[i] / y[i];
  r[i] = p[i] / q[i];
}

GLOBAL void reduce(const int *x, int *out) {
  __attribute__((shared)) static int sums[256];
  sums[LANE] = x[GROUP * 256 + LANE];
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  for (int k = 128; k; k >>= 1) {
    if (LANE < k) sums[LANE] += sums[LANE + k];
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
  }
  if (LANE == 0) __hip_atomic_fetch_add(out, sums[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

GLOBAL void collatz(unsigned long long *x) {
  unsigned long long v = x[LANE];
  unsigned steps = 0;
  for (; v != 1; steps++) v = v & 1 ? 3 * v + 1 : v / 2;
  x[LANE] = steps;
}

__attribute__((device, noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
GLOBAL void recursion(int *x) { x[LANE] = fibonacci(x[LANE]); }

__attribute__((device)) int twice(int x) { return 2 * x; }
__attribute__((device)) int square(int x) { return x * x; }
__attribute__((device)) int (*table[])(int) = {twice, square};
GLOBAL void through_pointer(int *x) { x[LANE] = table[LANE & 1](x[LANE]); }

GLOBAL void integer_division(const int *a, const int *b, int *q, const long *c, const long *d, long *r) {
  q[LANE] = a[LANE] / b[LANE];
  r[LANE] = c[LANE] % d[LANE];
}

GLOBAL void local_array(int *x, int k) {
  int copy[40];
  for (int i = 0; i < 40; i++) copy[i] = x[i] * i;
  copy[k & 31] = 7;
  x[LANE] = copy[(LANE + k) % 40];
}

// The second workgroup frees the first.
GLOBAL void handshake(int *flag) {
  if (LANE) return;
  if (GROUP == 0)
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) __builtin_amdgcn_s_sleep(1);
  else
    __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

GLOBAL void ids(int *out) {
  int x = LANE, y = __builtin_amdgcn_workitem_id_y(), z = __builtin_amdgcn_workitem_id_z();
  int *place = out + ((GROUP * 2 + z) * 3 + y) * 16 + x;
  *place = x + 100 * y + 10000 * z + 1000000 * __builtin_amdgcn_workgroup_id_y();
}

GLOBAL void trap(int *x) {
  if (*x) __builtin_trap();
}
