// The part of CPython's stable ABI that cffi's generated module uses, declared here so that the engine can be
// compiled where Python's own headers are not installed (a distribution keeps them in a package of their
// own). The stable ABI keeps these symbols and their meaning for every CPython 3 (docs.python.org, "C API
// Stability").
#ifndef ANYHIP_PYTHON_H
#define ANYHIP_PYTHON_H
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define PY_MAJOR_VERSION 3
#define PY_MINOR_VERSION 11
#define PY_VERSION_HEX 0x030b0000

typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef struct _ts PyThreadState;
typedef ssize_t Py_ssize_t;

void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
#define Py_INCREF(object) Py_IncRef((PyObject *)(object))
#define Py_DECREF(object) Py_DecRef((PyObject *)(object))
#define Py_XDECREF(object) Py_DecRef((PyObject *)(object))

PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *);
#define Py_BEGIN_ALLOW_THREADS                                                                               \
    {                                                                                                        \
        PyThreadState *anyhip_thread_state = PyEval_SaveThread();
#define Py_END_ALLOW_THREADS                                                                                 \
    PyEval_RestoreThread(anyhip_thread_state);                                                               \
    }

extern PyObject _Py_NoneStruct;
#define Py_None (&_Py_NoneStruct)

int PyArg_UnpackTuple(PyObject *, const char *, Py_ssize_t, Py_ssize_t, ...);
PyObject *PyBool_FromLong(long);
PyObject *PyErr_Occurred(void);
void Py_FatalError(const char *) __attribute__((noreturn));
double PyFloat_AsDouble(PyObject *);
PyObject *PyFloat_FromDouble(double);
PyObject *PyImport_ImportModule(const char *);
PyObject *PyLong_FromLong(long);
PyObject *PyLong_FromLongLong(long long);
PyObject *PyLong_FromUnsignedLong(unsigned long);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long);
PyObject *PyLong_FromVoidPtr(void *);
PyObject *PyObject_CallMethod(PyObject *, const char *, const char *, ...);
void PyObject_Free(void *);
void *PyObject_Malloc(size_t);

#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *
#endif
