#include <nvml.h>
#include <nppi_filtering_functions.h>
int nppes, npp(int), nvmlish(int);
int main() {
  nvmlInit();
  nvmlEnableState_t state;
  nppiFilterBox_8u_C1R(image, 3);
  options.nvmlInit(nppes);
  cuda::std::atomic<int> a;
  return npp(nvmlish(1));
}
