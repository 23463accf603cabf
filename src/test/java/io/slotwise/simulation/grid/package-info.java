@NullMarked
package io.slotwise.simulation.grid;

import org.jspecify.annotations.NullMarked;
