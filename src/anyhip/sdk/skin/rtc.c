// libhiprtc's own answers: what its result codes are called.
#include "skin.h"

static const char *const names[] = {
    "HIPRTC_SUCCESS",
    "HIPRTC_ERROR_OUT_OF_MEMORY",
    "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "HIPRTC_ERROR_INVALID_INPUT",
    "HIPRTC_ERROR_INVALID_PROGRAM",
    "HIPRTC_ERROR_INVALID_OPTION",
    "HIPRTC_ERROR_COMPILATION",
    "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "HIPRTC_ERROR_INTERNAL_ERROR",
};

enum { COUNT = sizeof names / sizeof names[0], LINKING = 100 };

ANYHIP_API const char *hiprtcGetErrorString(int result) {
  if (result >= 0 && result < COUNT) return names[result];
  return result == LINKING ? "HIPRTC_ERROR_LINKING" : "Invalid HIPRTC error code";
}
