@NullMarked
package io.slotwise.kubernetes.access;

import org.jspecify.annotations.NullMarked;
