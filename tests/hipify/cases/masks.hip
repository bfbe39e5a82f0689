#include <hip/hip_runtime.h>
#define FULL_MASK 0xffffffffffffffffull
#define HALF 0x0000ffffu

__global__ void votes(int *out, unsigned long long wide)
{
    const unsigned all = 0xFFFFFFFFU;
    unsigned some = (1u << 16) - 1;
    int v = out[threadIdx.x];
    v += __shfl_down_sync(FULL_MASK, v, 16);
    v += __shfl_xor_sync(0xffffffffffffffffull, v, 8);
    v += __shfl_up_sync(0xffffffffffffffffull, v, 4) + __shfl_sync(0xffffffffffffffffull, v, 0);
    v += __any_sync(0xffffffffffffffffull, v > 0) && __all_sync(static_cast<unsigned long long>(some), v < (some ? 3 : 4));
    v += __popcll(__ballot_sync(static_cast<unsigned long long>(HALF), v));
    v += __shfl_sync(0xffull, v, 1) + __shfl_sync(wide, v, 2) + __shfl_sync(__activemask(), v, 3);
    unsigned int ballot = __ballot_sync(0xffffffffffffffffull, v > 1);
    unsigned long long wider = __ballot(v), same = __activemask();
    v += __ffsll(__ballot(v)) + __popc(v) + ballot + wider + same;
    __syncwarp();
    __syncwarp(static_cast<unsigned long long>(some & 0xf));
    out[threadIdx.x] = v + __shfl_sync(0xffffffffffffffffull, v, 0);
}
