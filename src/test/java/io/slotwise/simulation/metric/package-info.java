@NullMarked
package io.slotwise.simulation.metric;

import org.jspecify.annotations.NullMarked;
