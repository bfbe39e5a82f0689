// A plain C program: the library starts Python by itself. Exit code: number of the first check that failed.
#include <hip/hip_runtime_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int checks;
#define CHECK(condition)                                               \
  do {                                                                 \
    checks++;                                                          \
    if (!(condition)) {                                                \
      fprintf(stderr, "check %d failed: %s\n", checks, #condition);    \
      return checks;                                                   \
    }                                                                  \
  } while (0)

static void *thread(void *unused) {
  int version = 0, device = -1;
  for (int i = 0; i < 200; i++)
    if (hipRuntimeGetVersion(&version) || hipGetDevice(&device) || device != 0) return "a call failed";
  if (hipGetLastError() != hipSuccess) return "an error of another thread";
  return unused;
}

static int threads(void) {
  pthread_t many[4];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 4; i++) pthread_create(&many[i], NULL, thread, NULL);
    for (int i = 0; i < 4; i++) {
      void *problem;
      pthread_join(many[i], &problem);
      CHECK(problem == NULL);
    }
  }
  return 0;
}

static int errors(void) {
  CHECK(hipMalloc(NULL, 4) == hipErrorInvalidValue);
  CHECK(hipPeekAtLastError() == hipErrorInvalidValue);
  int version;
  CHECK(hipRuntimeGetVersion(&version) == hipSuccess && version == 70200000);
  CHECK(hipExtGetLastError() == hipSuccess);
  CHECK(hipGetLastError() == hipErrorInvalidValue);  // HIP 7: success does not overwrite it
  CHECK(hipGetLastError() == hipSuccess);
  CHECK(!strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory"));
  CHECK(!strcmp(hipGetErrorString(hipSuccess), "no error"));
  CHECK(!strcmp(hipGetErrorName((hipError_t)12345), "hipErrorUnknown"));
  return 0;
}

static int memory(void) {
  char source[64], result[64] = {0};
  void *there;
  for (int i = 0; i < 64; i++) source[i] = (char)i;
  CHECK(hipMalloc(&there, 64) == hipSuccess && there);
  CHECK(hipMemcpy(there, source, 64, hipMemcpyHostToDevice) == hipSuccess);
  CHECK(hipMemcpy(result, there, 64, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(!memcmp(source, result, 64));
  CHECK(hipMemset(there, 7, 64) == hipSuccess && hipMemcpy(result, there, 64, hipMemcpyDefault) == hipSuccess);
  CHECK(result[0] == 7 && result[63] == 7);
  CHECK(hipMemcpy(there, source, 65, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  CHECK(hipMemcpy(there, source, 4, (hipMemcpyKind)17) == hipErrorInvalidMemcpyDirection);
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, (char *)there + 3) == hipSuccess);
  CHECK(attributes.type == hipMemoryTypeDevice && attributes.device == 0 && attributes.hostPointer == NULL);
  CHECK(hipPointerGetAttributes(&attributes, source) == hipSuccess && attributes.type == hipMemoryTypeUnregistered);
  CHECK(hipFree(there) == hipSuccess && hipFree(there) == hipErrorInvalidValue && hipFree(NULL) == hipSuccess);
  CHECK(hipHostMalloc(&there, 64, 0) == hipSuccess && hipFree(there) == hipErrorInvalidValue);
  CHECK(hipHostFree(there) == hipSuccess);
  (void)hipGetLastError();
  return 0;
}

static int called;
static void host_function(void *argument) { called += *(int *)argument; }
static void callback(hipStream_t stream, hipError_t status, void *argument) {
  called += status == hipSuccess && stream && argument == &called ? 100 : 0;
}

static int streams(void) {
  hipStream_t stream;
  hipEvent_t start, stop;
  float milliseconds = -1;
  int ten = 10;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess);
  CHECK(hipEventCreate(&start) == hipSuccess && hipEventCreate(&stop) == hipSuccess);
  CHECK(hipEventElapsedTime(&milliseconds, start, stop) == hipErrorInvalidHandle);
  CHECK(hipEventRecord(start, stream) == hipSuccess);
  CHECK(hipLaunchHostFunc(stream, host_function, &ten) == hipSuccess);
  CHECK(hipStreamAddCallback(stream, callback, &called, 0) == hipSuccess);
  CHECK(hipEventRecord(stop, stream) == hipSuccess && hipEventSynchronize(stop) == hipSuccess);
  CHECK(hipStreamSynchronize(stream) == hipSuccess && called == 110);
  CHECK(hipEventElapsedTime(&milliseconds, start, stop) == hipSuccess && milliseconds >= 0);
  CHECK(hipStreamQuery(hipStreamPerThread) == hipSuccess);
  CHECK(hipStreamDestroy(stream) == hipSuccess && hipStreamDestroy(stream) == hipErrorContextIsDestroyed);
  CHECK(hipEventDestroy(start) == hipSuccess && hipEventDestroy(stop) == hipSuccess);
  (void)hipGetLastError();
  return 0;
}

static int table(void) {
  hipError_t (*get_device)(int *) = NULL;
  hipDriverProcAddressQueryResult status;
  int device = -1;
  CHECK(hipGetProcAddress("hipGetDevice", (void **)&get_device, 702, 0, &status) == hipSuccess);
  CHECK(status == HIP_GET_PROC_ADDRESS_SUCCESS && get_device(&device) == hipSuccess && device == 0);
  void *plain, *twin;
  CHECK(hipGetProcAddress("hipMemcpyAsync", &plain, 702, 0, NULL) == hipSuccess && plain == (void *)hipMemcpyAsync);
  CHECK(hipGetProcAddress("hipMemcpyAsync", &twin, 702, 2, NULL) == hipSuccess && twin == (void *)hipMemcpyAsync_spt);
  CHECK(hipGetProcAddress("hipNothing", &plain, 702, 0, &status) == hipErrorNotFound && !plain);
  CHECK(status == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(hipIpcCloseMemHandle(NULL) == hipErrorNotSupported && hipIpcCloseMemHandle(NULL) == hipErrorNotSupported);
  (void)hipGetLastError();
  return 0;
}

int main(void) {
  hipDeviceProp_t properties;
  int failed, count, warp;
  CHECK(hipGetDeviceCount(&count) == hipSuccess && count >= 1);
  CHECK(hipGetDeviceProperties(&properties, 0) == hipSuccess && !strncmp(properties.gcnArchName, "gfx942", 6));
  CHECK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0) == hipSuccess && warp == properties.warpSize);
  CHECK(hipSetDevice(count) == hipErrorInvalidDevice && hipGetLastError() == hipErrorInvalidDevice);
  if ((failed = errors()) || (failed = memory()) || (failed = streams()) || (failed = table()) || (failed = threads()))
    return failed;
  CHECK(signal(SIGINT, SIG_DFL) == SIG_DFL);  // Python did not take Ctrl-C
  puts("all checks passed");
  return 0;
}
