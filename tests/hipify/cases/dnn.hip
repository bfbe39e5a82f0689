#include <hip/hip_runtime.h>
#include <miopen/miopen.h>

void convolve(miopenHandle_t handle, miopenTensorDescriptor_t in, miopenConvolutionDescriptor_t conv) {
  miopenTensorDescriptor_t filter;
  miopenCreateTensorDescriptor(&filter);
  miopenSet4dTensorDescriptor(filter, miopenFloat, k, c, h, w);
  miopenSet4dTensorDescriptor(in, miopenFloat, n, c, h, w);
  miopenInitConvolutionDescriptor(conv, miopenConvolution, 1, 1, 2, 2, 3, 3);
  miopenConvolutionForward(handle, &one, in, x, filter, f, conv, algo, &zero, out, y, space, bytes);
  miopenPoolingForward(handle, pool, &one, in, x, &zero, out, y, false, nullptr, 0);
  miopenInitConvolutionDescriptor(conv,
      miopenConvolution, 1, // padding
      1, 2,
      2, 3,
      3
  );
  cudnnAddTensor(handle, &one, bias, b, &one, out, y);
}
#define SHAPE(t) miopenSet4dTensorDescriptor(t, \
  miopenFloat, \
  n, c, h, w \
)
#define SHAPE2(t) miopenSet4dTensorDescriptor(t, miopenFloat, n, c, h, w \
)
