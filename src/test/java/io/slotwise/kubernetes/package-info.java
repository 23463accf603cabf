/** Tests of the code that calls the API server. */
@NullMarked
package io.slotwise.kubernetes;

import org.jspecify.annotations.NullMarked;
