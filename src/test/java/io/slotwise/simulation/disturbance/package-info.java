@NullMarked
package io.slotwise.simulation.disturbance;

import org.jspecify.annotations.NullMarked;
