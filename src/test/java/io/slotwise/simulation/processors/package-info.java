@NullMarked
package io.slotwise.simulation.processors;

import org.jspecify.annotations.NullMarked;
