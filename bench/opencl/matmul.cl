// The kernels of programs/matmul.hip, name by name in OpenCL C.
#define TILE 16
__kernel void matmul(__global const float* restrict A, __global const float* restrict B, __global float* restrict C, int n) {
  __local float As[TILE][TILE];
  __local float Bs[TILE][TILE];
  int tx = ((int)get_local_id(0)), ty = ((int)get_local_id(1));
  int row = ((int)get_group_id(1)) * TILE + ty, col = ((int)get_group_id(0)) * TILE + tx;
  float acc = 0.0f;
  for (int t = 0; t < n / TILE; ++t) {
    As[ty][tx] = A[row * n + t * TILE + tx];
    Bs[ty][tx] = B[(t * TILE + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) acc += As[ty][k] * Bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * n + col] = acc;
}
