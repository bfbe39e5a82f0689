#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int sum(int v) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::memcpy_async(tile, to, from, 4);
  cg::wait(tile);
  int n = std::reduce(a, b) + mine.reduce(a);
  return cg::reduce(tile, v, cg::plus<int>()) + n;
}
using namespace cooperative_groups;
__global__ void k(int* p) {
  auto parts = labeled_partition(coalesced_threads(), p[0]);
  reduce(p);
}
