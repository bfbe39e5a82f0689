// How work-items lie in lanes: index arithmetic in divergent code, loops and LDS, for many shapes of workgroups.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

constexpr int N = 1 << 12;

struct Where { // a work-item
    int x, y, z, i; // its ids in the workgroup, and its number in the grid
};

__device__ Where here() {
    int items = blockDim.x * blockDim.y * blockDim.z;
    int in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return {(int)threadIdx.x, (int)threadIdx.y, (int)threadIdx.z, (int)blockIdx.x * items + in_block};
}

__host__ __device__ int divergent(const int *data, Where w) {
    int k = w.i + 3, value = -1;
    if (data[w.i] & 1) {
        int twice = w.i * 2;
        value = data[twice % N] + k;
        if (data[w.i] & 4)
            k = w.x - 1;
    } else if (data[w.i] & 2) {
        value = data[k % N];
        k = w.i - w.y;
    }
    return value * 5 + k + data[k & (N - 1)];
}

__host__ __device__ int looping(const int *data, Where w) {
    int sum = 0;
    for (int k = w.i; k < N; k += 320) // every lane as often
        sum += data[k] * (w.x + 1);
    for (int k = w.x; k < (data[w.i] & 31); k += 3) { // as often as the data say
        if (data[k] & 8)
            continue;
        sum ^= data[k + w.y] + k;
        if (sum & 64)
            break;
    }
    return sum + data[w.i];
}

__host__ __device__ int backwards(const int *data, Where w) {
    unsigned before = w.i - 5u; // wraps around in the first lanes
    int sum = before < N ? data[before] : 7;
    int mirrored = N - 1 - w.i;
    sum += data[mirrored] * 3;
    const int *end = data + N;
    return sum + end[-1 - w.i] + data[(w.i >> 4) * 16 + (w.i & 15)] + data[(w.x | 16) & 31];
}

__host__ __device__ int rows(const int *data, Where w) {
    int pitch = 40 + (data[0] & 1); // not known when the code is translated
    int at = w.y * pitch + w.x;
    int sum = data[at] - data[at + pitch];
    for (int step = 0; step < 4; step++, at += pitch)
        sum += data[at] * step + data[w.z * 17 + step];
    return sum;
}

using Work = int (*)(const int *, Where);

template <Work work> __global__ void run(const int *data, int *out) {
    Where w = here();
    if (w.i < N)
        out[w.i] = work(data, w);
}

// Through LDS, with waits between: what is known before a barrier is still true after it.
__global__ void through_lds(const int *data, int *out) {
    __shared__ int tile[1024 + 2];
    Where w = here();
    int items = blockDim.x * blockDim.y * blockDim.z, local = w.i - (int)blockIdx.x * items;
    tile[local + 1] = w.i < N ? data[w.i] : 0;
    if (local < 2)
        tile[local * (items + 1)] = local;
    for (int round = 0; round < 3; round++) {
        __syncthreads();
        int sum = tile[local] + tile[local + 1] * 2 + tile[local + 2];
        __syncthreads();
        if (local & 1 || round == 1)
            tile[local + 1] = sum;
    }
    __syncthreads();
    if (w.i < N)
        out[w.i] = tile[items - local];
}

static void check_lds(const int *data, std::vector<int> &out, int items) {
    for (int first = 0; first < N; first += items) {
        std::vector<int> tile(items + 2), next;
        tile[items + 1] = 1;
        for (int k = 0; k < items; k++)
            tile[k + 1] = first + k < N ? data[first + k] : 0;
        for (int round = 0; round < 3; round++) {
            next = tile;
            for (int k = 0; k < items; k++)
                if (k & 1 || round == 1)
                    next[k + 1] = tile[k] + tile[k + 1] * 2 + tile[k + 2];
            tile = next;
        }
        for (int k = 0; k < items && first + k < N; k++)
            out[first + k] = tile[items - k];
    }
}

static int wrong(const std::vector<int> &want, const int *out) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += want[i] != out[i];
    return count;
}

template <Work work> static int compare(dim3 block, const int *data, int *out) {
    int items = block.x * block.y * block.z;
    std::vector<int> want(N);
    for (int i = 0; i < N; i++) {
        int local = i % items;
        Where w = {local % (int)block.x, local / (int)block.x % (int)block.y, local / (int)(block.x * block.y), i};
        want[i] = work(data, w);
    }
    run<work><<<(N + items - 1) / items, block>>>(data, out);
    if (hipDeviceSynchronize() != hipSuccess)
        return -1;
    return wrong(want, out);
}

int main() {
    int *data, *out;
    if (hipMallocManaged((void **)&data, 2 * N * sizeof(int)) || hipMallocManaged((void **)&out, N * sizeof(int)))
        return 1;
    for (int i = 0; i < 2 * N; i++)
        data[i] = (i * 2654435761u) >> 7;
    const dim3 blocks[] = {{64, 1, 1}, {256, 1, 1}, {100, 1, 1}, {1, 64, 1}, {16, 16, 1}, {32, 8, 1},
                           {8, 8, 4},  {48, 3, 2},  {33, 5, 1},  {4, 4, 4},  {16, 1, 7},  {64, 4, 1}};
    for (dim3 block : blocks) {
        int items = block.x * block.y * block.z;
        printf("%ux%ux%u: %d %d %d %d", block.x, block.y, block.z, compare<divergent>(block, data, out),
               compare<looping>(block, data, out), compare<backwards>(block, data, out), compare<rows>(block, data, out));
        std::vector<int> want(N);
        check_lds(data, want, items);
        through_lds<<<(N + items - 1) / items, block>>>(data, out);
        printf(" %d\n", hipDeviceSynchronize() == hipSuccess ? wrong(want, out) : -1);
    }
}
