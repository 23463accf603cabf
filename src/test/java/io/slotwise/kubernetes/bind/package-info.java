@NullMarked
package io.slotwise.kubernetes.bind;

import org.jspecify.annotations.NullMarked;
