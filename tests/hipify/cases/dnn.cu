#include <cudnn.h>

void convolve(cudnnHandle_t handle, cudnnTensorDescriptor_t in, cudnnConvolutionDescriptor_t conv) {
  cudnnFilterDescriptor_t filter;
  cudnnCreateFilterDescriptor(&filter);
  cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, k, c, h, w);
  cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w);
  cudnnSetConvolution2dDescriptor(conv, 1, 1, 2, 2, 3, 3, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  cudnnConvolutionForward(handle, &one, in, x, filter, f, conv, algo, space, bytes, &zero, out, y);
  cudnnPoolingForward(handle, pool, &one, in, x, &zero, out, y);
  cudnnSetConvolution2dDescriptor(conv,
      1, 1, // padding
      2, 2,
      3, 3,
      CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT
  );
  cudnnAddTensor(handle, &one, bias, b, &one, out, y);
}
#define SHAPE(t) cudnnSetTensor4dDescriptor(t, \
  CUDNN_TENSOR_NCHW, \
  CUDNN_DATA_FLOAT, n, c, h, \
  w)
#define SHAPE2(t) cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, \
  w)
