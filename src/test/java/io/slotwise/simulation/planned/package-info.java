@NullMarked
package io.slotwise.simulation.planned;

import org.jspecify.annotations.NullMarked;
