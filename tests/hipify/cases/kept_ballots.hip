#include <hip/hip_runtime.h>
__global__ void k(int* p) {
  unsigned mask;
  mask = __match_any_sync(__activemask(), p[0]);
  int mine = __ballot_sync(0xffffffffffffffffull, p[1]), other = mine;
  unsigned long long wide = __ballot_sync(0xffffffffffffffffull, p[2]);
  unsigned copy = 0;
  copy = mask;
  p[3] = __popc(copy) + __ffs(mine) + __popcll(wide) + __popc(p[4]);
  p[5] = __popcll(__ballot_sync(0xffffffffffffffffull, p[6])) + __clz(mask & 3);
  __shared__ float part[32], tile[32][32];
  __shared__ float whole[64];
}
