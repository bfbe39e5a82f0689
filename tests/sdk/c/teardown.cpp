// Destructors of static objects run after main, some of them after the library's own atexit functions.
#include <hip/hip_runtime_api.h>
#include <stdlib.h>

struct Holder {
  void *memory = nullptr;
  ~Holder() {
    if (hipFree(memory) != hipSuccess) _Exit(3);
  }
};
static Holder holder;
int main() { return hipMalloc(&holder.memory, 100) == hipSuccess ? 0 : 1; }
