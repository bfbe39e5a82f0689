void host(cudaGraphExec_t exec, cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphInstantiate(&exec, graph);
  cudaGraphInstantiate(&exec, graph, flags(1, 2));
  cudaGraphInstantiate(&exec, graph, NULL,  NULL, 0);
  cudaGraphExecUpdate(exec, graph, &info);
  cudaGraphExecUpdate(exec, graph, &node, &result);
  cudaGraphAddDependencies(graph, from, to, NULL, 1);
  cudaStreamGetCaptureInfo(stream, &status, &id, &graph);
  cudaStreamGetCaptureInfo(stream, &status, &id);
  cudaMemPrefetchAsync(p, n, device, stream);
  cudaMemPrefetchAsync(p, n, location, 0, stream);
  cuCtxCreate(&context, NULL, 0, device);
  cuCtxCreate(&context, 0, device);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaLaunchKernelExC(&config, kernel, args);
}
__global__ void parent() {
  cudaGraphLaunch(exec, cudaStreamGraphTailLaunch);
}
