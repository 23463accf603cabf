@NullMarked
package io.slotwise.lab.simulation.processors;

import org.jspecify.annotations.NullMarked;
