// Finding and starting Python.
#define _GNU_SOURCE
#include "python.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "skin.h"

anyhip_python py;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;

// Every name of the struct above but `none`, which is data.
static const struct {
  const char *name;
  size_t offset;
} symbols[] = {
#define S(name) {#name, offsetof(anyhip_python, name)}
    S(Py_IsInitialized), S(Py_InitializeEx), S(Py_SetPythonHome), S(Py_GetVersion), S(PyGILState_Ensure),
    S(PyGILState_Release), S(PyGILState_GetThisThreadState), S(PyEval_SaveThread), S(PyEval_RestoreThread),
    S(PyThreadState_New), S(PyThreadState_GetInterpreter), S(PyThreadState_Swap), S(PyThreadState_Clear),
    S(PyThreadState_Delete), S(PyThreadState_DeleteCurrent),
    S(PyRun_SimpleString),
    S(PyImport_ImportModule), S(PyObject_GetAttrString), S(PyObject_CallFunction), S(PyObject_Vectorcall),
    S(PyLong_FromUnsignedLongLong), S(PyLong_FromLongLong), S(PyFloat_FromDouble), S(PyLong_AsLong), S(PyErr_Fetch),
    S(PyErr_NormalizeException), S(PyException_SetTraceback), S(PyErr_Print), S(Py_DecRef),
#undef S
};

static int fail(const char *what, const char *why, const char *hint) {
  fprintf(stderr, "anyhip: %s: %s\n  hint: %s\n", what, why ? why : "", hint);
  return -1;
}

static int bind_symbols(void *library) {
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (!address) return fail("this Python lacks a function", symbols[i].name, "use CPython 3.11 to 3.14");
    memcpy((char *)&py + symbols[i].offset, &address, sizeof address);
  }
  py.none = dlsym(library, "_Py_NoneStruct");
  return 0;
}

static void set_flag(void *library, const char *name) {
  int *flag = dlsym(library, name);
  if (flag) *flag = 1;
}

// A new interpreter: no site, no environment, no signal handlers (Ctrl-C stays the program's own).
static int initialise(void *library) {
  set_flag(library, "Py_NoSiteFlag");
  set_flag(library, "Py_IsolatedFlag");
  set_flag(library, "Py_IgnoreEnvironmentFlag");
  py.Py_SetPythonHome(anyhip_python_home);
  char kept[128] = "C";
  const char *locale = setlocale(LC_CTYPE, NULL);
  if (locale && strlen(locale) < sizeof kept) strcpy(kept, locale);
  struct sigaction interrupt;
  sigaction(SIGINT, NULL, &interrupt);
  py.Py_InitializeEx(0);
  setlocale(LC_CTYPE, kept);  // Python sets the user's locale; the program did not ask for that
  py.PyRun_SimpleString("import _signal");  // takes Ctrl-C at its first import, whoever does it: undone here
  sigaction(SIGINT, &interrupt, NULL);
  return py.Py_IsInitialized() ? 0 : fail("Python did not start", anyhip_libpython, "reinstall Python");
}

// The folder `python` beside the one that holds this library has the types module made with it.
static int types_folder(char *folder, size_t room) {
  Dl_info info;
  char *library = dladdr((void *)anyhip_start, &info) ? realpath(info.dli_fname, NULL) : NULL;
  if (!library) return -1;
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(library, '/');
    if (slash) *slash = 0;
  }
  int length = snprintf(folder, room, "%s/python", library);
  free(library);
  return length > 0 && length < (int)room && !strpbrk(folder, "'\\\n") ? 0 : -1;
}

static int extend_path(void) {
  char code[8192], folder[4096];
  if (types_folder(folder, sizeof folder)) return fail("the library does not know its own path", "", "move it elsewhere");
  int length = snprintf(code, sizeof code, "import sys\nfor p in [*%s, '%s']:\n    if p not in sys.path: sys.path.append(p)\n",
                        anyhip_python_path, folder);
  if (length <= 0 || length >= (int)sizeof code) return fail("the module path is too long", "", "move the installation");
  return py.PyRun_SimpleString(code);
}

static int same_version(void) {
  size_t length = strlen(anyhip_python_version);
  const char *running = py.Py_GetVersion();
  if (!strncmp(running, anyhip_python_version, length) && running[length] == '.') return 1;
  fail("built for another Python", running, "run `anyhip rocm-root` in the environment that loads this library");
  return 0;
}

static int join_running(void) {
  if (bind_symbols(RTLD_DEFAULT) || !same_version()) return -1;
  int state = py.PyGILState_Ensure();
  int failed = extend_path();
  py.PyGILState_Release(state);
  return failed;
}

static int start_own(void) {
  // Global, because extension modules take the interpreter's symbols from the global scope.
  void *library = dlopen(anyhip_libpython, RTLD_NOW | RTLD_GLOBAL);
  if (!library) return fail("libpython cannot be loaded", dlerror(), "install the package that holds it, e.g. libpython3");
  if (bind_symbols(library) || !same_version() || initialise(library) || extend_path()) return -1;
  py.PyEval_SaveThread();
  return 0;
}

static int start_once(void) {
  int (*is_initialized)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "Py_IsInitialized");
  if (is_initialized && is_initialized()) return join_running();
  return start_own();
}

int anyhip_start(void) {
  if (ready > 0) return 0;
  pthread_mutex_lock(&lock);
  if (!ready) ready = start_once() ? -1 : 1;
  pthread_mutex_unlock(&lock);
  return ready > 0 ? 0 : -1;
}

int anyhip_started(void) { return ready > 0; }
