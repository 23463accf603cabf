/** A load on a real control plane, measured from the API server's own log: {@code ./slotwise bench cluster}. */
@NullMarked
package io.slotwise.it.load;

import org.jspecify.annotations.NullMarked;
