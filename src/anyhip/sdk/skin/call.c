// Calling Python: threads, arguments, results, and the error state that hipGetLastError reads.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "python.h"
#include "skin.h"

enum { SUCCESS = 0, NOT_INITIALIZED = 3, DEINITIALIZED = 4, NOT_READY = 600, NOT_SUPPORTED = 801, UNKNOWN = 999, STICKY = 0x10000 };
enum { MOST_ARGUMENTS = 24 };

static __thread int last_error;   // of this thread, until hipGetLastError; success and NotReady leave it alone
static __thread int last_status;  // of the last call, whatever it was
static volatile int sticky;       // a device fault: reported until the device is reset

static PyObject *resolve, *failed, *receive;
static pthread_key_t thread_key;
static __thread int thread_kept;

int anyhip_note(int code) {
  last_status = code;
  if (code != SUCCESS && code != NOT_READY) last_error = code;
  return code;
}

ANYHIP_EXPORT int hipGetLastError(void) {
  int code = last_error ? last_error : sticky;
  last_error = SUCCESS;
  return code;
}

ANYHIP_EXPORT int hipPeekAtLastError(void) { return last_error ? last_error : sticky; }

ANYHIP_EXPORT int hipExtGetLastError(void) {
  int code = last_status;
  last_status = SUCCESS;
  return code;
}

int anyhip_missing(const char *name, int *said) {
  if (!__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
    fprintf(stderr, "anyhip: %s is not implemented by AnyHIP yet\n", name);
  return anyhip_note(NOT_SUPPORTED);
}

// A thread of the program keeps its Python thread state between calls: making one costs more than the call, and
// what Python keeps for a thread, such as its current device, lives in it. When the thread ends, its own keys are
// already gone, so the state is only put on a list, which the next call of any thread empties.
typedef struct ended {
  void *state;
  struct ended *next;
} ended;

static ended *volatile ended_threads;

static void end_thread(void *item) {
  ended *mine = item;
  do {
    mine->next = ended_threads;
  } while (!__sync_bool_compare_and_swap(&ended_threads, mine->next, mine));
}

// From Python 3.12 on, deleting a state also makes the deleting thread forget its own, whosever the deleted one was.
// So another state stands in for ours meanwhile, and ours is known again when it comes back.
static void delete_ended(void) {
  ended *item = __sync_lock_test_and_set(&ended_threads, NULL);
  void *mine = py.PyGILState_GetThisThreadState();
  void *stand_in = item ? py.PyThreadState_New(py.PyThreadState_GetInterpreter(mine)) : NULL;
  if (!stand_in) return;  // no memory: what the threads left is lost
  py.PyThreadState_Swap(stand_in);
  while (item) {
    ended *next = item->next;
    py.PyThreadState_Clear(item->state);
    py.PyThreadState_Delete(item->state);
    free(item);
    item = next;
  }
  py.PyThreadState_Clear(stand_in);
  py.PyThreadState_DeleteCurrent();
  py.PyEval_RestoreThread(mine);
}

static int enter(void) {
  if (!thread_kept) {
    thread_kept = 1;
    ended *mine = py.PyGILState_GetThisThreadState() ? NULL : malloc(sizeof *mine);
    if (mine) {
      py.PyGILState_Ensure();
      mine->state = py.PyEval_SaveThread();
      pthread_setspecific(thread_key, mine);
    }
  }
  int state = py.PyGILState_Ensure();
  if (ended_threads) delete_ended();
  return state;
}

static int load_entry(void) {
  static int have_key;
  if (!have_key) have_key = !pthread_key_create(&thread_key, end_thread);
  PyObject *entry = py.PyImport_ImportModule("anyhip.sdk.entry");
  if (!entry) return -1;
  failed = py.PyObject_GetAttrString(entry, "failed");
  receive = py.PyObject_GetAttrString(entry, "receive");
  PyObject *found = py.PyObject_GetAttrString(entry, "resolve");
  if (!failed || !receive || !found) return -1;
  resolve = found;
  return 0;
}

// An exception becomes a hipError_t: Python says which, and prints what must be seen.
static int handle_exception(const char *name) {
  PyObject *type = NULL, *value = NULL, *traceback = NULL;
  py.PyErr_Fetch(&type, &value, &traceback);
  py.PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) py.PyException_SetTraceback(value, traceback);
  PyObject *result = py.PyObject_CallFunction(failed, "Os", value, name);
  long code = UNKNOWN;
  if (result) {
    code = py.PyLong_AsLong(result);
    py.Py_DecRef(result);
  } else {
    py.PyErr_Print();
  }
  if (type) py.Py_DecRef(type);
  if (value) py.Py_DecRef(value);
  if (traceback) py.Py_DecRef(traceback);
  if (code & STICKY) sticky = (int)(code & ~STICKY);
  return (int)(code & ~STICKY);
}

static void receive_record(int kind, const uint64_t *n, const char *name) {
  PyObject *result = py.PyObject_CallFunction(receive, "iKKKKKs", kind, (unsigned long long)n[0], (unsigned long long)n[1],
                                              (unsigned long long)n[2], (unsigned long long)n[3],
                                              (unsigned long long)n[4], name);
  if (result)
    py.Py_DecRef(result);
  else
    anyhip_note(handle_exception("registration"));
}

static PyObject *implementation(anyhip_function *function) {
  if (!function->implementation)
    function->implementation = py.PyObject_CallFunction(resolve, "ss", function->module, function->name);
  return function->implementation;
}

static int run(anyhip_function *function, const uint64_t *values) {
  PyObject *callable = implementation(function);
  if (!callable) return handle_exception(function->name);
  PyObject *arguments[MOST_ARGUMENTS + 1];
  size_t count = 0;
  for (const char *kind = function->kinds; *kind; kind++, count++) {
    double number;
    switch (*kind) {
      case 'i': arguments[count + 1] = py.PyLong_FromLongLong((long long)values[count]); break;
      case 'd': memcpy(&number, &values[count], 8), arguments[count + 1] = py.PyFloat_FromDouble(number); break;
      default: arguments[count + 1] = py.PyLong_FromUnsignedLongLong(values[count]);
    }
  }
  const size_t vectorcall_offset = (size_t)1 << (8 * sizeof(size_t) - 1);
  PyObject *result = py.PyObject_Vectorcall(callable, arguments + 1, count | vectorcall_offset, NULL);
  for (size_t i = 0; i < count; i++) py.Py_DecRef(arguments[i + 1]);
  if (!result) return handle_exception(function->name);
  int code = result == py.none ? SUCCESS : (int)py.PyLong_AsLong(result);
  py.Py_DecRef(result);
  return code;
}

int anyhip_call(anyhip_function *function, const uint64_t *values) {
  if (anyhip_start()) return anyhip_note(NOT_INITIALIZED);
  if (!py.Py_IsInitialized()) return anyhip_note(function->at_exit ? SUCCESS : DEINITIALIZED);
  int state = resolve ? enter() : py.PyGILState_Ensure();
  int code;
  if (!resolve && load_entry()) {
    py.PyErr_Print();
    code = NOT_INITIALIZED;
  } else {
    anyhip_take_records(receive_record);
    code = run(function, values);
    if (sticky && code == SUCCESS && !strcmp(function->name, "hipDeviceReset")) sticky = last_error = SUCCESS;
  }
  py.PyGILState_Release(state);
  return anyhip_note(code);
}

// A record that cannot wait: a managed variable must have its address before main, a library is unloaded.
void anyhip_record_now(int kind, const uint64_t numbers[5], const char *name) {
  if (anyhip_start() || !py.Py_IsInitialized()) return;
  int state = py.PyGILState_Ensure();
  if (!resolve && load_entry()) {
    py.PyErr_Print();
  } else {
    anyhip_take_records(receive_record);
    receive_record(kind, numbers, name);
  }
  py.PyGILState_Release(state);
}

static int compare_names(const void *key, const void *item) {
  return strcmp(key, ((const anyhip_export *)item)->name);
}

static void *exported(const char *name) {
  const anyhip_export *found = bsearch(name, anyhip_exports, (size_t)anyhip_export_count, sizeof *found, compare_names);
  return found ? found->address : NULL;
}

enum { LEGACY_STREAM = 1, PER_THREAD_STREAM = 2, SYMBOL_NOT_FOUND = 1 };

// Programs that dlopen this library find everything here, from its own table (it may be loaded RTLD_LOCAL).
ANYHIP_EXPORT int hipGetProcAddress(const char *name, void **address, int version, uint64_t flags, int *status) {
  char twin[128];
  (void)version;
  if (!name || !address || flags > PER_THREAD_STREAM || !*name) return anyhip_note(1);
  *address = NULL;
  if (!strcmp(name, "hipGetDeviceProperties") || !strcmp(name, "hipChooseDevice"))
    snprintf(twin, sizeof twin, "%sR0600", name);
  else
    snprintf(twin, sizeof twin, "%s%s", name, flags == PER_THREAD_STREAM ? "_spt" : "");
  *address = exported(twin);
  if (!*address) *address = exported(name);
  if (status) *status = *address ? SUCCESS : SYMBOL_NOT_FOUND;
  return anyhip_note(*address ? SUCCESS : 500);
}

ANYHIP_EXPORT int hipGetProcAddress_spt(const char *name, void **address, int version, uint64_t flags, int *status) {
  return hipGetProcAddress(name, address, version, flags == LEGACY_STREAM ? flags : PER_THREAD_STREAM, status);
}

ANYHIP_EXPORT const char *hipGetErrorName(int code) { return anyhip_error_name(code); }
ANYHIP_EXPORT const char *hipGetErrorString(int code) { return anyhip_error_string(code); }

ANYHIP_EXPORT int hipDrvGetErrorName(int code, const char **text) {
  if (!text) return anyhip_note(1);
  *text = anyhip_error_name(code);
  return anyhip_note(strcmp(*text, "hipErrorUnknown") || code == UNKNOWN ? SUCCESS : 1);
}

ANYHIP_EXPORT int hipDrvGetErrorString(int code, const char **text) {
  if (!text) return anyhip_note(1);
  *text = anyhip_error_string(code);
  return anyhip_note(strcmp(anyhip_error_name(code), "hipErrorUnknown") || code == UNKNOWN ? SUCCESS : 1);
}

typedef struct {
  int x, y, z, w, kind;
} channel_format;

ANYHIP_EXPORT channel_format hipCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (channel_format){x, y, z, w, kind};
}
