@NullMarked
package io.slotwise.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
