// Limits the number of concurrent tests in every test process of this package, so that plain `swift test`, an editor and
// CI behave the same without a flag. Otherwise Swift Testing starts thousands of tests together on two threads, and those
// that wait for a broker exceed their time limits.
//
// Swift Testing reads this variable when it starts, before its first test. SwiftPM's manifest can neither set it nor limit the
// width (Swift 6.3). An existing value is not replaced, and `--experimental-maximum-parallelization-width` overrides both.

#include <stdlib.h>

__attribute__((constructor)) static void bound_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "24", 0);
}
