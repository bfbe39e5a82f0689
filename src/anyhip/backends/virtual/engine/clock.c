// The host's monotonic clock, and the device's constant one made from it.
#define _GNU_SOURCE
#include "engine.h"
#include <time.h>

uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// 100 MHz, as hipDeviceAttributeWallClockRate says.
uint64_t constant_clock(void) { return now_ns() / 10; }

// Whether the dispatch has run for longer than `limit_ns`; its time begins with the first question.
bool out_of_time(struct dispatch *dispatch, uint64_t limit_ns) {
    uint64_t now = now_ns(), begin = 0;
    if (atomic_compare_exchange_strong(&dispatch->begin_ns, &begin, now))
        return false;
    return now > begin && now - begin > limit_ns;
}
