// The device library: one unit, compiled to bitcode once for each target and linked into kernels by need.
#include "bessel.h"
#include "error_function.h"
#include "exponential.h"
#include "gamma.h"
#include "inverse.h"
#include "representation.h"
#include "roots.h"
#include "single_error_function.h"
#include "single_exponential.h"
#include "single_gamma.h"
#include "single_inverse.h"
#include "single_logarithm.h"
#include "single_representation.h"
#include "single_roots.h"
#include "single_trigonometric.h"
#include "trigonometric.h"

#if defined(__AMDGCN__)
#  include "heap.h"
#  include "output.h"
#endif
