@NullMarked
package io.slotwise.kubernetes.publish;

import org.jspecify.annotations.NullMarked;
