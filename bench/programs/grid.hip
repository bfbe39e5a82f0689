// grid: an empty kernel over 10^5 and 10^8 work-items; the time of a workgroup must not depend on how many
// there are
#include "bench.hpp"

__global__ void nothing() {}

int main() {
    for (int exponent : {5, 8}) {
        const unsigned groups = (unsigned)(std::pow(10.0, exponent) / 256);
        const int launches = exponent == 5 ? 1000 : 1;
        std::string name = "grid_1e" + std::to_string(exponent);
        bench::run(
            name.c_str(),
            [&] {
                for (int i = 0; i < launches; i++)
                    hipLaunchKernelGGL(nothing, dim3(groups), dim3(256), 0, 0);
            },
            [](int) { return hipGetLastError() == hipSuccess; }, 1.0 / launches);
    }
    return bench::finish();
}
