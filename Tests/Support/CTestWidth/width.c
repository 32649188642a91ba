// Bounds how many tests run at once in every test process of this package, so that plain `swift test`, an editor and CI run
// alike without a flag. Swift Testing starts all tests together otherwise: thousands of them share two threads, and those that
// wait for a broker exceed their time limits.
//
// Swift Testing reads this variable when it starts, before its first test. SwiftPM's manifest can neither set it nor bound the
// width (Swift 6.3). A value that is already set stays, and `--experimental-maximum-parallelization-width` overrides both.

#include <stdlib.h>

__attribute__((constructor)) static void bound_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0);
}
