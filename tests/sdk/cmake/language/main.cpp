#include <hip/hip_runtime_api.h>

#include <string>

int twice();
int thrice();
int own();

int main(int argc, char **) {
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices != argc) return 1;
  std::string sums = std::to_string(twice()) + " " + std::to_string(thrice()) + " " + std::to_string(own());
  return sums == "4032 6048 10080" ? 0 : 2;
}
