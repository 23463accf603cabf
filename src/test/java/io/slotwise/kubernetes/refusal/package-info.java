@NullMarked
package io.slotwise.kubernetes.refusal;

import org.jspecify.annotations.NullMarked;
