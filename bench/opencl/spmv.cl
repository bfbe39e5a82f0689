// The kernels of programs/spmv.hip, name by name in OpenCL C.
__kernel void spmv(__global const int* restrict ptr, __global const int* restrict col, __global const float* restrict val,
                     __global const float* restrict x, __global float* restrict y, int rows) {
  int r = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0));
  if (r < rows) {
    float acc = 0.0f;
    for (int j = ptr[r]; j < ptr[r + 1]; ++j) acc += val[j] * x[col[j]];
    y[r] = acc;
  }
}
