// What hipcc's users expect to have without asking: the C library's functions under their global names.
// libstdc++'s <math.h> would bring all of <cmath>, which is two thirds of a small program's compile time; the
// C library's own <math.h> is enough here, and <cmath> still works when it is included.
#ifndef ANYHIP_DETAIL_C_LIBRARY_H
#define ANYHIP_DETAIL_C_LIBRARY_H

#if !defined(__HIPCC_RTC__)
#  if defined(_GLIBCXX_INCLUDE_NEXT_C_HEADERS)
#    include <math.h>
#  else
#    define _GLIBCXX_INCLUDE_NEXT_C_HEADERS 1
#    include <math.h>
#    undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#  endif
#  include <stddef.h>
#  include <stdint.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>
#  include <time.h>
#endif

#endif
