// The native floor: the plain loops that a C++ programmer would write, over all cores, vectorised by the
// compiler. Usage: peer KERNEL... ; lines and environment as programs/measure.hpp says.
#include "parallel.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

namespace {

using bench::dump;
using bench::rnd;
using bench::u01;
using std::vector;
using Pass = std::function<void()>;

struct Work {
    Pass run, write; // the timed part; dumping its output
    double scale = 1;
};

vector<float> uniform(int n, int seed) {
    vector<float> values(n);
    for (int i = 0; i < n; i++)
        values[i] = u01(i, seed);
    return values;
}

template <class T> Work axpy(const char *kernel, int n) {
    auto x = std::make_shared<vector<T>>(n), y = std::make_shared<vector<T>>(n);
    for (int i = 0; i < n; i++)
        (*x)[i] = u01(i, 1), (*y)[i] = u01(i, 2);
    T a = 2.5;
    auto run = [=] {
        const T *X = x->data();
        T *Y = y->data();
        parallel(n, [=](int first, int end, int) {
#pragma omp simd
            for (int i = first; i < end; i++)
                Y[i] = a * X[i] + Y[i];
        });
    };
    return {run, [=] { dump(kernel, y->data(), n); }};
}

// Loops with sums stand in functions of their own: inside a lambda, g++ does not vectorise them.
float sum_of(const float *X, int first, int end) {
    float s = 0;
#pragma omp simd reduction(+ : s)
    for (int i = first; i < end; i++)
        s += X[i];
    return s;
}

Work reduce(const char *kernel) {
    int n = 1 << 24;
    auto x = std::make_shared<vector<float>>(uniform(n, 3));
    auto sum = std::make_shared<float>(0);
    auto run = [=] {
        const float *X = x->data();
        vector<float> part(threads() * 16);
        parallel(n, [&](int first, int end, int t) { part[t * 16] = sum_of(X, first, end); });
        *sum = std::accumulate(part.begin(), part.end(), 0.0f);
    };
    return {run, [=] { dump(kernel, sum.get(), 1); }};
}

Work matmul(const char *kernel, int n) {
    auto a = std::make_shared<vector<float>>(uniform(n * n, 4)),
         b = std::make_shared<vector<float>>(uniform(n * n, 5));
    auto c = std::make_shared<vector<float>>(n * n);
    for (auto &v : *a)
        v -= 0.5f;
    for (auto &v : *b)
        v -= 0.5f;
    auto run = [=] {
        const float *A = a->data(), *B = b->data();
        float *C = c->data();
        parallel(n, [=](int first, int end, int) {
            for (int i = first; i < end; i++) {
                float *row = C + i * n;
                std::fill(row, row + n, 0.0f);
                for (int k = 0; k < n; k++) {
                    float v = A[i * n + k];
                    const float *other = B + k * n;
#pragma omp simd
                    for (int j = 0; j < n; j++)
                        row[j] += v * other[j];
                }
            }
        });
    };
    return {run, [=] { dump(kernel, c->data(), c->size()); }};
}

void accelerate(const float *X, const float *Y, const float *Z, const float *M, int n, int i, float *out) {
    float ax = 0, ay = 0, az = 0, mx = X[i], my = Y[i], mz = Z[i];
#pragma omp simd reduction(+ : ax, ay, az)
    for (int j = 0; j < n; j++) {
        float dx = X[j] - mx, dy = Y[j] - my, dz = Z[j] - mz;
        float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float s = M[j] * inv * inv * inv;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    out[0] = ax, out[1] = ay, out[2] = az;
}

Work nbody(const char *kernel) { // a structure of arrays, the form that vectorises
    int n = 4096;
    auto p = std::make_shared<vector<float>>(4 * n), out = std::make_shared<vector<float>>(4 * n);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++)
            (*p)[c * n + i] = 2 * u01(4 * i + c, 6) - 1;
        (*p)[3 * n + i] = u01(4 * i + 3, 6) / (float)n;
    }
    auto run = [=] {
        const float *X = p->data(), *Y = X + n, *Z = Y + n, *M = Z + n;
        float *O = out->data();
        parallel(n, [=](int first, int end, int) {
            for (int i = first; i < end; i++)
                accelerate(X, Y, Z, M, n, i, O + 4 * i);
        });
    };
    return {run, [=] { dump(kernel, out->data(), out->size()); }};
}

Work stencil(const char *kernel) {
    int w = 2048, h = 2048;
    auto a = std::make_shared<vector<float>>(uniform(w * h, 7)), o = std::make_shared<vector<float>>(w * h);
    auto run = [=] {
        const float *A = a->data();
        float *O = o->data();
        parallel(h, [=](int first, int end, int) {
            for (int y = first; y < end; y++) {
                const float *r = A + y * w;
                float *q = O + y * w;
                if (y == 0 || y == h - 1) {
                    memcpy(q, r, w * sizeof *q);
                    continue;
                }
                q[0] = r[0], q[w - 1] = r[w - 1];
#pragma omp simd
                for (int x = 1; x < w - 1; x++)
                    q[x] = 0.2f * (r[x] + r[x - 1] + r[x + 1] + r[x - w] + r[x + w]);
            }
        });
    };
    return {run, [=] { dump(kernel, o->data(), o->size()); }};
}

Work histogram() {
    int n = 1 << 24;
    auto d = std::make_shared<vector<uint8_t>>(n);
    for (int i = 0; i < n; i++)
        (*d)[i] = rnd(i, 8) & 255;
    auto bins = std::make_shared<vector<uint32_t>>(256);
    auto run = [=] {
        const uint8_t *D = d->data();
        vector<uint32_t> part(threads() * 256);
        parallel(n, [&](int first, int end, int t) {
            uint32_t h[256] = {0};
            for (int i = first; i < end; i++)
                ++h[D[i]];
            memcpy(&part[t * 256], h, sizeof h);
        });
        for (int i = 0; i < 256; i++) {
            (*bins)[i] = 0;
            for (int t = 0; t < threads(); t++)
                (*bins)[i] += part[t * 256 + i];
        }
    };
    return {run, [=] { dump("histogram", bins->data(), 256); }};
}

Work atomic_add() {
    int n = 1 << 20;
    auto index = std::make_shared<vector<int>>(n);
    auto values = std::make_shared<vector<float>>(uniform(n, 15)),
         bins = std::make_shared<vector<float>>(1024);
    for (int i = 0; i < n; i++)
        (*index)[i] = rnd(i, 14) & 1023;
    auto run = [=] {
        const int *I = index->data();
        const float *V = values->data();
        vector<float> part(threads() * 1024);
        parallel(n, [&](int first, int end, int t) {
            float *h = &part[t * 1024];
            for (int i = first; i < end; i++)
                h[I[i]] += V[i];
        });
        for (int i = 0; i < 1024; i++) {
            (*bins)[i] = 0;
            for (int t = 0; t < threads(); t++)
                (*bins)[i] += part[t * 1024 + i];
        }
    };
    return {run, [=] { dump("atomic_add", bins->data(), 1024); }};
}

Work mandelbrot() {
    int w = 1024, h = 1024, most = 256;
    auto o = std::make_shared<vector<int>>(w * h);
    auto run = [=] {
        int *O = o->data();
        std::atomic<int> next{0};
        on_all([&](int) {
            for (int y0; (y0 = next.fetch_add(8)) < h;)
                for (int py = y0; py < y0 + 8; py++)
                    for (int px = 0; px < w; px++) {
                        float cx = -2.25f + 3.0f * px / w, cy = -1.5f + 3.0f * py / h, x = 0, y = 0;
                        int it = 0;
                        while (it < most && x * x + y * y <= 4.0f) {
                            float t = x * x - y * y + cx;
                            y = 2 * x * y + cy;
                            x = t;
                            ++it;
                        }
                        O[py * w + px] = it;
                    }
        });
    };
    return {run, [=] { dump("mandelbrot", o->data(), o->size()); }};
}

Work scan() {
    int n = 1 << 20;
    auto x = std::make_shared<vector<float>>(n), o = std::make_shared<vector<float>>(n);
    for (int i = 0; i < n; i++)
        (*x)[i] = (float)(rnd(i, 9) & 3);
    auto run = [=] {
        const float *X = x->data();
        float *O = o->data();
        vector<float> part(threads() + 1);
        parallel(n, [&](int first, int end, int t) { part[t + 1] = sum_of(X, first, end); });
        std::partial_sum(part.begin(), part.end(), part.begin());
        parallel(n, [&](int first, int end, int t) {
            float sum = part[t];
            for (int i = first; i < end; i++) {
                O[i] = sum;
                sum += X[i];
            }
        });
    };
    return {run, [=] { dump("scan", o->data(), n); }};
}

Work transpose() {
    int w = 2048, h = 2048, tile = 32;
    auto a = std::make_shared<vector<float>>(w * h), o = std::make_shared<vector<float>>(w * h);
    std::iota(a->begin(), a->end(), 0.0f);
    auto run = [=] {
        const float *A = a->data();
        float *O = o->data();
        parallel(h / tile, [=](int first, int end, int) {
            for (int by = first * tile; by < end * tile; by += tile)
                for (int bx = 0; bx < w; bx += tile)
                    for (int x = bx; x < bx + tile; x++)
                        for (int y = by; y < by + tile; y++)
                            O[x * h + y] = A[y * w + x];
        });
    };
    return {run, [=] { dump("transpose", o->data(), o->size()); }};
}

float normal(float d) { return 0.5f * (1.0f + erff(d * 0.70710678118654752440f)); }

Work blackscholes() {
    int n = 1 << 22;
    auto in = std::make_shared<vector<float>>(3 * n), out = std::make_shared<vector<float>>(2 * n);
    for (int i = 0; i < n; i++) {
        (*in)[i] = 5 + 25 * u01(i, 10);
        (*in)[n + i] = 1 + 99 * u01(i, 11);
        (*in)[2 * n + i] = 0.25f + 9.75f * u01(i, 12);
    }
    float r = 0.02f, v = 0.30f;
    auto run = [=] {
        const float *S = in->data(), *X = S + n, *T = X + n;
        float *C = out->data(), *P = C + n;
        parallel(n, [=](int first, int end, int) {
#pragma omp simd
            for (int i = first; i < end; i++) {
                float s = S[i], x = X[i], t = T[i], st = sqrtf(t);
                float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * st), d2 = d1 - v * st;
                float c1 = normal(d1), c2 = normal(d2), e = expf(-r * t);
                C[i] = s * c1 - x * e * c2;
                P[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
            }
        });
    };
    return {run, [=] { dump("blackscholes", out->data(), n); }};
}

Work bitonic() {
    int n = 1 << 20, block = 512;
    auto x = std::make_shared<vector<float>>(uniform(n, 13)), o = std::make_shared<vector<float>>(n);
    auto run = [=] {
        const float *X = x->data();
        float *O = o->data();
        parallel(n / block, [=](int first, int end, int) {
            for (int b = first * block; b < end * block; b += block) {
                memcpy(O + b, X + b, block * sizeof *O);
                std::sort(O + b, O + b + block);
            }
        });
    };
    return {run, [=] { dump("bitonic", o->data(), n); }};
}

Work spmv() {
    int rows = 65536;
    auto start = std::make_shared<vector<int>>(rows + 1);
    for (int r = 0; r < rows; r++)
        (*start)[r + 1] = (*start)[r] + 8 + (int)(rnd(r, 16) % 17u);
    int count = (*start)[rows];
    auto column = std::make_shared<vector<int>>(count);
    auto value = std::make_shared<vector<float>>(uniform(count, 18)),
         x = std::make_shared<vector<float>>(uniform(rows, 19));
    auto y = std::make_shared<vector<float>>(rows);
    for (int j = 0; j < count; j++)
        (*column)[j] = rnd(j, 17) & 65535, (*value)[j] -= 0.5f;
    auto run = [=] {
        const int *P = start->data(), *C = column->data();
        const float *V = value->data(), *X = x->data();
        float *Y = y->data();
        parallel(rows, [=](int first, int end, int) {
            for (int r = first; r < end; r++) {
                float sum = 0;
                for (int j = P[r]; j < P[r + 1]; j++)
                    sum += V[j] * X[C[j]];
                Y[r] = sum;
            }
        });
    };
    return {run, [=] { dump("spmv", y->data(), rows); }};
}

Work launch() { // the floor: a parallel loop of 64 stores, 1000 times
    auto o = std::make_shared<vector<int>>(64);
    auto run = [=] {
        int *O = o->data();
        for (int i = 0; i < 1000; i++)
            parallel(64, [=](int first, int end, int) { std::fill(O + first, O + end, i); });
    };
    return {run, [=] { dump("launch", o->data(), 64); }, 1e-3};
}

const std::map<std::string, std::function<Work()>> KERNELS = {
    {"saxpy", [] { return axpy<float>("saxpy", 1 << 24); }},
    {"daxpy", [] { return axpy<double>("daxpy", 1 << 23); }},
    {"reduce", [] { return reduce("reduce"); }},
    {"shfl_reduce", [] { return reduce("shfl_reduce"); }},
    {"matmul512", [] { return matmul("matmul512", 512); }},
    {"matmul1024", [] { return matmul("matmul1024", 1024); }},
    {"nbody", [] { return nbody("nbody"); }},
    {"nbody_lds", [] { return nbody("nbody_lds"); }},
    {"stencil", [] { return stencil("stencil"); }},
    {"stencil_lds", [] { return stencil("stencil_lds"); }},
    {"histogram", histogram},
    {"atomic_add", atomic_add},
    {"mandelbrot", mandelbrot},
    {"scan", scan},
    {"transpose", transpose},
    {"blackscholes", blackscholes},
    {"bitonic", bitonic},
    {"spmv", spmv},
    {"launch", launch},
};

} // namespace

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        auto found = KERNELS.find(argv[i]);
        if (found == KERNELS.end()) {
            std::fprintf(stderr, "no kernel %s\n", argv[i]);
            return 2;
        }
        Work work = found->second();
        work.run();
        work.write();
        work.run();
        auto step = [&] {
            work.run();
            return -1.0;
        };
        bench::repeat(step, work.scale).print(argv[i], "dump");
    }
}
