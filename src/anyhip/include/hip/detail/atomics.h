// Atomic functions: relaxed, at device scope; _system and _block widen or narrow the scope.
#ifndef ANYHIP_DETAIL_ATOMICS_H
#define ANYHIP_DETAIL_ATOMICS_H

#include <hip/detail/target.h>

// Signed 64-bit numbers HIP itself only compares. Ours are templates, so that a program's own function of the
// same parameters is no second definition, and is preferred.
#define __ANYHIP_ATOMIC_OWN template <typename = void>

// how it is declared, name, builtin, type: three functions, one a scope.
#define __ANYHIP_ATOMIC_SCOPE(own, function, builtin, T, scope)                  \
  own __ANYHIP_DEVICE__ T function(T* address, T value) {                        \
    return __scoped_atomic_##builtin(address, value, __ATOMIC_RELAXED, scope);   \
  }
#define __ANYHIP_ATOMIC(own, name, builtin, T)                                   \
  __ANYHIP_ATOMIC_SCOPE(own, name, builtin, T, __MEMORY_SCOPE_DEVICE)            \
  __ANYHIP_ATOMIC_SCOPE(own, name##_system, builtin, T, __MEMORY_SCOPE_SYSTEM)   \
  __ANYHIP_ATOMIC_SCOPE(own, name##_block, builtin, T, __MEMORY_SCOPE_WRKGRP)

#define __ANYHIP_ATOMIC_INTEGERS(name, builtin, own_long_long)       \
  __ANYHIP_ATOMIC(, name, builtin, int)                              \
  __ANYHIP_ATOMIC(, name, builtin, unsigned int)                     \
  __ANYHIP_ATOMIC(, name, builtin, unsigned long)                    \
  __ANYHIP_ATOMIC(, name, builtin, unsigned long long)               \
  __ANYHIP_ATOMIC(__ANYHIP_ATOMIC_OWN, name, builtin, long)          \
  __ANYHIP_ATOMIC(own_long_long, name, builtin, long long)
#define __ANYHIP_ATOMIC_REALS(name, builtin)         \
  __ANYHIP_ATOMIC(, name, builtin, float)            \
  __ANYHIP_ATOMIC(, name, builtin, double)

__ANYHIP_ATOMIC_INTEGERS(atomicAdd, fetch_add, __ANYHIP_ATOMIC_OWN)
__ANYHIP_ATOMIC_INTEGERS(atomicSub, fetch_sub, __ANYHIP_ATOMIC_OWN)
__ANYHIP_ATOMIC_INTEGERS(atomicMin, fetch_min, )
__ANYHIP_ATOMIC_INTEGERS(atomicMax, fetch_max, )
__ANYHIP_ATOMIC_INTEGERS(atomicAnd, fetch_and, __ANYHIP_ATOMIC_OWN)
__ANYHIP_ATOMIC_INTEGERS(atomicOr, fetch_or, __ANYHIP_ATOMIC_OWN)
__ANYHIP_ATOMIC_INTEGERS(atomicXor, fetch_xor, __ANYHIP_ATOMIC_OWN)
__ANYHIP_ATOMIC_INTEGERS(atomicExch, exchange_n, __ANYHIP_ATOMIC_OWN)
__ANYHIP_ATOMIC_REALS(atomicAdd, fetch_add)
__ANYHIP_ATOMIC_REALS(atomicSub, fetch_sub)
__ANYHIP_ATOMIC_REALS(atomicMin, fetch_min)
__ANYHIP_ATOMIC_REALS(atomicMax, fetch_max)

// Floating-point values are exchanged and compared by their bits.
#define __ANYHIP_ATOMIC_EXCHANGE_BITS(name, T, scope)                            \
  __ANYHIP_DEVICE__ T name(T* address, T value) {                                \
    T old;                                                                       \
    __scoped_atomic_exchange(address, &value, &old, __ATOMIC_RELAXED, scope);    \
    return old;                                                                  \
  }
#define __ANYHIP_ATOMIC_CAS_SCOPE(own, name, T, scope)                                                  \
  own __ANYHIP_DEVICE__ T name(T* address, T compare, T value) {                                            \
    __scoped_atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
    return compare;                                                                                     \
  }
#define __ANYHIP_ATOMIC_CAS(own, T)                                          \
  __ANYHIP_ATOMIC_CAS_SCOPE(own, atomicCAS, T, __MEMORY_SCOPE_DEVICE)        \
  __ANYHIP_ATOMIC_CAS_SCOPE(own, atomicCAS_system, T, __MEMORY_SCOPE_SYSTEM) \
  __ANYHIP_ATOMIC_CAS_SCOPE(own, atomicCAS_block, T, __MEMORY_SCOPE_WRKGRP)

__ANYHIP_ATOMIC_EXCHANGE_BITS(atomicExch, float, __MEMORY_SCOPE_DEVICE)
__ANYHIP_ATOMIC_EXCHANGE_BITS(atomicExch, double, __MEMORY_SCOPE_DEVICE)
__ANYHIP_ATOMIC_EXCHANGE_BITS(atomicExch_system, float, __MEMORY_SCOPE_SYSTEM)
__ANYHIP_ATOMIC_EXCHANGE_BITS(atomicExch_system, double, __MEMORY_SCOPE_SYSTEM)
__ANYHIP_ATOMIC_EXCHANGE_BITS(atomicExch_block, float, __MEMORY_SCOPE_WRKGRP)
__ANYHIP_ATOMIC_EXCHANGE_BITS(atomicExch_block, double, __MEMORY_SCOPE_WRKGRP)

__ANYHIP_ATOMIC_CAS(__ANYHIP_ATOMIC_OWN, unsigned short)
__ANYHIP_ATOMIC_CAS(, int)
__ANYHIP_ATOMIC_CAS(, unsigned int)
__ANYHIP_ATOMIC_CAS(__ANYHIP_ATOMIC_OWN, long)
__ANYHIP_ATOMIC_CAS(, unsigned long)
__ANYHIP_ATOMIC_CAS(__ANYHIP_ATOMIC_OWN, long long)
__ANYHIP_ATOMIC_CAS(, unsigned long long)
__ANYHIP_ATOMIC_CAS(, float)
__ANYHIP_ATOMIC_CAS(, double)

// The wrapping steps have one scope, the device's, in the layer below; on one device it serves all three names.
#define __ANYHIP_ATOMIC_WRAP(name, function)                                                                \
  __ANYHIP_DEVICE__ unsigned int name(unsigned int* address, unsigned int limit) {                          \
    return __anyhip::function(address, limit);                                                              \
  }
__ANYHIP_ATOMIC_WRAP(atomicInc, atomic_inc_wrap)
__ANYHIP_ATOMIC_WRAP(atomicInc_block, atomic_inc_wrap)
__ANYHIP_ATOMIC_WRAP(atomicDec, atomic_dec_wrap)
__ANYHIP_ATOMIC_WRAP(atomicDec_block, atomic_dec_wrap)
#undef __ANYHIP_ATOMIC_WRAP

// With the host as a partner only compare-and-swap is atomic for both.
__ANYHIP_DEVICE__ unsigned int atomicInc_system(unsigned int* address, unsigned int limit) {
  unsigned int old = *address, seen;
  do {
    seen = old;
    old = atomicCAS_system(address, seen, seen >= limit ? 0 : seen + 1);
  } while (old != seen);
  return old;
}
__ANYHIP_DEVICE__ unsigned int atomicDec_system(unsigned int* address, unsigned int limit) {
  unsigned int old = *address, seen;
  do {
    seen = old;
    old = atomicCAS_system(address, seen, seen == 0 || seen > limit ? limit : seen - 1);
  } while (old != seen);
  return old;
}

#define __ANYHIP_ATOMIC_NO_RETURN(T) \
  __ANYHIP_DEVICE__ void atomicAddNoRet(T* address, T value) { (void)atomicAdd(address, value); }
__ANYHIP_ATOMIC_NO_RETURN(float)

// unsafe: the hardware's instruction also where memory is fine-grained; safe: a compare-and-swap loop there.
#if defined(__AMDGCN__)
#  define __ANYHIP_ATOMIC_UNSAFE [[clang::atomic(no_remote_memory, no_fine_grained_memory, ignore_denormal_mode)]]
#  define __ANYHIP_ATOMIC_SAFE [[clang::atomic(remote_memory, fine_grained_memory)]]
#else
#  define __ANYHIP_ATOMIC_UNSAFE
#  define __ANYHIP_ATOMIC_SAFE
#endif
#define __ANYHIP_ATOMIC_MARKED(prefix, marker, T)                                                              \
  __ANYHIP_DEVICE__ T prefix##AtomicAdd(T* address, T value) {                                                 \
    marker { return __scoped_atomic_fetch_add(address, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }      \
  }                                                                                                            \
  __ANYHIP_DEVICE__ T prefix##AtomicMax(T* address, T value) {                                                 \
    marker { return __scoped_atomic_fetch_max(address, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }      \
  }                                                                                                            \
  __ANYHIP_DEVICE__ T prefix##AtomicMin(T* address, T value) {                                                 \
    marker { return __scoped_atomic_fetch_min(address, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }      \
  }
__ANYHIP_ATOMIC_MARKED(unsafe, __ANYHIP_ATOMIC_UNSAFE, float)
__ANYHIP_ATOMIC_MARKED(unsafe, __ANYHIP_ATOMIC_UNSAFE, double)
__ANYHIP_ATOMIC_MARKED(safe, __ANYHIP_ATOMIC_SAFE, float)
__ANYHIP_ATOMIC_MARKED(safe, __ANYHIP_ATOMIC_SAFE, double)

#undef __ANYHIP_ATOMIC_MARKED
#undef __ANYHIP_ATOMIC_UNSAFE
#undef __ANYHIP_ATOMIC_SAFE
#undef __ANYHIP_ATOMIC_NO_RETURN
#undef __ANYHIP_ATOMIC_CAS
#undef __ANYHIP_ATOMIC_CAS_SCOPE
#undef __ANYHIP_ATOMIC_EXCHANGE_BITS
#undef __ANYHIP_ATOMIC_REALS
#undef __ANYHIP_ATOMIC_INTEGERS
#undef __ANYHIP_ATOMIC
#undef __ANYHIP_ATOMIC_SCOPE
#undef __ANYHIP_ATOMIC_OWN

#endif
