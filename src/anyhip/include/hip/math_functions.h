#include <hip/detail/target.h>
