@NullMarked
package io.slotwise.kubernetes.kubectl;

import org.jspecify.annotations.NullMarked;
