@NullMarked
package io.slotwise.lab.simulation;

import org.jspecify.annotations.NullMarked;
