// Prints milliseconds of CPU to the end of the first call, and microseconds of later ones.
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
  int version, count = 20000;
  double start = now();
  if (hipRuntimeGetVersion(&version)) return 1;
  double first = now() - start;
  start = now();
  for (int i = 0; i < count; i++)
    if (hipRuntimeGetVersion(&version)) return 1;
  printf("%.1f %.3f\n", first * 1e3, (now() - start) / count * 1e6);
  return 0;
}
