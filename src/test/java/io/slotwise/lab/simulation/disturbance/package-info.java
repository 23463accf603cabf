@NullMarked
package io.slotwise.lab.simulation.disturbance;

import org.jspecify.annotations.NullMarked;
