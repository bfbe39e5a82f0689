#include "check.h"
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void shuffles() {
  const int lane = __lane_id(), width = warpSize;
  CHECK(lane == (int)(threadIdx.x % width));
  CHECK(__shfl(lane, 3) == 3);
  CHECK(__shfl(lane, 3, 8) == (lane & ~7) + 3);
  CHECK(__shfl(lane, 11, 8) == (lane & ~7) + 3);
  CHECK(__shfl_up(lane, 1) == (lane ? lane - 1 : lane));
  CHECK(__shfl_up(lane, 2, 4) == (lane % 4 >= 2 ? lane - 2 : lane));
  CHECK(__shfl_down(lane, 1) == (lane < width - 1 ? lane + 1 : lane));
  CHECK(__shfl_down(lane, 2, 4) == (lane % 4 < 2 ? lane + 2 : lane));
  CHECK(__shfl_xor(lane, 5) == (lane ^ 5));
  CHECK(__shfl_xor(lane, 8, 8) == (lane & 8 ? lane ^ 8 : lane));  // earlier sub-groups may be read, later not
  CHECK(__shfl(lane * 1.5, 7) == 10.5);
  CHECK(__shfl((long long)lane << 40, 7) == 7ll << 40);
  const float4 pair = make_float4(lane, lane + 1, lane + 2, lane + 3);
  CHECK(__shfl(pair, 9) == make_float4(9, 10, 11, 12));
}

__global__ void votes() {
  const int lane = __lane_id(), width = warpSize;
  const unsigned long long full = width == 64 ? ~0ull : 0xffffffffull, odd = full & 0xaaaaaaaaaaaaaaaaull;
  CHECK(__ballot(1) == full && __activemask() == full);
  CHECK(__ballot(lane < 5) == 31);
  CHECK(__any(lane == 3) && !__any(lane > 100) && __all(lane < 64) && !__all(lane == 0));
  CHECK(__match_any(lane / 4) == 15ull << (lane & ~3));
  int equal;
  CHECK(__match_all(lane, &equal) == 0 && !equal);
  CHECK(__match_all(7, &equal) == full && equal);
  CHECK(__reduce_add_sync(full, lane) == width * (width - 1) / 2);
  CHECK(__reduce_max_sync(full, lane) == width - 1 && __reduce_min_sync(full, lane) == 0);
  if (lane & 1) {
    CHECK(__activemask() == odd && __ballot_sync(odd, 1) == odd);
    CHECK(__reduce_add_sync(odd, lane) == width * width / 4);
    CHECK(__all_sync(odd, lane & 1) && !__any_sync(odd, lane == 4));
  }
}

__global__ void blocks() {
  const unsigned t = threadIdx.x;
  CHECK(__syncthreads_count(t % 3 == 0) == (int)(blockDim.x + 2) / 3);
  CHECK(__syncthreads_or(t == 5) && !__syncthreads_or(t > 5000));
  CHECK(__syncthreads_and(t < 5000) && !__syncthreads_and(t != 7));
}

__global__ void groups() {
  const int lane = __lane_id(), width = warpSize;
  const unsigned t = threadIdx.x;
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  CHECK(block.size() == blockDim.x && block.thread_rank() == t);
  CHECK(tile.thread_rank() == t % 16 && tile.size() == 16 && tile.meta_group_rank() == t / 16);
  CHECK(tile.shfl(lane, 2) == (lane & ~15) + 2 && tile.ballot(tile.thread_rank() < 3) == 7);
  CHECK(cg::reduce(tile, lane, cg::plus<int>()) == (lane & ~15) * 16 + 120);
  if (lane % 3 == 0) {
    const auto some = cg::coalesced_threads();
    CHECK((int)some.size() == (width + 2) / 3 && (int)some.thread_rank() == lane / 3 && some.shfl(lane, 2) == 6);
    CHECK(some.shfl_down(lane, 1) == (some.thread_rank() + 1 < some.size() ? lane + 3 : lane));
    CHECK(some.ballot(lane == 3) == 2 && cg::reduce(some, lane, cg::greater<int>()) == (width - 1) / 3 * 3);
  }
}

int main() {
  shuffles<<<1, 128>>>();
  votes<<<1, 128>>>();
  blocks<<<1, 200>>>();
  groups<<<1, 128>>>();
  return report();
}
