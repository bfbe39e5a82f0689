#define FULL_MASK 0xffffffff
#define HALF 0x0000ffffu

__global__ void votes(int *out, unsigned long long wide)
{
    const unsigned all = 0xFFFFFFFFU;
    unsigned some = (1u << 16) - 1;
    int v = out[threadIdx.x];
    v += __shfl_down_sync(FULL_MASK, v, 16);
    v += __shfl_xor_sync(0xffffffff, v, 8);
    v += __shfl_up_sync(-1, v, 4) + __shfl_sync(~0u, v, 0);
    v += __any_sync(all, v > 0) && __all_sync(some, v < (some ? 3 : 4));
    v += __popc(__ballot_sync(HALF, v));
    v += __shfl_sync(0xff, v, 1) + __shfl_sync(wide, v, 2) + __shfl_sync(__activemask(), v, 3);
    unsigned int ballot = __ballot_sync(0xffffffff, v > 1);
    unsigned long long wider = __ballot(v), same = __activemask();
    v += __ffs(__ballot(v)) + __popc(v) + ballot + wider + same;
    __syncwarp();
    __syncwarp(some & 0xf);
    out[threadIdx.x] = v + __shfl_sync(0xffffffffffffffffull, v, 0);
}
