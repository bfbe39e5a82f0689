// What the HIP programs and the native peer share: inputs, clocks, and the lines that the runner reads.
//
//   RESULT <kernel> <median seconds> check=ok|FAIL|dump
//   SAMPLES|CPUS|DELAYS <kernel> <seconds> ...   one number a run: wall, CPU of all threads, waiting for a
//   core
//
// Environment: BENCH_RUNS timed runs (9); BENCH_MAXSEC ends them early, after three (20);
// BENCH_DUMP=<folder> writes the output of the first run to <folder>/<kernel>.bin.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dirent.h>
#include <time.h>

namespace bench {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double cpu_now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds that threads of this process waited for a core (Linux's schedstat): 0 over an undisturbed run.
inline double run_delay() {
    double seconds = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return 0;
    while (dirent *entry = readdir(tasks)) {
        std::string name = std::string("/proc/self/task/") + entry->d_name + "/schedstat";
        if (FILE *file = std::fopen(name.c_str(), "r")) {
            unsigned long long ran = 0, waited = 0;
            if (std::fscanf(file, "%llu %llu", &ran, &waited) == 2)
                seconds += 1e-9 * (double)waited;
            std::fclose(file);
        }
    }
    closedir(tasks);
    return seconds;
}

// Inputs, which references.py makes bit for bit as well.
inline uint32_t hash32(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return x;
}
inline uint32_t rnd(uint32_t i, uint32_t seed) { return hash32(i + seed * 0x9E3779B9U); }
inline float u01(uint32_t i, uint32_t seed) { return (float)(rnd(i, seed) >> 8) * (1.0f / 16777216.0f); }

template <class T> void dump(const char *kernel, const T *values, size_t count) {
    const char *folder = std::getenv("BENCH_DUMP");
    if (!folder)
        return;
    std::string name = std::string(folder) + "/" + kernel + ".bin";
    FILE *file = std::fopen(name.c_str(), "wb");
    if (!file || std::fwrite(values, sizeof(T), count, file) != count || std::fclose(file)) {
        std::fprintf(stderr, "cannot write %s\n", name.c_str());
        std::exit(2);
    }
}

inline double setting(const char *name, double otherwise) {
    const char *text = std::getenv(name);
    return text ? std::atof(text) : otherwise;
}

struct Samples {
    std::vector<double> wall, cpu, delay;

    void add(double w, double c, double d) {
        wall.push_back(w);
        cpu.push_back(c);
        delay.push_back(d);
    }

    void print(const char *kernel, const char *check) const {
        std::vector<double> sorted = wall;
        std::sort(sorted.begin(), sorted.end());
        std::printf("RESULT %s %.9g check=%s\n", kernel, sorted[sorted.size() / 2], check);
        line("SAMPLES", kernel, wall);
        line("CPUS", kernel, cpu);
        line("DELAYS", kernel, delay);
        std::fflush(stdout);
    }

  private:
    static void line(const char *tag, const char *kernel, const std::vector<double> &values) {
        std::printf("%s %s", tag, kernel);
        for (double value : values)
            std::printf(" %.9g", value);
        std::printf("\n");
    }
};

// Run `step` again and again; it returns the seconds to count, or a negative number for its wall time.
// `scale` turns a run's time into that of one of the operations in it.
template <class Step> Samples repeat(Step step, double scale = 1.0) {
    Samples samples;
    int runs = (int)setting("BENCH_RUNS", 9);
    double spent = 0, most = setting("BENCH_MAXSEC", 20);
    for (int run = 0; run < runs && (spent <= most || run < 3); run++) {
        double delay = run_delay(), cpu = cpu_now(), start = now();
        double counted = step();
        double wall = now() - start;
        spent += wall;
        samples.add((counted < 0 ? wall : counted) * scale, (cpu_now() - cpu) * scale,
                    (run_delay() - delay) * scale);
    }
    return samples;
}

} // namespace bench
