#include "times.h"
int own() { return sum<5>(); }
