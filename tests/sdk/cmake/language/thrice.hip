#include "times.h"
int thrice() { return sum<3>(); }
