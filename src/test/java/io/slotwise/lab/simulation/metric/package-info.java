@NullMarked
package io.slotwise.lab.simulation.metric;

import org.jspecify.annotations.NullMarked;
