// The C skin: HIP's C ABI over the Python runtime. Shared by the generated table of functions and its three helpers.
#ifndef ANYHIP_SKIN_H
#define ANYHIP_SKIN_H

#include <stddef.h>
#include <stdint.h>

// libhiprtc is built from the same helpers, but exports only its own functions.
#define ANYHIP_API __attribute__((visibility("default")))
#ifdef ANYHIP_RTC
#define ANYHIP_EXPORT
#else
#define ANYHIP_EXPORT ANYHIP_API
#endif

// Where the generated api.c records what each function is; `implementation` is filled at its first call.
typedef struct {
  const char *name;
  const char *module;  // of anyhip.sdk.calls
  const char *kinds;   // one letter an argument: u unsigned or pointer, i signed, d double
  void *implementation;
  int at_exit;         // success after Python has ended: the end of the process gives back what the call would
} anyhip_function;

typedef struct {
  const char *name;
  void *address;
} anyhip_export;

// Built into the library by the generator: where Python and anyhip live.
extern const char *const anyhip_libpython;
extern const wchar_t anyhip_python_home[];
extern const char *const anyhip_python_version;
extern const char *const anyhip_python_path;  // a Python list of strings

extern const anyhip_export anyhip_exports[];  // sorted by name
extern const int anyhip_export_count;

int anyhip_call(anyhip_function *function, const uint64_t *values);
int anyhip_missing(const char *name, int *said);
int anyhip_note(int code);
const char *anyhip_error_name(int code);
const char *anyhip_error_string(int code);

// Records made before main, handed to Python at the first call that needs it.
int anyhip_started(void);
typedef void (*anyhip_receiver)(int kind, const uint64_t *numbers, const char *name);
int anyhip_take_records(anyhip_receiver receive);
void anyhip_record_now(int kind, const uint64_t numbers[5], const char *name);

#endif
