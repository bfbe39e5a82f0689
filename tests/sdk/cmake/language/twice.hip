#include "times.h"
int twice() { return sum<2>(); }
