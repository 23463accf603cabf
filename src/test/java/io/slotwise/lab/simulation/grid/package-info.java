@NullMarked
package io.slotwise.lab.simulation.grid;

import org.jspecify.annotations.NullMarked;
