// The kernels of programs/mandelbrot.hip, name by name in OpenCL C.
__kernel void mandelbrot(__global int* restrict out, int w, int h, int maxit) {
  int px = ((int)get_group_id(0)) * ((int)get_local_size(0)) + ((int)get_local_id(0)), py = ((int)get_group_id(1)) * ((int)get_local_size(1)) + ((int)get_local_id(1));
  float cx = -2.25f + 3.0f * (float)px / (float)w, cy = -1.5f + 3.0f * (float)py / (float)h;
  float x = 0.0f, y = 0.0f;
  int it = 0;
  while (it < maxit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++it;
  }
  out[py * w + px] = it;
}
