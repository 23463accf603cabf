@NullMarked
package io.slotwise.kubernetes.extender;

import org.jspecify.annotations.NullMarked;
