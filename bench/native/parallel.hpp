// Parallel loops: OpenMP where the compiler has it, else threads of the C++ library.
#pragma once
#include "../programs/measure.hpp"

#include <thread>
#ifdef _OPENMP
#include <omp.h>
#endif

inline int threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return (int)bench::setting("OMP_NUM_THREADS", std::thread::hardware_concurrency());
#endif
}

// body(thread) on every core.
template <class Body> void on_all(Body body) {
#ifdef _OPENMP
#pragma omp parallel
    body(omp_get_thread_num());
#else
    std::vector<std::thread> others;
    for (int t = 1; t < threads(); t++)
        others.emplace_back(body, t);
    body(0);
    for (auto &other : others)
        other.join();
#endif
}

// body(first, end, thread) on every core, over equal parts of 0..n.
template <class Body> void parallel(int64_t n, Body body) {
    int count = threads();
    on_all([&](int t) { body((int)(n * t / count), (int)(n * (t + 1) / count), t); });
}
