@NullMarked
package io.slotwise.core.cluster;

import org.jspecify.annotations.NullMarked;
