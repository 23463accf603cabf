@NullMarked
package io.slotwise.lab.simulation.planned;

import org.jspecify.annotations.NullMarked;
