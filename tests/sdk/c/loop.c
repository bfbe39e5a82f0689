// Loaded into a Python that runs already: registers a kernel, launches it in a loop, answers with the cost.
#include <hip/hip_runtime_api.h>
#include <time.h>

static struct {
  unsigned magic, version;
  const void *binary;
  void *unused;
} wrapper = {0x48495046, 1, 0, 0};
static char handle;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Microseconds a launch, or minus the error.
double launches(const void *bundle, int count) {
  wrapper.binary = bundle;
  void **binary = __hipRegisterFatBinary(&wrapper);
  __hipRegisterFunction(binary, &handle, "k", "k", -1, 0, 0, 0, 0, 0);
  dim3 grid = {10, 1, 1}, block = {64, 1, 1};
  void *args[1] = {&grid};
  hipError_t error = hipLaunchKernel(&handle, grid, block, args, 0, 0);
  if (error) return -(double)error;
  double start = now();
  for (int i = 0; i < count; i++)
    if ((error = hipLaunchKernel(&handle, grid, block, args, 0, 0))) return -(double)error;
  return (now() - start) / count * 1e6;
}

int too_large(void) {
  dim3 grid = {1, 1, 1}, block = {2048, 1, 1};
  for (int i = 0; i < 3; i++) (void)hipLaunchKernel(&handle, grid, block, 0, 0, 0);
  return hipLaunchKernel(&handle, grid, block, 0, 0, 0);
}

// What <<<>>> compiles to.
int configured(void) {
  dim3 grid = {7, 2, 1}, block = {33, 1, 1}, g = {0}, b = {0};
  size_t shared = 0;
  hipStream_t stream = 0;
  if (__hipPopCallConfiguration(&g, &b, &shared, &stream) != hipErrorMissingConfiguration) return 1;
  if (__hipPushCallConfiguration(grid, block, 12, hipStreamPerThread)) return 2;
  if (__hipPopCallConfiguration(&g, &b, &shared, &stream)) return 3;
  return g.x == 7 && g.y == 2 && b.x == 33 && shared == 12 && stream == hipStreamPerThread ? 0 : 4;
}
