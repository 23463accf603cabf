@NullMarked
package io.slotwise.simulation;

import org.jspecify.annotations.NullMarked;
