// Nothing of CPython's configuration matters to code that keeps to the stable ABI.
#ifndef ANYHIP_PYCONFIG_H
#define ANYHIP_PYCONFIG_H
#endif
