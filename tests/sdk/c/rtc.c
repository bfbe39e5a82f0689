// hipRTC from C: compile, look a template's name up, load, launch with both ways of passing arguments.
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      fprintf(stderr, "line %d failed: %s\n", __LINE__, #condition); \
      return 1;                                                      \
    }                                                                \
  } while (0)

static const char *source =
    "#include \"more.h\"\n"
    "extern \"C\" __global__ void twice(int *a) { a[threadIdx.x] *= FACTOR; }\n"
    "template <class T> __global__ void next(T *a) { a[threadIdx.x] += MORE; }\n";

static int run(const char *code, const char *lowered) {
  hipModule_t module;
  hipFunction_t twice, next;
  int host[64], *device;
  size_t size = sizeof device;
  CHECK(!hipModuleLoadData(&module, code));
  CHECK(!hipModuleGetFunction(&twice, module, "twice") && !hipModuleGetFunction(&next, module, lowered));
  CHECK(hipModuleGetFunction(&next, module, "absent") == hipErrorNotFound);
  CHECK(!hipModuleGetFunction(&next, module, lowered));
  for (int i = 0; i < 64; i++) host[i] = i;
  CHECK(!hipMalloc((void **)&device, sizeof host) && !hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice));
  void *args[] = {&device};
  CHECK(!hipModuleLaunchKernel(twice, 1, 1, 1, 64, 1, 1, 0, 0, args, 0));
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &device, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  CHECK(!hipModuleLaunchKernel(next, 1, 1, 1, 64, 1, 1, 0, 0, 0, extra));
  CHECK(hipModuleLaunchKernel(next, 1, 1, 1, 64, 1, 1, 0, 0, args, extra) == hipErrorInvalidValue);
  CHECK(!hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) CHECK(host[i] == 2 * i + 5);
  CHECK(!hipModuleUnload(module) && !hipFree(device));
  return 0;
}

static int broken(void) {
  hiprtcProgram program;
  size_t size;
  char log[4096];
  CHECK(!hiprtcCreateProgram(&program, "__global__ void k() { oops }", "broken.cu", 0, 0, 0));
  CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(hiprtcCompileProgram(program, 0, 0) == HIPRTC_ERROR_COMPILATION);
  CHECK(!hiprtcGetProgramLogSize(program, &size) && size < sizeof log && !hiprtcGetProgramLog(program, log));
  CHECK(strstr(log, "broken.cu:1:23: error: use of undeclared identifier 'oops'") == log);
  CHECK(!hiprtcDestroyProgram(&program) && !program);
  CHECK(hiprtcDestroyProgram(&program) == HIPRTC_ERROR_INVALID_PROGRAM);
  CHECK(!strcmp(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION"));
  return 0;
}

int main(void) {
  const char *headers[] = {"#define MORE 5\n"}, *names[] = {"more.h"}, *lowered;
  const char *options[] = {"--offload-arch=gfx942", "-DFACTOR=2"};
  hiprtcProgram program;
  size_t size;
  CHECK(!hiprtcCreateProgram(&program, source, "twice.cu", 1, headers, names));
  CHECK(hiprtcGetLoweredName(program, "next<int>", &lowered) == HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  CHECK(!hiprtcAddNameExpression(program, "next<int>"));
  CHECK(!hiprtcCompileProgram(program, 2, options));
  CHECK(hiprtcAddNameExpression(program, "x") == HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK(!hiprtcGetLoweredName(program, "next<int>", &lowered) && !strcmp(lowered, "_Z4nextIiEvPT_"));
  CHECK(!hiprtcGetCodeSize(program, &size));
  char *code = malloc(size);
  CHECK(!hiprtcGetCode(program, code) && !run(code, lowered));
  CHECK(!hiprtcDestroyProgram(&program));
  return broken();
}
