// printf's buffer and assert, for AMDGPU (NVIDIA's driver has its own).
//
// The buffer (implicit argument hidden_printf_buffer, byte 72 of code object version 5) starts with four words:
// bytes of records used, bytes of records there is room for, a flag that an assertion failed, and the count of
// records dropped. Records follow from byte 16. `used` may end past the capacity; a record that did not fit
// leaves a zero control word where it would have started.
#ifndef ANYHIP_DEVICELIB_OUTPUT_H
#define ANYHIP_DEVICELIB_OUTPUT_H

#include "common.h"

namespace anyhip {

#define ANYHIP_GLOBAL __attribute__((address_space(1)))

struct output_header {
  u32 used, capacity, assert_failed, dropped;
};

ANYHIP_INLINE ANYHIP_GLOBAL output_header* output_buffer() {
  typedef ANYHIP_GLOBAL output_header* header_pointer;
  typedef const __attribute__((address_space(4))) header_pointer* argument;
  return ((argument)__builtin_amdgcn_implicitarg_ptr())[9];
}

ANYHIP_INLINE ANYHIP_GLOBAL char* reserve_output(u32 bytes) {
  ANYHIP_GLOBAL output_header* header = output_buffer();
  if (!header) return nullptr;
  ANYHIP_GLOBAL char* records = (ANYHIP_GLOBAL char*)(header + 1);
  const u32 capacity = header->capacity;
  // Once full nobody adds any more, so that the count cannot wrap.
  if (__scoped_atomic_load_n(&header->used, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) <= capacity) {
    const u32 start = __scoped_atomic_fetch_add(&header->used, bytes, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (start <= capacity && bytes <= capacity - start) return records + start;
    if (start <= capacity && capacity - start >= 4) *(ANYHIP_GLOBAL u32*)(records + start) = 0;
  }
  __scoped_atomic_fetch_add(&header->dropped, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  return nullptr;
}

ANYHIP_INLINE u32 padded_length(const char* text) {  // with its final zero, in whole 8 bytes
  u32 length = 0;
  while (text[length]) ++length;
  return (length + 8) & ~7u;
}
ANYHIP_INLINE ANYHIP_GLOBAL char* put_text(ANYHIP_GLOBAL char* to, const char* text, u32 padded) {
  bool ended = false;
  for (u32 i = 0; i < padded; ++i) {
    ended = ended || text[i] == 0;
    to[i] = ended ? (char)0 : text[i];
  }
  return to + padded;
}

}  // namespace anyhip

extern "C" __attribute__((device)) ANYHIP_GLOBAL char* __printf_alloc(u32 bytes) {
  return anyhip::reserve_output(bytes);
}

// The record that clang's buffered printf would make for a format known only at run time, marked for stderr.
extern "C" __attribute__((device, noreturn, cold)) void __assert_fail(const char* expression, const char* file,
                                                                      unsigned int line, const char* function) noexcept {
  using namespace anyhip;
  const char* format = "%s:%u: %s: Device-side assertion `%s' failed.\n";
  if (!function) function = "?";
  const u32 format_size = padded_length(format), file_size = padded_length(file);
  const u32 function_size = padded_length(function), expression_size = padded_length(expression);
  const u32 size = 4 + format_size + file_size + 8 + function_size + expression_size;
  if (ANYHIP_GLOBAL char* record = reserve_output(size)) {
    const u32 to_stderr = 1;
    *(ANYHIP_GLOBAL u32*)record = size << 2 | to_stderr;
    record = put_text(record + 4, format, format_size);
    record = put_text(record, file, file_size);
    __builtin_memcpy(record, &line, 4);
    __builtin_memset(record + 4, 0, 4);
    record = put_text(record + 8, function, function_size);
    put_text(record, expression, expression_size);
  }
  if (ANYHIP_GLOBAL output_header* header = output_buffer()) header->assert_failed = 1;
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  __builtin_trap();
}
extern "C" __attribute__((device, noreturn, cold)) void __assertfail(const char* expression, const char* file,
                                                                     unsigned int line, const char* function,
                                                                     unsigned long) noexcept {
  __assert_fail(expression, file, line, function);
}

// What the vtables of abstract classes point to.
extern "C" __attribute__((device, noreturn, cold)) void __cxa_pure_virtual() { __builtin_trap(); }
extern "C" __attribute__((device, noreturn, cold)) void __cxa_deleted_virtual() { __builtin_trap(); }

#endif
