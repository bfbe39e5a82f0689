#include <hip/hip_runtime.h>
void host(hipGraphExec_t exec, hipGraph_t graph, hipStream_t stream) {
  hipGraphInstantiateWithFlags(&exec, graph, 0);
  hipGraphInstantiateWithFlags(&exec, graph, flags(1, 2));
  hipGraphInstantiate(&exec, graph, NULL,  NULL, 0);
  hipGraphExecUpdate(exec, graph, &info);
  hipGraphExecUpdate(exec, graph, &node, &result);
  hipGraphAddDependencies(graph, from, to, NULL, 1);
  hipStreamGetCaptureInfo_v2(stream, &status, &id, &graph);
  hipStreamGetCaptureInfo(stream, &status, &id);
  hipMemPrefetchAsync(p, n, device, stream);
  hipMemPrefetchAsync_v2(p, n, location, 0, stream);
  hipCtxCreate(&context, 0, device);
  hipCtxCreate(&context, 0, device);
  hipDeviceEnablePeerAccess(1, 0);
  hipLaunchKernelExC(&config, kernel, args);
}
__global__ void parent() {
  hipGraphLaunch(exec, cudaStreamGraphTailLaunch);
}
