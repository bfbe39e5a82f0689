// The part of CPython's C API that the skin uses, as pointers: no Python.h and no link against libpython, so that
// one library serves an interpreter that already runs as well as one that it starts itself.
#ifndef ANYHIP_PYTHON_H
#define ANYHIP_PYTHON_H

#include <stddef.h>

typedef struct _object PyObject;

typedef struct {
  int (*Py_IsInitialized)(void);
  void (*Py_InitializeEx)(int install_signal_handlers);
  void (*Py_SetPythonHome)(const wchar_t *home);
  const char *(*Py_GetVersion)(void);
  int (*PyGILState_Ensure)(void);
  void (*PyGILState_Release)(int state);
  void *(*PyGILState_GetThisThreadState)(void);
  void *(*PyEval_SaveThread)(void);
  void (*PyEval_RestoreThread)(void *state);
  void *(*PyThreadState_New)(void *interpreter);
  void *(*PyThreadState_GetInterpreter)(void *state);
  void *(*PyThreadState_Swap)(void *state);
  void (*PyThreadState_Clear)(void *state);
  void (*PyThreadState_Delete)(void *state);
  void (*PyThreadState_DeleteCurrent)(void);
  int (*PyRun_SimpleString)(const char *code);
  PyObject *(*PyImport_ImportModule)(const char *name);
  PyObject *(*PyObject_GetAttrString)(PyObject *object, const char *name);
  PyObject *(*PyObject_CallFunction)(PyObject *callable, const char *format, ...);
  PyObject *(*PyObject_Vectorcall)(PyObject *callable, PyObject *const *args, size_t count, PyObject *keywords);
  PyObject *(*PyLong_FromUnsignedLongLong)(unsigned long long value);
  PyObject *(*PyLong_FromLongLong)(long long value);
  PyObject *(*PyFloat_FromDouble)(double value);
  long (*PyLong_AsLong)(PyObject *number);
  void (*PyErr_Fetch)(PyObject **type, PyObject **value, PyObject **traceback);
  void (*PyErr_NormalizeException)(PyObject **type, PyObject **value, PyObject **traceback);
  int (*PyException_SetTraceback)(PyObject *value, PyObject *traceback);
  void (*PyErr_Print)(void);
  void (*Py_DecRef)(PyObject *object);
  PyObject *none;
} anyhip_python;

extern anyhip_python py;

// Returns 0 and starts the interpreter (or joins the running one) if that has not happened; else says why on stderr.
int anyhip_start(void);

#endif
